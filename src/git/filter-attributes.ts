import { pathText, unquoteC } from "./parsing.ts";

export interface AttributesFile {
	readonly path: Buffer;
	readonly content: Buffer;
}

export interface NamedFilter {
	readonly name: string;
	readonly file: string;
	readonly line: number;
}

export interface FilterAttributes {
	readonly filters: readonly NamedFilter[];
	/**
	 * Lines for an `info/attributes`: a filter only for the paths that the commit's attributes give one. They override
	 * every `.gitattributes` of a work tree, so a change there neither starts nor stops a filter.
	 */
	readonly lines: Buffer;
}

/** Git ignores lines of this length and more, in bytes. */
const LONGEST_LINE = 2_048;

const MACRO_PREFIX = "sparring-base-";

const NO_FILTER = "* -filter";

const FILTER = "filter";

export const OF_MERGES = ["merge", "conflict-marker-size"];

const BUILT_IN = {
	path: Buffer.from(".gitattributes"),
	content: Buffer.from("[attr]binary -diff -merge -text"),
};

// Texts are bytes in `latin1`.
interface AttributesLine {
	readonly pattern: string;
	readonly isMacro: boolean;
	readonly states: readonly AttributeState[];
	readonly folder: string;
	readonly file: string;
	readonly number: number;
}

interface AttributeState {
	readonly sign: string;
	readonly name: string;
	readonly value: string | null;
}

/**
 * Extracts what a commit's attributes say about filters, by the rules of `gitattributes(5)`: files of inner folders
 * override those of outer ones, later lines override earlier ones, and only the top-level file defines macros.
 *
 * @param wanted other attributes, of which the lines tell as well
 * @example `/x.bin filter=lfs -text` in `a/.gitattributes` gives `* -filter` and `"/a/x.bin" filter=lfs`
 */
export function filterAttributes(
	files: readonly AttributesFile[],
	wanted: readonly string[] = [],
): FilterAttributes {
	const depth = ({ path }: AttributesFile): number => path.filter((byte) => byte === 0x2f).length;
	const sorted = [...files].sort((one, other) => depth(one) - depth(other));
	const all = [BUILT_IN, ...sorted].flatMap(linesOf);
	const names = [FILTER, ...wanted];
	// Of two macros with the same name, the later one counts.
	const macros = new Map(
		all.filter(({ isMacro }) => isMacro).map((line) => [line.pattern, line] as const),
	);
	const counting = namesThatCount(macros, names);
	const kept = [...macros.values(), ...all.filter(({ isMacro }) => !isMacro)].flatMap((line) => {
		const states = line.states.filter(({ name }) => counting.has(name));
		return states.length === 0 ? [] : [{ line, states }];
	});
	const filters = new Map<string, NamedFilter>();
	for (const { line, states } of kept) {
		for (const { sign, name, value } of states) {
			if (name !== FILTER || value === null || sign !== "" || filters.has(value)) continue;
			const { file, number } = line;
			filters.set(value, { name: utf8(value), file, line: number });
		}
	}
	const written = kept.map(
		({ line, states }) =>
			`${headOf(line)} ${states.map((state) => textOf(state, names)).join(" ")}`,
	);
	return {
		filters: [...filters.values()],
		lines: Buffer.from([NO_FILTER, ...written, ""].join("\n"), "latin1"),
	};
}

const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

function namesThatCount(
	macros: ReadonlyMap<string, AttributesLine>,
	names: readonly string[],
): ReadonlySet<string> {
	const counting = new Set(names);
	for (let before = 0; before < counting.size; ) {
		before = counting.size;
		for (const [name, { states }] of macros) {
			if (states.some((state) => counting.has(state.name))) counting.add(name);
		}
	}
	return counting;
}

function textOf({ sign, name, value }: AttributeState, names: readonly string[]): string {
	const shown = names.includes(name) ? name : `${MACRO_PREFIX}${name}`;
	return `${sign}${shown}${value === null ? "" : `=${value}`}`;
}

function headOf({ pattern, isMacro, folder }: AttributesLine): string {
	if (isMacro) return `[attr]${MACRO_PREFIX}${pattern}`;
	if (folder === "") return quoted(pattern);
	const outer = folder.replaceAll(/[*?[\]\\]/g, "\\$&");
	// A pattern without a slash matches names at any depth.
	if (!pattern.includes("/")) return quoted(`/${outer}/**/${pattern}`);
	return quoted(`/${outer}${pattern.startsWith("/") ? "" : "/"}${pattern}`);
}

function quoted(pattern: string): string {
	const inner = pattern
		.replaceAll(/["\\]/g, "\\$&")
		.replaceAll("\n", "\\n")
		.replaceAll("\r", "\\r")
		.replaceAll("\t", "\\t");
	return `"${inner}"`;
}

function linesOf({ path, content }: AttributesFile): AttributesLine[] {
	const name = path.toString("latin1");
	const folder = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
	const text = content.toString("latin1").replace(/^\xef\xbb\xbf/, "");
	return text.split("\n").flatMap((line, index) => {
		const parsed = parseLine(line);
		if (parsed === null || (parsed.isMacro && folder !== "")) return [];
		const { pattern, isMacro, states } = parsed;
		return [{ pattern, isMacro, states, folder, file: pathText(path), number: index + 1 }];
	});
}

const MACRO = "[attr]";

// Git ignores comments, negative patterns and invalid names.
function parseLine(line: string): Pick<AttributesLine, "pattern" | "isMacro" | "states"> | null {
	if (line.length >= LONGEST_LINE) return null;
	const text = line.replace(/^[ \t\r]+/, "");
	if (text === "" || text.startsWith("#")) return null;
	const head = headIn(text);
	const states = text
		.slice(head.length)
		.split(/[ \t\r]+/)
		.filter((word) => word !== "")
		.map(parseState);
	const isMacro = head.name.startsWith(MACRO) && head.name.length > MACRO.length;
	const pattern = isMacro ? head.name.slice(MACRO.length).trim() : head.name;
	if (!states.every((state) => state !== null)) return null;
	if (isMacro) return isName(pattern) ? { pattern, isMacro, states } : null;
	// Attributes of a directory do not apply to the files in it.
	if (pattern.startsWith("!") || pattern.endsWith("/")) return null;
	return { pattern, isMacro, states };
}

function headIn(text: string): { readonly name: string; readonly length: number } {
	const match = /^"((?:[^"\\]|\\.)*)"/.exec(text);
	const unquoted = match?.[1] === undefined ? null : unquoteC(match[1]);
	if (match !== null && unquoted !== null) return { name: unquoted, length: match[0].length };
	const [name = ""] = /^[^ \t\r]+/.exec(text) ?? [];
	return { name, length: name.length };
}

function parseState(word: string): AttributeState | null {
	const [, sign = "", name = "", , value] = /^([-!]?)([^=]*)(=(.*))?$/s.exec(word) ?? [];
	if (!isName(name)) return null;
	return { sign, name, value: sign === "" ? (value ?? null) : null };
}

// Git reserves names such as `builtin_objectmode`.
function isName(name: string): boolean {
	return /^[A-Za-z0-9_.][-A-Za-z0-9_.]*$/.test(name) && !name.startsWith("builtin_");
}

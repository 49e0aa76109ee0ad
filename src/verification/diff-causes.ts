import { posix } from "node:path";
import { kindOfPath, kindsOfLine, type VerificationCause } from "./cause.ts";
import {
	type ComponentMap,
	ComponentNames,
	componentMap,
	type DeclaredName,
	type FilePart,
	type KnownComponents,
	partOf,
} from "./component.ts";

export interface ChangeSurroundings {
	readonly files: readonly string[];
	readonly names: readonly DeclaredName[];
	readonly users: ReadonlyMap<string, readonly string[]>;
}

const versionless = (text: string | null): string | null =>
	text?.replace(/(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)(?:[-+][\w.]+)?/g, "0.0.0") ?? null;

const isRelease = ({ before, after }: ChangedText): boolean =>
	before !== null && versionless(before) === versionless(after);

function changedLines(change: ChangedText): {
	readonly added: Set<string>;
	readonly removed: Set<string>;
} {
	const { added, removed } = linesOf(change);
	return { added: new Set(added), removed: new Set(removed) };
}

/** Names of public declarations that a change alters or drops. */
export function changedDeclarations(change: ChangedText): string[] {
	if (partOf(change.path) !== "code" || isRelease(change)) return [];
	const { added, removed } = changedLines(change);
	return alteredNames(change, new Set([...added, ...removed]));
}

const causeOf = (kind: ReturnType<typeof kindsOfLine>[number], path: string): VerificationCause => {
	if (kind === "cross_component_call") return { kind, path, to: "another service" };
	return kind === "shared_type" ? { kind, path, name: null } : { kind, path };
};

function causesOfName(path: string, part: FilePart = partOf(path)): VerificationCause[] {
	if (part !== "code" && part !== "declaration") return [];
	const kind = kindOfPath(path) ?? (part === "declaration" ? "shared_configuration" : null);
	return kind === null ? [] : [causeOf(kind, path)];
}

function causesOfLines(change: ChangedText): VerificationCause[] {
	const { added, removed } = changedLines(change);
	const kinds = [
		...linesInContext(change.after ?? "", added),
		...linesInContext(change.before ?? "", removed),
	].flatMap(({ line, within, annotations }) => [
		...kindsOfLine(line),
		// What a line stands in says what it is part of; a call above it does not.
		...[...within, annotations]
			.flatMap(kindsOfLine)
			.filter((kind) => kind === "api_contract" || kind === "migration"),
	]);
	return [...new Set(kinds)].map((kind) => causeOf(kind, change.path));
}

const shownName = (component: string): string => (component === "" ? "the top" : component);

function causesOfReferences(change: ChangedText, known: KnownComponents): VerificationCause[] {
	const { path, before, after } = change;
	const named = new ComponentNames({ path, before: before ?? "", after: after ?? "" }, known);
	return linesInContext(after ?? "", changedLines(change).added).flatMap(
		({ line }): VerificationCause[] => {
			const to = named.in(line);
			return to === null ? [] : [{ kind: "cross_component_call", path, to: shownName(to) }];
		},
	);
}

function causesOfFile(
	change: ChangedText,
	map: ComponentMap,
	around: ChangeSurroundings,
): VerificationCause[] {
	const { path } = change;
	const part = partOf(path);
	if (part === "test" || part === "harmless" || isLock(path)) return [];
	if (!change.isRead || isHuge(change)) return [{ kind: "unreadable", path }];
	if (isRelease(change) && part !== "declaration") return [];
	const references = causesOfReferences(change, { map, names: around.names });
	if (part === "manifest") return references;
	const named = causesOfName(path);
	if (part === "declaration") return named;
	return [
		...named,
		...causesOfLines(change),
		...references,
		...sharedDeclarations(change, map, around),
	];
}

const MAX_LINES = 5_000;

const isHuge = (change: ChangedText): boolean =>
	Object.values(linesOf(change)).some((lines) => lines.length > MAX_LINES);

const isLock = (path: string): boolean =>
	/lock|\.sum$|\.resolved$/i.test(path) && partOf(path) === "manifest";

function sharedDeclarations(
	change: ChangedText,
	map: ComponentMap,
	{ users }: ChangeSurroundings,
): VerificationCause[] {
	const own = map.of(change.path);
	return changedDeclarations(change).flatMap((name): VerificationCause[] => {
		const known = users.get(name);
		// Where nobody could look, it counts as shared.
		const isShared =
			known === undefined || known.some((user) => partOf(user) === "code" && map.of(user) !== own);
		return isShared ? [{ kind: "shared_type", path: change.path, name }] : [];
	});
}

function several(paths: readonly string[], map: ComponentMap): VerificationCause[] {
	const code = paths.filter((path) => partOf(path) === "code" || map.has(path));
	const packages = [...new Set(code.map(map.of))].sort().map(shownName);
	return packages.length > 1 ? [{ kind: "several_packages", packages }] : [];
}

const distinct = (causes: readonly VerificationCause[]): VerificationCause[] => [
	...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];

/**
 * Causes by which a real change can break what lies beyond its component. Doubt counts; tests, texts for people and
 * new versions are none. Each cause once.
 */
export function causesOfDiff(
	changes: readonly ChangedText[],
	around: ChangeSurroundings,
): VerificationCause[] {
	const gone = changes.filter(({ isRead, after }) => isRead && after === null);
	const map = componentMap([...around.files, ...gone.map(({ path }) => path)]);
	const staying = changes.filter((change) => !gone.includes(change) && !isRelease(change));
	return distinct([
		...several(
			staying.map(({ path }) => path),
			map,
		),
		...changes.flatMap((change) => causesOfFile(change, map, around)),
	]);
}

// `["processor/planner/", "processor/generator/"]` gives one cause, `several_packages`.
export function causesOfPaths(paths: readonly string[]): VerificationCause[] {
	const files = paths.map((path) => (isFolder(path) ? posix.join(path, "any.c") : path));
	const named = paths.flatMap((path) => causesOfName(path, isFolder(path) ? "code" : undefined));
	return distinct([...several(files, componentMap(files)), ...named]);
}

const isFolder = (path: string): boolean =>
	/\/\**$/.test(path) || !/\.|(?:^|\/)[A-Z]\w*$/.test(path);

interface LineInContext {
	readonly line: string;
	readonly within: readonly string[];
	readonly annotations: string;
}

const MAX_LINE = 1_000;

const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?:\s|!(?!\[)|$)|--(?:\s|$)|%%|;;)/;

const ANNOTATION = /^\s*(?:@\w|#?\[[A-Za-z].*\]\s*$)/;

const indentOf = (line: string): number =>
	(/^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;

interface OpenLine {
	readonly indent: number;
	readonly text: string;
}

function closeTo(open: OpenLine[], indent: number, closes: boolean): void {
	while ((open.at(-1)?.indent ?? -1) > indent - (closes ? 0 : 1)) open.pop();
}

function linesInContext(text: string, wanted: ReadonlySet<string>): LineInContext[] {
	const found: LineInContext[] = [];
	const open: OpenLine[] = [];
	let annotations = "";
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !COMMENT.test(line));
	for (const line of lines) {
		const indent = indentOf(line);
		const closes = /^\s*[)\]}]/.test(line);
		closeTo(open, indent, closes);
		if (wanted.has(line))
			found.push({
				line: line.slice(0, MAX_LINE),
				within: open.map((each) => each.text),
				annotations,
			});
		const isAnnotation = ANNOTATION.test(line);
		if (!isAnnotation && !closes)
			open.push({ indent, text: `${annotations}${line}`.slice(0, MAX_LINE) });
		annotations = isAnnotation ? `${annotations}${line}\n` : "";
	}
	return found;
}

const TYPE =
	/\b(?:class|struct|interface|type|enum|trait|record|object|protocol|union|message|service|module|defmodule|newtype|data|typedef|actor|extension|contract)\s+(?:class\s+|struct\s+)?([A-Za-z_]\w+)/;

const CALLABLE =
	/\b(?:def|defn|defmacro|fn|func|function|fun|sub|proc|macro|const|val|define)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_]\w+)|^\s*(?!return|else|new|await|throw|yield|if|for|while|case|in|not|and|or)(?:[\w<>[\],.*&?:]+\s+)+\**([A-Za-z_]\w+)\s*\([^;=]*$/;

const MARKED = /^\s*(?:pub|export|public)\b/m;
const HIDDEN = /\b(?:private|fileprivate|defp)\b|\b(?:def|class)\s+_(?!_)/;

const nameIn = (line: string): string | undefined => {
	const [, type] = TYPE.exec(line) ?? [];
	const [, word, plain] = CALLABLE.exec(line) ?? [];
	return type ?? word ?? plain;
};

// A type by its members, everything else by its first lines. Members of the public API of a language are told from
// the rest by its own words, such as `export`, `pub` and `private`. A field added to `export interface Task {` gives
// `Task`.
function alteredNames({ path, before, after }: ChangedText, wanted: ReadonlySet<string>): string[] {
	const named = (text: string | null, isOld: boolean): string[] => {
		const isMarked = MARKED.test(text ?? "") && !path.endsWith(".go");
		const isPublic = (line: string): boolean =>
			!HIDDEN.test(line) && (!isMarked || MARKED.test(line.replace(/^\s*[@#[][^\n]*\n/gm, "")));
		return linesInContext(text ?? "", wanted).flatMap(({ line, within }) => {
			const types = within
				.map((each, index) => ({ each, index }))
				.filter(({ each }) => TYPE.test(each));
			const inner = types.at(-1);
			const between = within.slice((inner?.index ?? -1) + 1);
			const inBody = between.some((each) => /\(/.test(each) && !/[(,]\s*$/.test(each));
			if (inBody || HIDDEN.test(line)) return [];
			const heads = [
				inner?.each,
				between.find((each) => /\(\s*$/.test(each)),
				isOld ? line : undefined,
			];
			return heads.flatMap((head) =>
				head !== undefined && isPublic(head) ? (nameIn(head) ?? []) : [],
			);
		});
	};
	const names = [...named(before, true), ...named(after, false)];
	return [...new Set(names)].filter((name) => name.length > 2 && isExported(path, name));
}

const isExported = (path: string, name: string): boolean =>
	!path.endsWith(".go") || /^[A-Z]/.test(name);

/** A file of a change, with its text before and after; null where there is no such file, or where it was not read. */
export interface ChangedText {
	readonly path: string;
	readonly before: string | null;
	readonly after: string | null;
	/** False for one that was not read: too large, binary, a link. */
	readonly isRead: boolean;
}

function missingFrom(lines: readonly string[], other: readonly string[]): string[] {
	const left = new Map<string, number>();
	for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = left.get(line) ?? 0;
		left.set(line, count - 1);
		return count <= 0;
	});
}

function linesOf({ before, after }: ChangedText): {
	readonly added: readonly string[];
	readonly removed: readonly string[];
} {
	const [old, fresh] = [before ?? "", after ?? ""].map((text) =>
		text.split(/\r?\n/).filter((line) => line.trim() !== ""),
	);
	return {
		added: missingFrom(fresh ?? [], old ?? []),
		removed: missingFrom(old ?? [], fresh ?? []),
	};
}

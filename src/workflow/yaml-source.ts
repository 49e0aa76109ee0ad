import { type Document, LineCounter, parseDocument, visit, type YAMLError } from "yaml";
import type { Path } from "../kernel/fields.ts";
import { plain, quote } from "../kernel/quote.ts";
import type { Diagnostic, Position } from "./diagnostic.ts";
import { keyOf, startOf, YamlNodes } from "./yaml-nodes.ts";

const COMPLAINTS: Partial<Record<YAMLError["code"], { message: string; hint?: string }>> = {
	TAB_AS_INDENT: { message: "tabs are not allowed as indentation", hint: "indent with spaces" },
	MULTIPLE_DOCS: {
		message: "the file contains more than one YAML document",
		hint: "keep one; remove the line `---`",
	},
	BLOCK_AS_IMPLICIT_KEY: {
		message: "a mapping cannot start in the middle of a line",
		hint: "quote text that contains `: `, or check the indentation",
	},
	NON_STRING_KEY: { message: "a key must be a string", hint: "put it in quotes" },
	TAG_RESOLVE_FAILED: { message: "unknown tag", hint: "remove the word that begins with `!`" },
};

function yamlComplaint(error: YAMLError): { message: string; hint?: string } {
	return COMPLAINTS[error.code] ?? { message: `YAML: ${plain(error.message)}` };
}

/** A place inside a text that the file writes: an offset into it, in UTF-16 units. */
export interface Within {
	readonly text: string;
	readonly from: number;
}

/** Place of a path's key or value; for what is not there, of the nearest thing around it. */
export type Locate = (path: Path, part: "key" | "value", within?: Within) => Position;

export interface YamlSource {
	/** undefined when the text has errors of syntax: what was recovered would only confuse. */
	readonly value: unknown;
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
	readonly locate: Locate;
}

/** Most uses of one anchor, nested uses multiplied: the library's guard against alias bombs. */
const MAX_ALIASES = 100;

const MAX_DEPTH = 200;

/** Duplicate keys are found by `duplicateKeys`, which names both places. */
export const YAML = {
	merge: true,
	uniqueKeys: false,
	stringKeys: true,
	logLevel: "error",
} as const;

type At = (offset: number) => Position;

/**
 * Reads one YAML 1.2 document with merge keys; all keys are text. Never throws.
 *
 * @param file as positions are to name it
 */
export function parseYaml(text: string, file: string): YamlSource {
	const lineCounter = new LineCounter();
	const at: At = (offset) => {
		const { line, col } = lineCounter.linePos(Math.min(offset, text.length));
		return { file, line, column: col };
	};
	let document: Document.Parsed;
	try {
		document = parseDocument(text, { ...YAML, lineCounter, prettyErrors: false });
	} catch (error) {
		return failure(
			at,
			`not readable as YAML: ${plain(String(error))}`,
			"check the indentation of the file",
		);
	}
	// The library turns an exhausted stack into one error per level.
	if (document.errors.some(({ message }) => /call stack/i.test(message)))
		return failure(at, "nested too deeply", "no workflow key needs this depth");
	const show = (error: YAMLError): Diagnostic => ({ ...at(error.pos[0]), ...yamlComplaint(error) });
	const warnings = document.warnings.map(show);
	const syntax = document.errors.map(show);
	const deep = syntax.length > 0 ? [] : tooDeep(document, at);
	if (syntax.length + deep.length > 0)
		return { value: undefined, errors: [...syntax, ...deep], warnings, locate: () => at(0) };
	const nodes = new YamlNodes(document);
	const locate: Locate = (path, part, within) => {
		const offset = nodes.offset(path, part);
		return at(within === undefined ? offset : offsetWithin(text, offset, within));
	};
	const broken = brokenReferences(document, nodes, at);
	if (broken.length > 0) return { value: undefined, errors: broken, warnings, locate };
	try {
		const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
		return { value, errors: duplicateKeys(document, at), warnings, locate };
	} catch {
		return { value: undefined, errors: [tooManyAliases(document, at)], warnings, locate };
	}
}

function failure(at: At, message: string, hint: string): YamlSource {
	return {
		value: undefined,
		errors: [{ ...at(0), message, hint }],
		warnings: [],
		locate: () => at(0),
	};
}

function tooDeep(document: Document.Parsed, at: At): Diagnostic[] {
	const found: Diagnostic[] = [];
	visit(document, (_key, node, ancestors) => {
		if (ancestors.length <= MAX_DEPTH) return undefined;
		const hint = "no workflow key needs this depth";
		found.push({ ...at(startOf(node) ?? 0), message: "nested too deeply", hint });
		return visit.BREAK;
	});
	return found;
}

/** After all else was checked, the alias guard is the one thing that makes the conversion fail. */
function tooManyAliases(document: Document.Parsed, at: At): Diagnostic {
	let first = 0;
	visit(document, {
		Alias(_key, node) {
			first = Number(startOf(node));
			return visit.BREAK;
		},
	});
	const message = `too many aliases: an anchor may be used ${MAX_ALIASES} times, nested uses multiplied`;
	return { ...at(first), message, hint: "write the values in full, or put them under `defaults`" };
}

function brokenReferences(document: Document.Parsed, nodes: YamlNodes, at: At): Diagnostic[] {
	const found: Diagnostic[] = [];
	visit(document, {
		Alias(_key, node, ancestors) {
			const target = nodes.resolve(node);
			const position = at(Number(startOf(node)));
			if (target === undefined)
				found.push({
					...position,
					message: `no anchor ${quote(`&${node.source}`)} before this alias`,
					hint: "define it above, or quote the text if you mean a literal *",
				});
			else if (ancestors.some((each) => each === target))
				found.push({
					...position,
					message: "an alias inside its own anchor",
					hint: "write the value out",
				});
		},
		Pair(_key, pair) {
			if (keyOf(pair) !== "<<" || nodes.mergeSources(pair) !== undefined) return;
			found.push({
				...at(Number(startOf(pair.key))),
				message: "`<<` must merge a mapping, or a list of mappings",
				hint: "write `<<: *anchor`",
			});
		},
	});
	return found;
}

function duplicateKeys(document: Document.Parsed, at: At): Diagnostic[] {
	const found: Diagnostic[] = [];
	visit(document, {
		Map(_key, map) {
			const seen = new Map<string, Position>();
			for (const pair of map.items) {
				const key = keyOf(pair);
				const position = at(Number(startOf(pair.key)));
				const first = seen.get(key);
				if (first === undefined) seen.set(key, position);
				else
					found.push({
						...position,
						message: `duplicate key ${quote(key)}, first at ${first.line}:${first.column}`,
						hint: "remove one of the two",
					});
			}
		},
	});
	return found;
}

/**
 * Offset in a file of a place inside a value. Where the file writes the value otherwise (escapes, several lines, an
 * alias), its start. `offsetWithin('- "a == b"', 2, { text: "a == b", from: 5 })` is 8.
 */
export function offsetWithin(file: string, start: number, { text, from }: Within): number {
	const begin = [start, start + 1].find((each) => file.startsWith(text, each));
	return begin === undefined ? start : begin + from;
}

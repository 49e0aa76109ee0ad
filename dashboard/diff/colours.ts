import { common, createLowlight } from "lowlight";
import { LineKind, type ParsedDiff } from "./parse-diff.ts";

/*
 * Syntax of code by its words, never as markup. Loaded when a diff is first shown: it is more script than the page itself.
 */

const lowlight = createLowlight(common);

/** The language of a file by its ending, or its whole name; null: it stays without colours. */
export function languageOf(path: string): string | null {
	const ending = path.split(/[/.]/).at(-1)?.toLowerCase() ?? "";
	return lowlight.registered(ending) ? ending : null;
}

/** A piece of a line with what it is, such as `keyword`; empty for nothing in particular. */
export interface Token {
	readonly text: string;
	readonly kind: string;
}

type Tree = ReturnType<typeof lowlight.highlight>["children"];

function addText(value: string, kind: string, lines: Token[][]): void {
	for (const [index, text] of value.split("\n").entries()) {
		if (index > 0) lines.push([]);
		if (text !== "") lines.at(-1)?.push({ text, kind });
	}
}

function collect(tree: Tree, kind: string, lines: Token[][]): void {
	for (const node of tree) {
		if (node.type === "text") {
			addText(node.value, kind, lines);
		} else if (node.type === "element") {
			const { className } = node.properties;
			const [name = ""] = Array.isArray(className) ? className : [];
			collect(node.children, String(name).replace("hljs-", ""), lines);
		}
	}
}

export function tokensOf(text: string, language: string): readonly (readonly Token[])[] {
	const lines: Token[][] = [[]];
	collect(lowlight.highlight(language, text).children, "", lines);
	return lines;
}

/** Lines of a diff that are read together, so that a text over several lines keeps its colour. */
const TOGETHER = 200;
/** A longer line stays without colours. */
const LONGEST = 500;

const isCode = (kind: LineKind): boolean =>
	kind === LineKind.context || kind === LineKind.added || kind === LineKind.removed;

export type Colouring = (line: number, path: string) => readonly Token[] | undefined;

/** Reads the lines around one that is asked for, of each side for itself, once. */
export function colouring(diff: ParsedDiff): Colouring {
	const known = new Map<number, readonly Token[]>();
	const read = (line: number, language: string): void => {
		let start = line;
		while (start % TOGETHER !== 0 && isCode(diff.kind(start - 1))) start -= 1;
		let end = line + 1;
		while (end % TOGETHER !== 0 && isCode(diff.kind(end))) end += 1;
		// The new side comes last: lines that both sides have are coloured as they are now.
		for (const left of [LineKind.added, LineKind.removed]) {
			const lines = Array.from({ length: end - start }, (_, nth) => start + nth);
			const side = lines.filter((index) => diff.kind(index) !== left);
			const texts = side.map((index) => diff.line(index).text.slice(1));
			const short = texts.map((text) => (text.length > LONGEST ? "" : text));
			const tokens = tokensOf(short.join("\n"), language);
			for (const [nth, index] of side.entries()) known.set(index, tokens[nth] ?? []);
		}
	};
	return (line, path) => {
		const language = languageOf(path);
		const { kind, text } = diff.line(line);
		if (language === null || !isCode(kind) || text.length > LONGEST) return undefined;
		if (!known.has(line)) read(line, language);
		return known.get(line);
	};
}

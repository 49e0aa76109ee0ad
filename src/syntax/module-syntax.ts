import type { ParserOptions } from "@babel/parser";

/**
 * A node of a syntax tree: its kind, its place in the text, and fields that depend on the kind. Names of kinds and fields
 * are those of the Babel AST (https://github.com/babel/babel/blob/main/packages/babel-parser/ast/spec.md).
 *
 * @example `{ type: "NumericLiteral", start: 4, end: 6, value: 42 }`
 */
export interface SyntaxNode {
	readonly type: string;
	/** Offsets in UTF-16 units; `end` is behind the last one. */
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

/** Gives the syntax tree of a JavaScript or TypeScript text, or null if it cannot be read as such. */
export type ModuleParser = (text: string, path: string) => SyntaxNode | null;

const CODE = /\.[cm]?[jt]sx?$/;
const TYPED = /\.([cm]?)ts(x?)$/;

/** True where the parser knows the language of a file, by its name. */
export function isModulePath(path: string): boolean {
	return CODE.test(path);
}

/**
 * Loads the parser, which costs some 20 ms once.
 *
 * A text that is no valid module, and one that is nested too deeply for the stack, has no tree. What follows from that is
 * for the caller to decide: such a text may still run.
 */
export async function loadModuleParser(): Promise<ModuleParser> {
	const { parse } = await import("@babel/parser");
	return (text, path) => {
		if (!isModulePath(path)) return null;
		try {
			// A file with the shape of a node, which the library types more closely than is needed here.
			return parse(text, optionsOf(path)) as unknown as SyntaxNode;
		} catch {
			return null;
		}
	};
}

function optionsOf(path: string): ParserOptions {
	const [, , jsx] = TYPED.exec(path) ?? [];
	const isTyped = jsx !== undefined;
	return {
		sourceType: "unambiguous",
		allowReturnOutsideFunction: true,
		allowAwaitOutsideFunction: true,
		allowUndeclaredExports: true,
		attachComment: false,
		plugins: [
			"decorators",
			...(isTyped ? (["typescript"] as const) : []),
			// `<T>value` is a cast in a `.ts` file and an element elsewhere.
			...(isTyped && jsx === "" ? [] : (["jsx"] as const)),
		],
	};
}

/** True for a value of a field that is a node. */
export function isSyntaxNode(value: unknown): value is SyntaxNode {
	return (
		typeof value === "object" &&
		value !== null &&
		"type" in value &&
		typeof value.type === "string" &&
		"start" in value &&
		typeof value.start === "number"
	);
}

/** The nodes directly below a node, in the order of its fields. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
	return Object.entries(node).flatMap(([field, value]): SyntaxNode[] => {
		// Comments and tokens are no syntax.
		if (field === "comments" || field === "tokens" || field === "errors") return [];
		if (Array.isArray(value)) return (value as readonly unknown[]).filter(isSyntaxNode);
		return isSyntaxNode(value) ? [value] : [];
	});
}

/** A node with the nodes that it stands in, the nearest first. */
export interface PlacedNode {
	readonly node: SyntaxNode;
	readonly above: PlacedNode | null;
}

/** All nodes of a tree, each before what stands in it, in the order of the text. Without recursion: trees can be deep. */
export function* nodesOf(root: SyntaxNode): Generator<PlacedNode> {
	const waiting: PlacedNode[] = [{ node: root, above: null }];
	for (let placed = waiting.pop(); placed !== undefined; placed = waiting.pop()) {
		yield placed;
		const below = childrenOf(placed.node).sort((one, other) => other.start - one.start);
		for (const node of below) waiting.push({ node, above: placed });
	}
}

/** Gives the line of an offset, from 1. Many offsets of a text are looked up with one reader. */
export function linesIn(text: string): (offset: number) => number {
	const ends: number[] = [];
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
	return (offset) => {
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (Number(ends[middle]) < offset) low = middle + 1;
			else high = middle;
		}
		return low + 1;
	};
}

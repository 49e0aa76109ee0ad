import { linesIn, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn } from "../../syntax/node-fields.ts";
import { calledBy, isFunction } from "./module-chain.ts";
import type { Splice } from "./splice.ts";

interface Marked {
	readonly path: string;
	readonly probe: string;
}

/** Declarations without a line of their own: they are made before the block runs, or are types. */
const SILENT =
	/^(?:FunctionDeclaration|ClassDeclaration|EmptyStatement|TS\w+|Declare\w+|Import\w+|Export\w+)$/;
/** Their functions are moved before everything else, and may use nothing that stands around them. */
const MOVED = /^(?:mock|doMock|unmock|hoisted|unstable_mockModule|evaluate|evaluateHandle)$/;

/**
 * Splices that tell the line of the statement that runs, and where an error was thrown first, within functions. Others may
 * begin at the same places: they stand behind the opening ones and before the closing ones.
 */
export function markersIn(
	placed: readonly PlacedNode[],
	text: string,
	marked: Marked,
): Readonly<Record<"opening" | "closing", readonly Splice[]>> {
	const lineOf = linesIn(text);
	const probe = `globalThis.${marked.probe}?`;
	const name = `${marked.probe}_at`;
	const path = JSON.stringify(marked.path);
	const blocks = placed
		.filter((at) => /^(?:BlockStatement|SwitchCase)$/.test(at.node.type) && isMarked(at))
		.map(({ node, above }) => {
			const statements = nodesIn(node, node.type === "SwitchCase" ? "consequent" : "body");
			return { node, statements, isBody: above !== null && isFunction(above.node) };
		})
		.filter(({ statements }) => statements.length > 0);
	return {
		opening: blocks.flatMap(({ statements, isBody }) => [
			...(isBody ? [put(statements[0]?.start ?? 0, `;const ${name}=${probe}.place();try{`)] : []),
			...statements
				.filter(({ type }) => !SILENT.test(type))
				.map(({ start }) => put(start, `;${probe}.at(${lineOf(start)},${path});`)),
		]),
		closing: blocks
			.filter(({ isBody }) => isBody)
			.map(({ node }) =>
				put(
					node.end - 1,
					`;}catch(${name}_error){${probe}.threw(${name}_error);throw ${name}_error}finally{${probe}.leave(${name})}`,
				),
			),
	};
}

const put = (at: number, text: string): Splice => ({ start: at, end: at, text });

function isMarked(placed: PlacedNode): boolean {
	let isInside = false;
	for (let { node, above } = placed; above !== null; { node, above } = above) {
		if (isFunction(node)) isInside = true;
		if (above.node.type === "CallExpression" && isArgument(above.node, node)) {
			if (MOVED.test(calledBy(above.node).name)) return false;
		}
	}
	return isInside;
}

const isArgument = (call: SyntaxNode, node: SyntaxNode): boolean => nodeIn(call, "callee") !== node;

import { linesIn, type PlacedNode } from "../../syntax/module-syntax.ts";
import { nodesIn } from "../../syntax/node-fields.ts";
import { isFunction, isMoved } from "./module-chain.ts";
import { inserted, type Splice } from "./splice.ts";

interface Marked {
	readonly path: string;
	readonly probe: string;
}

/** Declarations without a line of their own: they are made before the block runs, or are types. */
const SILENT =
	/^(?:FunctionDeclaration|ClassDeclaration|EmptyStatement|TS\w+|Declare\w+|Import\w+|Export\w+)$/;
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
			...(isBody
				? [inserted(statements[0]?.start ?? 0, `;const ${name}=${probe}.place();try{`)]
				: []),
			...statements
				.filter(({ type }) => !SILENT.test(type))
				.map(({ start }) => inserted(start, `;${probe}.at(${lineOf(start)},${path});`)),
		]),
		closing: blocks
			.filter(({ isBody }) => isBody)
			.map(({ node }) =>
				inserted(
					node.end - 1,
					`;}catch(${name}_error){${probe}.threw(${name}_error);throw ${name}_error}finally{${probe}.leave(${name})}`,
				),
			),
	};
}

function isMarked(placed: PlacedNode): boolean {
	for (let at = placed.above; at !== null; at = at.above)
		if (isFunction(at.node)) return !isMoved(placed);
	return false;
}

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

/** Splices that tell the line of the statement that runs, and where an error was thrown first, within functions. */
export function markersIn(placed: readonly PlacedNode[], text: string, marked: Marked): Splice[] {
	const lineOf = linesIn(text);
	const probe = `globalThis.${marked.probe}?`;
	const path = JSON.stringify(marked.path);
	return placed.flatMap((at): Splice[] => {
		const { node } = at;
		if (!/^(?:BlockStatement|SwitchCase)$/.test(node.type) || !isMarked(at)) return [];
		const statements = nodesIn(node, node.type === "SwitchCase" ? "consequent" : "body");
		const marks = statements
			.filter(({ type }) => !SILENT.test(type))
			.map(({ start }) => put(start, `;${probe}.at(${lineOf(start)},${path});`));
		const [first] = statements;
		if (first === undefined || at.above === null || !isFunction(at.above.node)) return marks;
		const name = `${marked.probe}_at`;
		return [
			put(first.start, `;const ${name}=${probe}.place();try{`),
			...marks,
			put(
				node.end - 1,
				`;}catch(${name}_error){${probe}.threw(${name}_error);throw ${name}_error}finally{${probe}.leave(${name})}`,
			),
		];
	});
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

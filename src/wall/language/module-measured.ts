import { nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { nodeProbe, probeName } from "../measure/node-probe.ts";
import type { MeasureRequest } from "./language.ts";
import { chainOf, endsChain, isFunction } from "./module-chain.ts";
import { testName, testNamesIn } from "./module-tests.ts";
import { isIn, type Splice, type TextRange } from "./splice.ts";

interface Source extends MeasureRequest {
	readonly placed: readonly PlacedNode[];
	/** Name of what measures. */
	readonly probe: string;
	/** Tells the place of an offset, as text of a literal. */
	readonly placeOf: (offset: number) => string;
	readonly text: string;
}

/**
 * Splices that measure a file: what it imports of the product is wrapped where it is imported, its cases and the hooks around
 * them are wrapped where they are given, and each statement says its line.
 */
export function scriptMeasured(
	tree: SyntaxNode,
	text: string,
	request: MeasureRequest,
): readonly Splice[] | null {
	const placed = [...nodesOf(tree)];
	const starts = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
	const placeOf = (offset: number): string => {
		const line = starts.filter((start) => start <= offset).length + 1;
		return JSON.stringify(`${request.path}:${line}`);
	};
	const source = { ...request, placed, text, placeOf, probe: probeName(request.token) };
	const taken = placed.flatMap(({ node }) => importSplices(node, source));
	const cases = caseSplices(source);
	if (taken.length + cases.length === 0) return null;
	const front = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
	return [
		{ start: front, end: front, text: nodeProbe(request.token) },
		...taken,
		...cases,
		...markers(source),
	];
}

const before = ({ start }: SyntaxNode, text: string): Splice => ({ start, end: start, text });
const after = ({ end }: SyntaxNode, text: string): Splice => ({ start: end, end, text });

/** Values of the product under the names that the file gives them. */
function importSplices(node: SyntaxNode, source: Source): Splice[] {
	const from = nodeIn(node, "source") ?? nodesIn(node, "arguments")[0];
	const isOfProduct = from?.type === "StringLiteral" && source.isProduct(textIn(from, "value"));
	if (!isOfProduct) return [];
	const { probe } = source;
	if (node.type === "ImportDeclaration" && node["importKind"] !== "type")
		return declared(node, source);
	if (node.type === "ImportExpression" || calls(node, "Import"))
		return [after(node, `.then((all) => ${probe}.product("", all))`)];
	if (!calls(node, "require")) return [];
	const name = JSON.stringify(nameFor(node, source));
	return [before(node, `${probe}.product(${name}, `), after(node, ")")];
}

function calls(node: SyntaxNode, name: string): boolean {
	const callee = node.type === "CallExpression" ? nodeIn(node, "callee") : null;
	return callee !== null && (callee.type === name || textIn(callee, "name") === name);
}

/** Name of a variable that holds what a call gives. */
function nameFor(node: SyntaxNode, { placed }: Source): string {
	const above = placed.find((one) => one.node === node)?.above?.node;
	return above?.type === "VariableDeclarator" ? textIn(nodeIn(above, "id"), "name") : "";
}

function declared(node: SyntaxNode, { probe, token, text }: Source): Splice[] {
	const parts = nodesIn(node, "specifiers").filter((each) => each["importKind"] !== "type");
	if (parts.length === 0) return [];
	const taken = parts.map((each) => {
		const local = textIn(nodeIn(each, "local"), "name");
		const imported = nodeIn(each, "imported");
		const given = textIn(imported, "name") || textIn(imported, "value");
		const kept = `own_${local}_${token}`;
		const as = {
			ImportSpecifier: () =>
				`${imported === null ? local : text.slice(imported.start, imported.end)} as ${kept}`,
			ImportNamespaceSpecifier: () => `* as ${kept}`,
		};
		const spelled =
			each.type === "ImportSpecifier" || each.type === "ImportNamespaceSpecifier"
				? as[each.type]()
				: kept;
		const name = given === "" || given === "default" ? local : given;
		const value = `const ${local} = ${probe}.product(${JSON.stringify(name)}, ${kept});`;
		return { splice: { start: each.start, end: each.end, text: spelled }, value };
	});
	const values = taken.map(({ value }) => value).join(" ");
	return [...taken.map(({ splice }) => splice), after(node, `; ${values}`)];
}

/** Texts of a case that cannot run twice in a process. */
const ONCE = /[sS]napshot|\bexpect\.assertions\b|\bhasAssertions\b|\.plan\s*\(/;

/** A call that declares a case or a hook, with the function that it is given. */
interface Declared {
	readonly node: SyntaxNode;
	readonly fn: SyntaxNode;
	readonly name: string;
	readonly isCase: boolean;
	/** Offsets of the groups in which it stands, innermost first. */
	readonly scopes: readonly number[];
}

function caseSplices(source: Source): Splice[] {
	const found = declaredIn(source.placed);
	const cases = found.filter(({ isCase }) => isCase).map(({ node }) => node);
	const isInner = ({ node }: Declared): boolean =>
		!cases.some((other) => other !== node && isIn(spanOf(other), spanOf(node)));
	return found.flatMap((one) =>
		one.isCase ? (isInner(one) ? caseIn(one, source) : []) : hookIn(one, source),
	);
}

function declaredIn(placed: readonly PlacedNode[]): Declared[] {
	const names = new Map(testNamesIn(placed));
	return placed.filter(endsChain).flatMap(({ node, above }) => {
		const { links } = chainOf(node);
		const last = links.at(-1);
		const fn = last?.args?.findLast(isFunction);
		if (last === undefined || fn === undefined) return [];
		const isCase = testName(links, names) !== null;
		const context = isCase ? textIn(nodesIn(fn, "params")[0] ?? null, "name") : "";
		if (context !== "") names.set(context, "library");
		return [{ node, fn, name: last.name, isCase, scopes: scopesAbove(above) }];
	});
}

function caseIn({ node, fn, scopes }: Declared, { text, probe, placeOf }: Source): Splice[] {
	const why = ONCE.test(text.slice(fn.start, fn.end)) ? ', "it cannot be repeated"' : "";
	const around = scopes.toReversed().join(", ");
	return [before(fn, `${probe}.test(${placeOf(node.start)}, [${around}], `), after(fn, `${why})`)];
}

const EACH = /^(before|after)Each$/;

function hookIn({ fn, name, scopes }: Declared, { probe }: Source): Splice[] {
	const when = EACH.exec(name)?.[1] ?? { setup: "before", teardown: "after" }[name];
	if (when === undefined) return [];
	return [before(fn, `${probe}.hook(${scopes[0] ?? 0}, "${when}", `), after(fn, ")")];
}

const spanOf = ({ start, end }: SyntaxNode): TextRange => [start, end];

/** Offsets of the groups in which something stands, innermost first, and 0 for the file. */
function scopesAbove(above: PlacedNode | null): number[] {
	const found: number[] = [];
	for (let at = above; at !== null; at = at.above)
		if (isFunction(at.node) && at.above?.node.type === "CallExpression") found.push(at.node.start);
	return [...found, 0];
}

const NO_STATEMENT = /^(?:Function|Class|Export|Import|TS\w*)\w*$|^EmptyStatement$/;
const MOCKS = /^(?:jest|vi|vitest)$/;

function markers({ placed, probe, placeOf }: Source): Splice[] {
	return placed.flatMap(({ node, above }) => {
		if (above?.node.type !== "BlockStatement" || NO_STATEMENT.test(node.type)) return [];
		const isOfBody = nodesIn(above.node, "body").includes(node);
		if (!isOfBody || isMocking(above)) return [];
		return [before(node, `;${probe}.at(${placeOf(node.start)});`)];
	});
}

/** Factories of mocks run before all else in a file. */
function isMocking(above: PlacedNode): boolean {
	for (let at: PlacedNode | null = above; at !== null; at = at.above)
		if (at.node.type === "CallExpression" && MOCKS.test(chainOf(at.node).links[0].name))
			return true;
	return false;
}

import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { importedNames } from "../integrity/bound-names.ts";
import { assertionNames } from "../integrity/test-markers.ts";
import { asserts, elementsIn, readAssertion } from "./module-assertion.ts";
import { calledBy, chainOf, endsChain, isFunction, type Link } from "./module-chain.ts";
import { type ModuleNames, settingOf } from "./module-setting.ts";
import { testName, testNamesIn } from "./module-tests.ts";
import { numberOf } from "./module-values.ts";
import { ShapeBuilder } from "./shape-builder.ts";
import { type Setting, type TestShape, TOLERANCE, throughHelper } from "./test-shape.ts";

/** What a test file in JavaScript or TypeScript asserts. */
export function moduleShape(tree: SyntaxNode, text: string): TestShape {
	const library = new Set(assertionNames(text));
	const placed = [...nodesOf(tree)];
	const lineOf = linesIn(text);
	const names = namesIn(placed);
	const functions = ownFunctions(placed, text);
	const shape = new ShapeBuilder();
	for (const at of placed) {
		const { node } = at;
		const line = lineOf(node.start);
		if (node.type === "ThrowStatement") shape.thrown(settingOf(at, names), line);
		if (!endsChain(at)) continue;
		const chain = chainOf(node);
		const { links } = chain;
		const name = testName(links, names.tests);
		if (name !== null) shape.test({ name, line, isEmpty: isEmpty(links.at(-1)?.args ?? []) });
		const setting = settingOf(at, names);
		const own = ownFunctionIn(links, functions);
		const isAssertion = asserts(chain, library);
		const said = own === null ? readAssertion : () => throughHelper(own);
		if (isAssertion) shape.assertion(said(at, text), setting, line);
		if (own !== null || !isAssertion) shape.call(...calledIn(links, setting));
	}
	const shadowed = shadowedIn(placed, library).map(lineOf);
	return shape.built({ shadowed, tolerances: tolerancesIn(placed) });
}

const ownFunctionIn = (
	[first, ...rest]: readonly Link[],
	own: ReadonlySet<string>,
): string | null =>
	first !== undefined && rest.length === 0 && own.has(first.name) ? first.name : null;

/** The last call of a chain, with the elements of the largest list that it is given. */
function calledIn(links: readonly Link[], setting: Setting): [string, Setting, number] {
	const called = links.findLast(({ args }) => args !== null);
	return [called?.name ?? "", setting, Math.max(1, ...(called?.args ?? []).map(elementsIn))];
}

/** Functions of the project: those of the file, and those that it imports from other files. */
function ownFunctions(placed: readonly PlacedNode[], text: string): ReadonlySet<string> {
	const imported = importedNames("a.js", text).filter(({ module }) => /^[./#]/.test(module));
	const defined = placed.flatMap(({ node }) => {
		const value = node.type === "VariableDeclarator" ? nodeIn(node, "init") : node;
		const isNamed = value !== null && isFunction(value);
		return isNamed ? [textIn(nodeIn(node, "id"), "name")] : [];
	});
	return new Set([...imported.map(({ name }) => name), ...defined]);
}

function isEmpty(args: readonly SyntaxNode[]): boolean {
	const fn = args.find(isFunction);
	const body = fn === undefined ? null : nodeIn(fn, "body");
	return body?.type === "BlockStatement" && nodesIn(body, "body").length === 0;
}

function namesIn(placed: readonly PlacedNode[]): ModuleNames {
	const mentions = new Map<string, number>();
	const lists = new Map<string, number>();
	for (const { node } of placed) {
		if (/^(?:JSX)?Identifier$/.test(node.type)) {
			const name = textIn(node, "name");
			mentions.set(name, (mentions.get(name) ?? 0) + 1);
		}
		const list = node.type === "VariableDeclarator" ? nodeIn(node, "init") : null;
		if (list?.type === "ArrayExpression")
			lists.set(textIn(nodeIn(node, "id"), "name"), nodesIn(list, "elements").length);
	}
	return { mentions, lists, tests: testNamesIn(placed) };
}

function tolerancesIn(placed: readonly PlacedNode[]): Map<string, number> {
	const found = new Map<string, number>();
	for (const { node } of placed) {
		const name = textIn(nodeIn(node, "id") ?? nodeIn(node, "key"), "name");
		const value = numberOf(nodeIn(node, "init") ?? nodeIn(node, "value") ?? undefined);
		if (value !== null && TOLERANCE.test(name)) found.set(name, value);
	}
	return found;
}

const LIBRARY =
	/^(?:node:)?assert(?:\/strict)?$|^(?:chai|expect|vitest|@jest\/globals|should|uvu\/assert|power-assert)$/;
const MOCKERS = /^(?:mock|doMock|unstable_mockModule|module|replace)$/;
const MATCHER =
	/^(?:toBe|toEqual|toStrictEqual|toBeCloseTo|toMatch|toMatchObject|toContain|toThrow|toHaveLength|toBeTruthy|toBeDefined|toMatchSnapshot)$/;

/** Offsets of what replaces an assertion of a library: a definition, an assignment, a mock, a matcher of the same name. */
function shadowedIn(placed: readonly PlacedNode[], library: ReadonlySet<string>): number[] {
	const isOwn = (name: string): boolean => /^(?:assert|expect)$/.test(name) || library.has(name);
	const throws = (fn: SyntaxNode): boolean =>
		[...nodesOf(fn)].some(({ node }) => node.type === "ThrowStatement");
	return placed.flatMap(({ node }) => {
		const name = textIn(nodeIn(node, "id"), "name");
		const value = node.type === "VariableDeclarator" ? nodeIn(node, "init") : node;
		const isMade = value !== null && (isFunction(value) || value.type === "ObjectExpression");
		if (isMade && isOwn(name)) return throws(value) ? [] : [node.start];
		return replacesPart(node, isOwn) ? [node.start] : [];
	});
}

function replacesPart(node: SyntaxNode, isOwn: (name: string) => boolean): boolean {
	if (node.type === "AssignmentExpression") {
		const target = nodeIn(node, "left");
		if (target === null) return false;
		const { links } = chainOf(target);
		return isOwn(links[0].name) || links.some(({ name }) => /^assert(?:Equal|ion)?s?$/.test(name));
	}
	if (!/CallExpression$/.test(node.type)) return false;
	const { name: called } = calledBy(node);
	const [first] = nodesIn(node, "arguments");
	if (first === undefined) return false;
	// The whole chain is looked at where it matters only: each of its calls comes by here.
	const isOf = (root: RegExp): boolean => root.test(chainOf(node).links[0].name);
	if (MOCKERS.test(called) && isOf(/^(?:vi|vitest|jest|mock|td|t)$/))
		return LIBRARY.test(textIn(first, "value"));
	if (/^(?:assign|defineProperty|defineProperties|setPrototypeOf)$/.test(called))
		return isOwn(chainOf(first).links[0].name);
	if (/^(?:spyOn|method|stub|replace)$/.test(called)) return isOwn(textIn(first, "name"));
	return called === "extend" && isOf(/^expect/) && overrides(first);
}

function overrides(matchers: SyntaxNode): boolean {
	return nodesIn(matchers, "properties").some((each) =>
		MATCHER.test(textIn(nodeIn(each, "key"), "name")),
	);
}

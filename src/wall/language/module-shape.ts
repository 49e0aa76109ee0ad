import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { assertionNames, moduleImports } from "./bound-names.ts";
import { type Chain, calledBy, chainOf, endsChain, isFunction, type Link } from "./module-chain.ts";
import { isUnheard, type ModuleNames, settingOf } from "./module-setting.ts";
import { testName, testNamesIn } from "./module-tests.ts";
import { calls, isConstant, literalOf, truthOf } from "./module-values.ts";
import {
	ASSERTING,
	type Said,
	type Setting,
	ShapeBuilder,
	type TestShape,
	throughHelper,
	unspaced,
} from "./test-shape.ts";

interface Parts {
	readonly matcher: string;
	readonly isNegated: boolean;
	readonly subject: SyntaxNode | undefined;
	readonly expected: readonly SyntaxNode[];
	readonly isExpect: boolean;
}

const SILENT =
	/^(?:extend|assertions|hasAssertions|any|anything|\w+Containing|stringMatching|closeTo|addSnapshotSerializer|addEqualityTesters|getState|setState|AssertionError|configure)$/;

/** Assertions of the parameter of a test, as AVA, tap and QUnit have them. */
const OF_TEST =
	/^(?:is|not|equals?|notEqual|same|notSame|strictSame|deepEquals?|notDeepEqual|like|true|false|truthy|falsy|ok|notOk|throws|throwsAsync|rejects|match|regex|snapshot|pass|fail)$/;

function asserts({ links }: Chain, library: ReadonlySet<string>): boolean {
	const [first, ...rest] = links;
	const last = links.at(-1);
	if (SILENT.test(rest[0]?.name ?? "") || last === undefined) return false;
	if (library.has(first.name) || ASSERTING.test(first.name)) {
		// `expect(a)` alone compares nothing; `expect(a).to.be.true` is a property.
		if (first.args !== null && /^expect/.test(first.name) && first.name.length < 7)
			return rest.length > (last.args === null ? 1 : 0);
		return last.args !== null;
	}
	if (first.name === "t" && OF_TEST.test(rest[0]?.name ?? "")) return last.args !== null;
	return rest.some(({ name }) => name === "should" || ASSERTING.test(name)) && isCalled(rest);
}

function isCalled(links: readonly Link[]): boolean {
	return links.some(({ args }) => args !== null) || links.some(({ name }) => name === "should");
}

function readAssertion(placed: PlacedNode, text: string): Said {
	const chain = chainOf(placed.node);
	const parts = partsOf(chain);
	const { subject } = parts;
	const textOf = (node: SyntaxNode | undefined): string =>
		node === undefined ? "" : unspaced(text.slice(node.start, node.end));
	const isSelf =
		subject !== undefined &&
		parts.expected[0] !== undefined &&
		textOf(subject) === textOf(parts.expected[0]);
	const isLate = isAsync(chain.links, parts.matcher) && isUnheard(placed);
	return {
		weight: elementsIn(subject),
		through: null,
		flaw: isLate ? "unawaited" : isFixed(parts, isSelf) ? "constant" : null,
	};
}

function partsOf({ links, root }: Chain): Parts {
	const [first] = links;
	const last = links.findLast(({ args }) => args !== null) ?? first;
	const isShould = links.some(({ name }) => name === "should");
	const isExpect = isShould || (first !== last && first.args !== null);
	const args = last.args ?? [];
	return {
		matcher: isExpect ? (links.at(-1)?.name ?? "") : last.name,
		isNegated: links.some(({ name }) => name === "not"),
		subject: isShould ? root : isExpect ? first.args?.[0] : args[0],
		expected: isExpect ? (links.at(-1)?.args ?? []) : args.slice(1),
		isExpect,
	};
}

const isAsync = (links: readonly Link[], matcher: string): boolean =>
	links.some(({ name }) => /^(?:resolves|rejects)$/.test(name)) || matcher === "doesNotReject";

const THROWING = /^(?:throws|rejects|toThrow\w*|throw|throwsAsync|refuses)$/;

function elementsIn(node: SyntaxNode | undefined): number {
	if (node?.type === "ArrayExpression") return Math.max(1, nodesIn(node, "elements").length);
	if (node?.type === "ObjectExpression") return Math.max(1, nodesIn(node, "properties").length);
	return 1;
}

function isFixed(parts: Parts, isSelf: boolean): boolean {
	const { matcher, subject, expected, isExpect } = parts;
	if (subject === undefined || /^(?:fail|unreachable|pass)$/.test(matcher)) return false;
	if (THROWING.test(matcher)) return isFunction(subject) && throwsItself(subject);
	if (
		/^(?:ok|assert|isOk|truthy|toBeTruthy|toBeDefined)$/.test(matcher) &&
		truthOf(subject) === true
	)
		return true;
	if (isWrong(parts)) return false;
	if (isSelf && !calls(subject)) return true;
	if (!isConstant(subject)) return false;
	return isExpect || expected[0] === undefined || isConstant(expected[0]);
}

/** Tells whether an assertion about values that are written down does not hold: such a test always fails. */
function isWrong({ matcher, isNegated, subject, expected: [expected] }: Parts): boolean {
	const [value, other] = [literalOf(subject), literalOf(expected)];
	const isNot = isNegated || /not/i.test(matcher);
	if (expected === undefined || /^(?:ok|assert)$/.test(matcher)) {
		const truth = subject === undefined ? null : truthOf(subject);
		return truth !== null && truth === (isNot || /false|falsy/i.test(matcher));
	}
	if (value === undefined || other === undefined) return false;
	return /^(?:be|is|equals?|same|eq)$|equal|toBe$/i.test(matcher) && (value === other) === isNot;
}

function throwsItself(fn: SyntaxNode): boolean {
	const body = nodeIn(fn, "body");
	return body !== null && nodesIn(body, "body").some(({ type }) => type === "ThrowStatement");
}

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
	return shape.built(shadowed);
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

function ownFunctions(placed: readonly PlacedNode[], text: string): ReadonlySet<string> {
	const imported = moduleImports(text).filter(({ module }) => /^[./#]/.test(module));
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

import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { type Chain, chainOf, isFunction, type Link } from "./module-chain.ts";
import { isUnheard } from "./module-setting.ts";
import { calls, isConstant, literalOf, numberOf, truthOf } from "./module-values.ts";
import { ASSERTING, type Said, type Strength, unspaced } from "./test-shape.ts";

/** What an assertion is about. */
interface Parts {
	readonly matcher: string;
	readonly isNegated: boolean;
	readonly subject: SyntaxNode | undefined;
	readonly expected: readonly SyntaxNode[];
	readonly isExpect: boolean;
}

/** Parts of `expect` that assert nothing. */
const SILENT =
	/^(?:extend|assertions|hasAssertions|any|anything|\w+Containing|stringMatching|closeTo|addSnapshotSerializer|addEqualityTesters|getState|setState|AssertionError|configure)$/;

/** Assertions of the parameter of a test, as AVA, tap and QUnit have them. */
const OF_TEST =
	/^(?:is|not|equals?|notEqual|same|notSame|strictSame|deepEquals?|notDeepEqual|like|true|false|truthy|falsy|ok|notOk|throws|throwsAsync|rejects|match|regex|snapshot|pass|fail)$/;

/** Whether a chain asserts something. */
export function asserts({ links }: Chain, library: ReadonlySet<string>): boolean {
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

/** Reads an assertion. */
export function readAssertion(placed: PlacedNode, text: string): Said {
	const chain = chainOf(placed.node);
	const parts = partsOf(chain);
	const { subject } = parts;
	const { strength, about } = strengthOf(parts);
	const shown = about ?? subject;
	const textOf = (node: SyntaxNode | undefined): string =>
		node === undefined ? "" : unspaced(text.slice(node.start, node.end));
	const isSelf =
		shown !== undefined &&
		parts.expected[0] !== undefined &&
		textOf(subject) === textOf(parts.expected[0]);
	const isLate = isAsync(chain.links, parts.matcher) && isUnheard(placed);
	return {
		subject: textOf(shown),
		strength: isSelf ? 1 : strength,
		tolerance: toleranceOf(parts),
		weight: strength === 3 ? elementsIn(subject) : 1,
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

const VAGUE =
	/^(?:ok|assert|isOk|truthy|falsy|toBeTruthy|toBeFalsy|toBeDefined|toBeTypeOf|toBeInstanceOf|toBeAn?|isDefined|exists?|isString|isNumber|isObject|isFunction|isArray|typeOf|instanceOf|an?|not\w*|doesNot\w+|toHaveBeenCalled|toBeCalled|called|pass)$/;
const PARTIAL =
	/^(?:toBeCloseTo|closeTo|approximately|toMatchObject|toContain\w*|toMatch|match|matches|includes?|contains?|like|partialDeepStrictEqual|toHaveLength|toHaveProperty|property|toBeGreaterThan\w*|toBeLessThan\w*|isAbove|isBelow|above|below|within|gte?|lte?|toSatisfy|satisfies|toBeOneOf|oneOf)$/;
const THROWING = /^(?:throws|rejects|toThrow\w*|throw|throwsAsync|refuses)$/;

/** What a value is looked at through: its kind, whether there is one, its length. */
function seenThrough(
	node: SyntaxNode | undefined,
): { readonly strength: Strength; readonly about: SyntaxNode } | null {
	if (node === undefined) return null;
	const argument = nodeIn(node, "argument");
	if (
		node.type === "UnaryExpression" &&
		argument !== null &&
		/^(?:typeof|!)$/.test(textIn(node, "operator"))
	)
		return { strength: 1, about: seenThrough(argument)?.about ?? argument };
	const { links } = chainOf(node);
	const last = links.at(-1);
	const [first] = last?.args ?? [];
	if (
		first !== undefined &&
		/^(?:Boolean|isArray|isInteger|isFinite|isNaN)$/.test(last?.name ?? "")
	)
		return { strength: 1, about: first };
	const object = nodeIn(node, "object");
	return object !== null && last?.args === null && /^(?:length|size)$/.test(last.name)
		? { strength: 2, about: object }
		: null;
}

/** How much an assertion says, and what it is about where that is a part of its subject. */
function strengthOf(parts: Parts): { readonly strength: Strength; readonly about?: SyntaxNode } {
	const seen = seenThrough(parts.subject);
	if (seen === null) return plainStrength(parts);
	const { strength } = plainStrength(parts);
	return { ...seen, strength: Math.min(strength, seen.strength) };
}

function plainStrength(parts: Parts): { readonly strength: Strength; readonly about?: SyntaxNode } {
	const { matcher, isNegated, subject, expected } = parts;
	if (isNegated) return { strength: 1 };
	if (THROWING.test(matcher)) return { strength: expected.length > 0 ? 3 : 2 };
	if (VAGUE.test(matcher)) {
		const compared = subject?.type === "BinaryExpression" ? comparedIn(subject) : null;
		return compared ?? { strength: 1 };
	}
	if (PARTIAL.test(matcher)) return { strength: 2 };
	// `toBe(true)` says no more than `toBeTruthy()` to whom a linter told to write it so.
	return { strength: expected[0]?.type === "BooleanLiteral" ? 1 : 3 };
}

function comparedIn(
	node: SyntaxNode,
): { readonly strength: Strength; readonly about: SyntaxNode } | null {
	const about = nodeIn(node, "left");
	const operator = textIn(node, "operator");
	if (about === null) return null;
	if (/^===?$/.test(operator)) return { strength: 3, about };
	return /^[<>]=?$|^in$/.test(operator) ? { strength: 2, about } : null;
}

/** Elements of a list or an object that is written down. */
export function elementsIn(node: SyntaxNode | undefined): number {
	if (node?.type === "ArrayExpression") return Math.max(1, nodesIn(node, "elements").length);
	if (node?.type === "ObjectExpression") return Math.max(1, nodesIn(node, "properties").length);
	return 1;
}

function toleranceOf({ matcher, expected }: Parts): number | null {
	if (matcher === "toBeCloseTo") {
		const digits = expected.length > 1 ? numberOf(expected[1]) : 2;
		return digits === null ? null : 10 ** -digits / 2;
	}
	return /^(?:closeTo|approximately)$/.test(matcher) ? numberOf(expected[1]) : null;
}

/** Whether an assertion is about what is so in any case. */
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

/** Whether a function throws in any case, whatever it calls before. */
function throwsItself(fn: SyntaxNode): boolean {
	const body = nodeIn(fn, "body");
	return body !== null && nodesIn(body, "body").some(({ type }) => type === "ThrowStatement");
}

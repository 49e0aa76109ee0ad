import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import type { Condition, Expression } from "./expression.ts";
import { and, firstThatHolds, holds, not, or, type Truth } from "./holds.ts";
import { parseCondition, typeOf } from "./parse-condition.ts";
import {
	type ConditionValues,
	VARIABLES,
	type ValueType,
	type VariableName,
	variable,
} from "./variables.ts";

function condition(text: string): Condition {
	const parsed = parseCondition(text);
	if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.problems)}`);
	return parsed.condition;
}

const values = (known: Partial<ConditionValues> = {}): ConditionValues => ({
	"findings.open": 0,
	"findings.blocking": 0,
	"loop.turn": 1,
	...known,
});
const ask = (text: string, known: Partial<ConditionValues> = {}): boolean | "unknown" =>
	holds(condition(text), values(known));

describe("a variable without a value is unknown", () => {
	test.each([
		["pair.challenger_approved == true", "unknown"],
		["pair.challenger_approved != true", "unknown"],
		["!pair.challenger_approved", "unknown"],
		["!(confidence_score >= 0.8)", "unknown"],
		["confidence_score >= 0.8", "unknown"],
		["pair.challenger_approved || true", true],
		["true || pair.challenger_approved", true],
		["pair.challenger_approved && false", false],
		["pair.challenger_approved && true", "unknown"],
		["pair.challenger_approved || !pair.challenger_approved", "unknown"],
		["pair.iteration == pair.iteration", "unknown"],
		["pair.iteration in [1, 2]", "unknown"],
		["pair.iteration in []", false],
		["1 in [pair.iteration, 1]", true],
		["2 in [pair.iteration, 1]", "unknown"],
		['gate.verdict == "PASS" || findings.open == 0', true],
	] as const)("%s is %s", (text, expected) => {
		expect(ask(text)).toBe(expected);
	});
});

describe("a broken number is not a value, so nothing holds because of it", () => {
	const broken = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1];
	test.each([...broken, 1.5, 2 ** 53])("a count of %s", (count) => {
		for (const text of [
			"findings.blocking < 1",
			"findings.blocking >= 1",
			"findings.blocking == 0",
		])
			expect(ask(text, { "findings.blocking": count })).toBe("unknown");
	});
	test.each([...broken, 1.000_1])("a score of %s", (score) => {
		for (const text of ["confidence_score >= 0.8", "!(confidence_score >= 0.8)"])
			expect(ask(text, { confidence_score: score })).toBe("unknown");
	});
	test("a value of another type, or one that is only inherited", () => {
		const odd: unknown = { confidence_score: "1", "hil.resolved": 1, "gate.verdict": "pass" };
		const inherited: unknown = Object.create({ ...values(), "hil.resolved": true });
		for (const text of ["confidence_score > 0.5", "hil.resolved", 'gate.verdict != "FAIL"']) {
			// Both stand for rows that were written by something else; the types cannot say so.
			expect(holds(condition(text), odd as ConditionValues)).toBe("unknown");
			expect(holds(condition(text), inherited as ConditionValues)).toBe("unknown");
		}
	});
});

test("known values decide", () => {
	expect(ask("confidence_score >= 0.85", { confidence_score: 0.85 })).toBe(true);
	expect(ask("confidence_score >= 1.0", { confidence_score: 1 })).toBe(true);
	expect(ask("confidence_score > 1.0", { confidence_score: 1 })).toBe(false);
	expect(ask("loop.turn <= 2 && loop.turn < 2")).toBe(true);
	expect(ask('gate.verdict == "PASS"', { "gate.verdict": "FAIL" })).toBe(false);
	expect(ask("pair.challenger_approved > false", { "pair.challenger_approved": true })).toBe(true);
	expect(ask('"a" < "b" && "b" >= "a" && !("a" > "b")')).toBe(true);
});

test("of several conditions any one that is true counts, and unknown does not", () => {
	const both = ["pair.challenger_approved == true", "confidence_score >= 0.85"].map(condition);
	expect(firstThatHolds(both, values())).toBeUndefined();
	expect(firstThatHolds(both, values({ "pair.challenger_approved": false }))).toBeUndefined();
	expect(firstThatHolds(both, values({ confidence_score: 0.9 }))?.text).toBe(
		"confidence_score >= 0.85",
	);
	expect(firstThatHolds([], values())).toBeUndefined();
});

test("a tree that no check has seen gives no truth that its types do not allow", () => {
	const span = { from: 0, to: 0 };
	const two: Expression = { kind: "literal", type: "int", value: 2, ...span };
	const trees: Expression[] = [
		two,
		{ kind: "variable", name: "pair.constructor", ...span },
		{ kind: "not", operand: two, ...span },
		{ kind: "pair", operator: "||", left: two, right: two, ...span },
	];
	for (const expression of trees) expect(holds({ text: "", expression }, values())).toBe("unknown");
});

test("a part that no case knows is a bug and says so", () => {
	const odd = { kind: "surprise", from: 0, to: 0 } as never;
	expect(() => holds({ text: "", expression: odd }, values())).toThrow("unexpected value");
	expect(() => typeOf(odd, [])).toThrow("unexpected value");
});

// Random conditions: the text, with as few brackets as the grammar allows, and what it comes to by another way of
// counting: 0 is false, 1 is true and 0.5 is unknown; then "and" is the least, "or" the greatest and "not" the rest to
// 1.

interface Sample {
	readonly text: string;
	/** How tightly it binds: 0 for `||`, 1 for `&&`, 2 for comparisons, 3 for the rest. */
	readonly binds: number;
	readonly truth: (known: ConditionValues) => number;
}

const inBrackets = ({ text, binds }: Sample, least: number): string =>
	binds < least ? `(${text})` : text;

const names = (type: ValueType): VariableName[] =>
	(Object.keys(VARIABLES) as VariableName[]).filter((name) => variable(name).type === type);

type Known = boolean | number | string | undefined;
type Side = readonly [text: string, value: (known: ConditionValues) => Known];

const asked = (name: VariableName): Side => [name, (known) => known[name]];
const constant = (text: string, value: Known): Side => [text, () => value];

const COMPARED: Readonly<Record<string, (far: number) => boolean>> = {
	"==": (far) => far === 0,
	"!=": (far) => far !== 0,
	"<": (far) => far < 0,
	"<=": (far) => far <= 0,
	">": (far) => far > 0,
	">=": (far) => far >= 0,
};

function far(left: Known, right: Known): number | undefined {
	if (left === undefined || right === undefined) return undefined;
	if (left === right) return 0;
	return left < right ? -1 : 1;
}

function compared(type: ValueType, constants: readonly Side[]): fc.Arbitrary<Sample> {
	const side = fc.constantFrom(...names(type).map(asked), ...constants);
	const operator = fc.constantFrom(...Object.keys(COMPARED));
	return fc.tuple(side, operator, side).map(([[left, a], sign, [right, b]]) => ({
		text: `${left} ${sign} ${right}`,
		binds: 2,
		truth: (known) => {
			const distance = far(a(known), b(known));
			return distance === undefined ? 0.5 : Number(COMPARED[sign]?.(distance));
		},
	}));
}

function listed(type: ValueType, constants: readonly Side[]): fc.Arbitrary<Sample> {
	const side = fc.constantFrom(...names(type).map(asked), ...constants);
	return fc.tuple(side, fc.array(side, { maxLength: 3 })).map(([[left, a], items]) => ({
		text: `${left} in [${items.map(([text]) => text).join(", ")}]`,
		binds: 2,
		truth: (known) =>
			Math.max(
				0,
				...items.map(([, b]) => {
					const distance = far(a(known), b(known));
					return distance === undefined ? 0.5 : Number(distance === 0);
				}),
			),
	}));
}

const counts = [constant("0", 0), constant("1", 1), constant("3", 3)];
const scores = [constant("0.0", 0), constant("0.5", 0.5), constant("1.0", 1)];

const leaf: fc.Arbitrary<Sample> = fc.oneof(
	compared("int", counts),
	compared("double", scores),
	compared("bool", [constant("true", true), constant("false", false)]),
	listed("int", counts),
	listed("double", scores),
	fc.constantFrom(...names("bool")).map((name) => ({
		text: name,
		binds: 3,
		truth: (known: ConditionValues) => (known[name] === undefined ? 0.5 : Number(known[name])),
	})),
	fc.constantFrom("PASS", "FAIL").map((word) => ({
		text: `gate.verdict == '${word}'`,
		binds: 2,
		truth: ({ "gate.verdict": verdict }: ConditionValues) =>
			verdict === undefined ? 0.5 : Number(verdict === word),
	})),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
	sample: fc.oneof(
		{ depthSize: "small", withCrossShrink: true, maxDepth: 4 },
		leaf,
		tie("sample").map((operand) => ({
			text: `!${inBrackets(operand, 3)}`,
			binds: 3,
			truth: (known: ConditionValues) => 1 - operand.truth(known),
		})),
		fc.tuple(tie("sample"), tie("sample")).map(([left, right]) => ({
			text: `${inBrackets(left, 1)} && ${inBrackets(right, 2)}`,
			binds: 1,
			truth: (known: ConditionValues) => Math.min(left.truth(known), right.truth(known)),
		})),
		fc.tuple(tie("sample"), tie("sample")).map(([left, right]) => ({
			text: `${inBrackets(left, 0)} || ${inBrackets(right, 1)}`,
			binds: 0,
			truth: (known: ConditionValues) => Math.max(left.truth(known), right.truth(known)),
		})),
		fc.tuple(tie("sample"), tie("sample")).map(([left, right]) => ({
			text: `${inBrackets(left, 2)} == ${inBrackets(right, 3)}`,
			binds: 2,
			truth: (known: ConditionValues) => {
				const [a, b] = [left.truth(known), right.truth(known)];
				return a === 0.5 || b === 0.5 ? 0.5 : Number(a === b);
			},
		})),
	),
}));

function anyValue(name: VariableName): fc.Arbitrary<boolean | number | string> {
	const { type, choices = [] } = variable(name);
	if (type === "string") return fc.constantFrom(...choices);
	if (type === "bool") return fc.boolean();
	return type === "int" ? fc.nat(4) : fc.constantFrom(0, 0.25, 0.5, 0.8, 1);
}

/** Any of the values; what is left out is unknown, the counts of the loop too. */
const someKnown = fc.record(
	Object.fromEntries(
		(Object.keys(VARIABLES) as VariableName[]).map((name) => [name, anyValue(name)]),
	),
	{ requiredKeys: [] },
	// Every name has a value of its type or none, which the mapped type of the library cannot see.
) as unknown as fc.Arbitrary<ConditionValues>;

test("what a condition comes to is Kleene's logic over its comparisons", () => {
	fc.assert(
		fc.property(sample, someKnown, ({ text, truth }, known) => {
			const expected = truth(known);
			expect(holds(condition(text), known), text).toBe(
				expected === 0.5 ? "unknown" : expected === 1,
			);
		}),
		{ numRuns: amount(3_000) },
	);
});

test("learning a value never turns a known answer into another", () => {
	fc.assert(
		fc.property(sample, someKnown, someKnown, ({ text }, few, more) => {
			const before = holds(condition(text), few);
			const after = holds(condition(text), { ...more, ...few });
			expect(before === "unknown" || before === after).toBe(true);
		}),
		{ numRuns: amount(2_000) },
	);
});

const ALL: readonly Truth[] = [true, false, undefined];
const triples = ALL.flatMap((a) => ALL.flatMap((b) => ALL.map((c) => [a, b, c] as const)));

test("the tables are Kleene's", () => {
	expect(ALL.map((a) => ALL.map((b) => and(a, b)))).toEqual([
		[true, false, undefined],
		[false, false, false],
		[undefined, false, undefined],
	]);
	expect(ALL.map((a) => ALL.map((b) => or(a, b)))).toEqual([
		[true, true, true],
		[true, false, undefined],
		[true, undefined, undefined],
	]);
	expect(ALL.map(not)).toEqual([false, true, undefined]);
});

test.each(triples)("the laws of logic hold for %s, %s, %s", (a, b, c) => {
	expect(and(a, b)).toBe(and(b, a));
	expect(or(a, b)).toBe(or(b, a));
	expect(and(a, and(b, c))).toBe(and(and(a, b), c));
	expect(or(a, or(b, c))).toBe(or(or(a, b), c));
	expect(and(a, or(b, c))).toBe(or(and(a, b), and(a, c)));
	expect(or(a, and(b, c))).toBe(and(or(a, b), or(a, c)));
	expect(not(and(a, b))).toBe(or(not(a), not(b)));
	expect(not(or(a, b))).toBe(and(not(a), not(b)));
	expect(and(a, or(a, b))).toBe(a);
	expect(or(a, and(a, b))).toBe(a);
	expect(not(not(a))).toBe(a);
	expect([and(a, true), or(a, false), and(a, a), or(a, a)]).toEqual([a, a, a, a]);
});

test("what is excluded in two values is unknown in three", () => {
	expect(or(undefined, not(undefined))).toBeUndefined();
	expect(and(undefined, not(undefined))).toBeUndefined();
});

import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "./evaluate.ts";
import type { Condition, Expression } from "./expression.ts";
import { firstThatHolds, holds } from "./holds.ts";
import { pairOf } from "./pair-of.ts";
import { parseCondition } from "./parse-condition.ts";
import { typeOf } from "./type-of.ts";
import type { ConditionValues, ValueType, VariableName } from "./variables.ts";
import { VARIABLES, variable } from "./variables.ts";

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
		["pair.iteration + 1 > 0", "unknown"],
		["-pair.iteration > 0", "unknown"],
		["pair.iteration in [1, 2]", "unknown"],
		["pair.iteration in []", false],
		["1 in [pair.iteration, 1]", true],
		["2 in [pair.iteration, 1]", "unknown"],
		["pair.challenger_approved ? true : false", "unknown"],
		["pair.challenger_approved ? loop.turn == 1 : true", true],
		["(pair.challenger_approved ? 2 : 2) == 2", true],
		["(pair.challenger_approved ? pair.iteration : pair.iteration) == 2", "unknown"],
		["false ? pair.challenger_approved : true", true],
		['gate.verdict == "PASS" || findings.open == 0', true],
	] as const)("%s is %s", (text, expected) => {
		expect(ask(text)).toBe(expected);
	});
});

describe("a broken number is no value, so nothing holds because of it", () => {
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
	test.each([
		"1 / findings.open > 0",
		"1 % findings.open == 0",
		"!(confidence_score / confidence_score > 0.5)",
		"loop.turn * 9223372036854775807 * 2 > 0",
	])("a calculation without a result: %s", (text) => {
		expect(ask(text, { confidence_score: 0 })).toBe("unknown");
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
	const two: Expression = { kind: "literal", type: "int", value: "2", ...span };
	const text: Expression = { kind: "literal", type: "string", value: "2", ...span };
	const trees: Expression[] = [
		two,
		{ kind: "not", operand: two, ...span },
		{ kind: "negate", operand: text, ...span },
		{ kind: "logic", operator: "||", left: two, right: two, ...span },
	];
	for (const expression of trees) expect(holds({ text: "", expression }, values())).toBe("unknown");
});

test("a part that no case knows is a bug and says so", () => {
	const span = { from: 0, to: 0 };
	const one: Expression = { kind: "literal", type: "int", value: "1", ...span };
	const odd = { kind: "surprise", ...span } as never;
	expect(() => evaluate(odd, values())).toThrow("unexpected value");
	expect(() => typeOf(odd, [])).toThrow("unexpected value");
	expect(() => pairOf("surprise" as never, one, one, span)).toThrow("unexpected value");
});

// Random conditions, as texts with the type that they ought to have.

const names = (type: ValueType): VariableName[] =>
	(Object.keys(VARIABLES) as VariableName[]).filter((name) => variable(name).type === type);

type Texts = Record<ValueType, string>;

const { bool } = fc.letrec<Texts>((tie) => {
	const pick = fc.constantFrom;
	const infix = <L extends keyof Texts, R extends keyof Texts>(
		left: L,
		operators: readonly string[],
		right: R,
	) =>
		fc
			.tuple(tie(left), pick(...operators), tie(right))
			.map(([a, operator, b]) => `(${a} ${operator} ${b})`);
	const choice = <K extends keyof Texts>(type: K) =>
		fc.tuple(tie("bool"), tie(type), tie(type)).map(([c, a, b]) => `(${c} ? ${a} : ${b})`);
	const among = <K extends keyof Texts>(type: K) =>
		fc
			.tuple(tie(type), fc.array(tie(type), { maxLength: 3 }))
			.map(([item, list]) => `(${item} in [${list.join(", ")}])`);
	const numeric = ["int", "double"] as const;
	const order = ["<", "<=", ">", ">="];
	const equality = ["==", "!="];
	const deep = { depthSize: "small", withCrossShrink: true, maxDepth: 3 } as const;
	const tree = <T>(...[first, ...others]: [fc.Arbitrary<T>, ...fc.Arbitrary<T>[]]) =>
		fc.oneof(deep, first, ...others);
	return {
		bool: tree(
			pick(...names("bool"), "true", "false"),
			...numeric.map((type) => infix(type, order, type)),
			...(["bool", "int", "double", "string"] as const).map((type) => infix(type, equality, type)),
			infix("string", order, "string"),
			infix("bool", order, "bool"),
			infix("bool", ["&&", "||"], "bool"),
			infix("bool", ["&&", "||"], "bool"),
			tie("bool").map((a) => `!${a}`),
			choice("bool"),
			...numeric.map(among),
		),
		int: tree(
			fc.oneof(pick(...names("int")), fc.nat(4).map(String)),
			infix("int", ["+", "-", "*", "/", "%"], "int"),
			tie("int").map((a) => `(-${a})`),
			choice("int"),
		),
		double: tree(
			fc.oneof(pick(...names("double")), pick("0.0", "0.25", "0.5", "1.0")),
			infix("double", ["+", "-", "*"], "double"),
			tie("double").map((a) => `(-${a})`),
			choice("double"),
		),
		// Joined to nothing, so that any text may be compared with it.
		string: tree(pick(...names("string").map((name) => `(${name} + "")`), '"PASS"', '"approve"')),
	};
});

function anyValue(name: VariableName): fc.Arbitrary<boolean | number | string> {
	const { type, choices = [] } = variable(name);
	if (type === "string") return fc.constantFrom(...choices);
	if (type === "bool") return fc.boolean();
	return type === "int" ? fc.nat(4) : fc.constantFrom(0, 0.25, 0.5, 0.8, 1);
}

// Every name has a value of its type, which the mapped type of the library cannot see.
const allKnown = fc.record(
	Object.fromEntries(
		(Object.keys(VARIABLES) as VariableName[]).map((name) => [name, anyValue(name)]),
	),
) as unknown as fc.Arbitrary<Required<ConditionValues>>;

/** Some of the values; what is left out is unknown, the counts of the loop too. */
function some(known: ConditionValues, isKept: (index: number) => boolean): ConditionValues {
	const kept = Object.entries(known).filter((_entry, index) => isKept(index));
	// The loop always knows its counts; that they may be missing is the point of the test.
	return Object.fromEntries(kept) as unknown as ConditionValues;
}

test("learning a value never turns a known answer into another", () => {
	const subset = fc.array(fc.boolean(), { minLength: 17, maxLength: 17 });
	fc.assert(
		fc.property(bool, allKnown, subset, subset, (text, known, few, more) => {
			const parsed = parseCondition(text);
			fc.pre(parsed.ok);
			const before = holds(
				parsed.condition,
				some(known, (index) => few[index] === true),
			);
			const after = holds(
				parsed.condition,
				some(known, (index) => few[index] === true || more[index] === true),
			);
			expect(before === "unknown" || before === after).toBe(true);
		}),
		{ numRuns: 3_000 },
	);
});

/** CEL reserves the word `loop`, so the library gets another one of the same length. */
const forLibrary = (text: string): string => text.replaceAll("loop.", "lo_p.");

/** The library's own evaluator, with the same variables; used in this test only. */
const reference = Object.entries(groups(({ type }) => type)).reduce(
	(environment, [name, schema]) =>
		typeof schema === "string"
			? environment.registerVariable(name, schema)
			: environment.registerVariable({ name, schema }),
	new Environment(),
);

function groups<T>(
	make: (each: { name: VariableName; type: ValueType }) => T,
): Record<string, T | Record<string, T>> {
	const result: Record<string, T | Record<string, T>> = {};
	for (const name of Object.keys(VARIABLES) as VariableName[]) {
		const value = make({ name, type: variable(name).type });
		const [group = "", field] = forLibrary(name).split(".");
		if (field === undefined) result[group] = value;
		else result[group] = { ...(result[group] as Record<string, T>), [field]: value };
	}
	return result;
}

function evaluateByLibrary(text: string, known: Required<ConditionValues>): unknown {
	const context = groups(({ name, type }) =>
		type === "int" ? BigInt(Number(known[name])) : known[name],
	);
	try {
		const answer: unknown = reference.evaluate(forLibrary(text), context);
		return answer;
	} catch {
		return "no answer";
	}
}

test("with every value known the answer is CEL's own", () => {
	let compared = 0;
	fc.assert(
		fc.property(bool, allKnown, (text, known) => {
			const parsed = parseCondition(text);
			fc.pre(parsed.ok);
			const expected = evaluateByLibrary(text, known);
			// Where CEL fails, as in a division by zero, ours may at most know that the failing part decides nothing.
			if (expected === "no answer") return;
			compared += 1;
			expect(holds(parsed.condition, known)).toBe(expected);
		}),
		{ numRuns: 3_000 },
	);
	expect(compared).toBeGreaterThan(2_000);
});

/** CEL takes a text that a variable never has, and an order of a score and a whole number; conditions do not. */
const OUR_RULES =
	/ is never |^[<>]=? takes two values of one type, and these are (a whole number and a number with decimals|a number with decimals and a whole number)$/;

test("what is accepted is boolean by CEL's own check, but for two rules of ours", () => {
	const part = fc.constantFrom(
		...Object.keys(VARIABLES),
		...["true", "1", "0.5", '"PASS"', '"approve"', "(1 + 1)", "(0.5 / 0.5)", "-1", "-0.5", "!true"],
	);
	const operator = fc.constantFrom(
		...["==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%"],
	);
	const text = fc.oneof(
		fc.tuple(part, operator, part).map((each) => each.join(" ")),
		fc.tuple(part, operator, part, operator, part).map((each) => each.join(" ")),
		fc.tuple(part, part, part).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
		fc.tuple(part, part, part).map(([a, b, c]) => `${a} in [${b}, ${c}]`),
		bool,
	);
	let [accepted, refused] = [0, 0];
	fc.assert(
		fc.property(text, (written) => {
			const parsed = parseCondition(written);
			fc.pre(parsed.ok || !/^too long/.test(parsed.problems[0]?.message ?? ""));
			const check = reference.check(forLibrary(written));
			const isBoolean = check.valid && check.type === "bool";
			if (parsed.ok) accepted += 1;
			const isOurRule =
				!parsed.ok && parsed.problems.every(({ message }) => OUR_RULES.test(message));
			if (isOurRule) refused += 1;
			expect(parsed.ok || isOurRule, written).toBe(isBoolean);
		}),
		{ numRuns: 3_000 },
	);
	expect(accepted).toBeGreaterThan(300);
	expect(refused).toBeGreaterThan(30);
});

test("a condition is plain JSON, and its text makes the same one again", () => {
	fc.assert(
		fc.property(bool, allKnown, (text, known) => {
			const parsed = parseCondition(text);
			fc.pre(parsed.ok);
			const stored: unknown = JSON.parse(JSON.stringify(parsed.condition));
			expect(stored).toEqual(parsed.condition);
			expect(parseCondition(text)).toEqual(parsed);
			expect(holds(parsed.condition, known)).toBe(holds(stored as Condition, known));
		}),
	);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { parseCondition, readExpression } from "./parse-condition.ts";

/** Each problem as `from-to message (suggestion)`; nothing for a condition that is accepted. */
function refusals(text: string): string[] {
	const parsed = parseCondition(text);
	if (parsed.ok) return [];
	return parsed.problems.map(({ from, to, message, suggestion }) =>
		suggestion === undefined
			? `${from}-${to} ${message}`
			: `${from}-${to} ${message} (${suggestion})`,
	);
}

const UNCLOSED =
	'a string without its closing quote, or with a backslash (write it plainly, such as "PASS")';

test.each([
	"pair.challenger_approved == true",
	"pair.challenger_approved",
	"confidence_score >= 0.85",
	"confidence_score >= 1.0",
	"metrics.lint_score < confidence_score",
	"findings.blocking <= findings.open",
	"confidence_score == 1.0",
	"1e-2 < metrics.lint_score",
	'gate.verdict == "PASS" && findings.blocking == 0',
	'verification.verdict in ["passed", "skipped"]',
	"pair.iteration in []",
	'!(review.decision != "approve")',
	"!!hil.resolved",
	"((loop.turn > 1) == true) != false",
	"1 in [pair.iteration, loop.turn]",
	"gate.verdict == 'PASS'",
	"loop.turn\n\t>= 3\n",
	"true",
	"pair.challenger_approved > false",
	`loop.turn == ${Number.MAX_SAFE_INTEGER}`,
])("%s is a condition", (text) => {
	expect(refusals(text)).toEqual([]);
});

describe("a text that is not a condition is refused where it goes wrong", () => {
	test.each([
		["", ["0-0 the expression is incomplete"]],
		["   ", ["3-3 the expression is incomplete"]],
		["loop.turn > 1 // often", ['14-15 unexpected "/" (conditions can compare but not calculate)']],
		["loop.turn + 1 > 2", ['10-11 unexpected "+" (conditions can compare but not calculate)']],
		["loop.turn > -1", ['12-13 unexpected "-" (conditions can compare but not calculate)']],
		[
			"hil.resolved ? true : false",
			['13-14 unexpected "?" (conditions can compare but not calculate)'],
		],
		["loop.turn > 0x2", ['12-15 unexpected "0x2"']],
		["loop.turn > 1e", ['12-14 unexpected "1e"']],
		["confidence_score > 1.", ['19-21 unexpected "1."']],
		['metrics["test_coverage"] > 0.5', ['7-8 unexpected "["']],
		["loop.turn in [1 2]", ['16-17 unexpected "2"']],
		["loop.turn in [1,]", ['16-17 unexpected "]"']],
		[
			"loop.turn in",
			[
				'12-12 `in` must be followed by a list (such as verification.verdict in ["passed", "skipped"])',
			],
		],
		["hil.resolved && in", ['16-18 unexpected "in"']],
		[")", ['0-1 unexpected ")"']],
		["confidence_score >=", ["19-19 the expression is incomplete"]],
		["(loop.turn > 1", ["14-14 the expression is incomplete"]],
		["loop.turn = 1", ['10-11 unexpected "=" (write == to compare)']],
		["loop.turn > 1 and hil.resolved", ['14-17 unexpected "and" (write && for and)']],
		["hil.resolved | hil.resolved", ['13-14 unexpected "|" (write || for or)']],
		["not hil.resolved", ['4-16 unexpected "hil.resolved" (write ! for not)']],
		["confidence_score > .85", ['19-22 unexpected ".85" (write 0.85)']],
		["loop.turn > 1 😀", ['14-16 unexpected "😀"']],
		["loop.turn.1", ['9-11 unexpected ".1" (write 0.1)']],
		['gate.verdict == "PASS', [`16-21 ${UNCLOSED}`]],
		['gate.verdict == "\\q"', [`16-20 ${UNCLOSED}`]],
		["pair.?iteration > 1", ['4-5 unexpected "."']],
	])("%j", (text, expected) => {
		expect(refusals(text)).toEqual(expected);
	});
});

describe("names outside of the table are unknown variables", () => {
	test.each([
		["pair.aproved", /^0-12 unknown variable "pair.aproved" /],
		[
			"confidnce_score > 0.5",
			/^0-15 unknown variable "confidnce_score" \(did you mean "confidence_score"\?\)$/,
		],
		["pair.constructor", /^0-16 unknown variable "pair.constructor"/],
		["pair.__proto__", /^0-14 unknown variable "pair.__proto__"/],
		["constructor", /^0-11 unknown variable "constructor"/],
		["confidence_score.value > 1", /^0-22 unknown variable "confidence_score.value"/],
		[
			"pair == true",
			/^0-4 unknown variable "pair" \(write pair.challenger_approved or pair.iteration\)$/,
		],
		["gate.verdict == PASS", /^16-20 .* \(write "PASS", with quotes\)$/],
		["while", /^0-5 unknown variable "while"/],
		["__proto__.x", /^0-11 unknown variable "__proto__.x"/],
		["____.turn > 1", /^0-9 unknown variable "____.turn"/],
		["loop.trun > 1", /^0-9 unknown variable "loop.trun" \(did you mean "loop.turn"\?\)$/],
		["int == cel", /^0-3 unknown variable "int"/],
	])("%s", (text, expected) => {
		expect(refusals(text)[0]).toMatch(expected);
	});
});

describe("what can be called, repeated or built is refused", () => {
	test.each([
		[
			'gate.verdict.matches("(a+)+$")',
			/^0-20 conditions cannot call functions: "gate.verdict.matches" /,
		],
		["has(pair.iteration)", /^0-3 conditions cannot call functions: "has" /],
		["size (gate.verdict) > 1", /^0-4 conditions cannot call functions/],
		["[1, 2].all(x, x > 0)", /^0-1 a list is only allowed after `in`/],
		["[1] == [1]", /^0-1 a list is only allowed after `in`/],
		["1 in {1: 2}", /^5-6 `in` must be followed by a list/],
		["1 in [y, 2]", /^6-7 unknown variable "y"/],
		["z in [1]", /^0-1 unknown variable "z"/],
		["{} == {}", /^0-1 unexpected "\{"$/],
		["confidence_score == null", /^20-24 no variable can be null/],
		["loop.turn == 1u", /^13-15 unexpected "1u"$/],
		['b"x" == b"x"', /^1-4 unexpected/],
		[`loop.turn == ${2n ** 63n}`, /^13-32 the whole number is too large$/],
		["!size(1)", /^1-5 conditions cannot call functions/],
		["true && f()", /^8-9 conditions cannot call functions/],
	])("%s", (text, expected) => {
		expect(refusals(text)[0]).toMatch(expected);
	});
});

describe("types are checked before anything runs", () => {
	const one = "compares two values of one type; these are";
	const kinds =
		"compare scores with scores or constants such as 1.0, and counts with counts or constants such as 1";
	test.each([
		[
			"confidence_score == 1",
			[`20-21 == ${one} a number with decimals and a whole number (write 1.0)`],
		],
		[
			"1 != confidence_score",
			[`0-1 != ${one} a whole number and a number with decimals (write 1.0)`],
		],
		["loop.turn == 2.0", [`13-16 == ${one} a whole number and a number with decimals (write 2)`]],
		["loop.turn == 2.5", [`13-16 == ${one} a whole number and a number with decimals`]],
		[
			'confidence_score >= "0.85"',
			[`20-26 >= ${one} a number with decimals and a string (write 0.85)`],
		],
		['hil.resolved == "true"', [`16-22 == ${one} true or false and a string (write true)`]],
		['hil.resolved == "yes"', [`16-21 == ${one} true or false and a string`]],
		[
			"confidence_score >= 1",
			[`20-21 >= ${one} a number with decimals and a whole number (write 1.0)`],
		],
		[
			"confidence_score < 0",
			[`19-20 < ${one} a number with decimals and a whole number (write 0.0)`],
		],
		[
			"1 <= confidence_score",
			[`0-1 <= ${one} a whole number and a number with decimals (write 1.0)`],
		],
		[
			"confidence_score > loop.turn",
			[`0-28 > ${one} a number with decimals and a whole number (${kinds})`],
		],
		[
			"findings.open == metrics.lint_score",
			[`0-35 == ${one} a whole number and a number with decimals (${kinds})`],
		],
		["loop.turn >= 2.0", [`13-16 >= ${one} a whole number and a number with decimals (write 2)`]],
		["2.0 < loop.turn", [`0-3 < ${one} a number with decimals and a whole number (write 2)`]],
		["loop.turn > 2.5", [`12-15 > ${one} a whole number and a number with decimals`]],
		["gate.verdict == loop.turn", [`0-25 == ${one} a string and a whole number`]],
		["gate.verdict == 1", [`16-17 == ${one} a string and a whole number`]],
		["loop.turn == true", [`13-17 == ${one} a whole number and true or false`]],
		[
			"loop.turn in [1, 2.0]",
			[`17-20 in ${one} a whole number and a number with decimals (write 2)`],
		],
		[
			"loop.turn",
			[
				"0-9 a condition must be true or false; this is a whole number (compare it, such as with >=)",
			],
		],
		[
			"gate.verdict",
			["0-12 a condition must be true or false; this is a string (compare it with == or `in`)"],
		],
		[
			"(1)",
			[
				"0-3 a condition must be true or false; this is a whole number (compare it, such as with >=)",
			],
		],
		[
			"!loop.turn",
			["1-10 ! expects true or false; this is a whole number (compare it, such as with >=)"],
		],
		[
			"true && 1",
			["8-9 && expects true or false; this is a whole number (compare it, such as with >=)"],
		],
	])("%s", (text, expected) => {
		expect(refusals(text)).toEqual(expected);
	});

	test.each([
		['gate.verdict == "pass"', 'gate.verdict is never "pass" (did you mean "PASS"?)'],
		['"go" != review.decision', 'review.decision is never "go" (it can be "approve", "feedback")'],
		[
			'verification.verdict in ["pased"]',
			'verification.verdict is never "pased" (did you mean "passed"?)',
		],
	])("%s could never change, so it is a mistake", (text, expected) => {
		expect(refusals(text)).toEqual([expect.stringContaining(expected)]);
	});

	test("several mistakes come at once, in the order of the text", () => {
		expect(refusals("y || x.y || loop.turn")).toHaveLength(3);
		for (const text of [
			"confidence_score == 1 || pair.aproved",
			"(confidence_score == 1) in [x]",
			"x in [confidence_score == 1]",
			"x && !(confidence_score == 1) && y",
		])
			expect(refusals(text), text).toContainEqual(expect.stringMatching(/\(write 1\.0\)$/));
		expect(refusals("x && !(confidence_score == 1) && y")).toHaveLength(3);
		expect(refusals("(1 == 1.0) || (loop.turn == true) || !2")).toEqual([
			expect.stringMatching(/^6-9 /),
			expect.stringMatching(/^28-32 /),
			expect.stringMatching(/^38-39 /),
		]);
	});
});

describe("hostile texts are refused, quickly and with a reason", () => {
	test.each([
		["64 KiB of a name", "a".repeat(65_536), "longer than 2000 characters"],
		["2,001 characters", `true${" ".repeat(1_997)}`, "longer than 2000 characters"],
		["deep brackets", `${"(".repeat(900)}true${")".repeat(900)}`, "nested too deeply"],
		["many negations", `${"!".repeat(1_990)}true`, "nested too deeply"],
	])("%s", (_what, text, expected) => {
		const began = performance.now();
		expect(refusals(text)[0]).toContain(expected);
		expect(performance.now() - began).toBeLessThan(5_000);
	});

	test("the longest texts are read in one pass", () => {
		expect(refusals(Array(330).fill("true").join("||"))).toEqual([]);
		expect(refusals(`1 in [${Array(900).fill("1").join(",")}]`)).toEqual([]);
		expect(refusals(`true${" ".repeat(1_995)}`)).toEqual([]);
	});

	test("memberships of memberships are visited once each", () => {
		expect(refusals(`true${" in [true, false]".repeat(45)}`)).toEqual([]);
	});

	test("control characters reach no message", () => {
		const [first = ""] = refusals('gate.verdict == "\u001b[2J\u202e"');
		expect(first).not.toMatch(/\p{Cc}|\p{Cf}/u);
		expect(refusals("\u001b[2J")[0]).toBe('0-1 unexpected "\\u001b"');
	});
});

const token = fc.constantFrom(
	"pair",
	".",
	"iteration",
	"loop.turn",
	"confidence_score",
	"gate.verdict",
	"true",
	"null",
	"(",
	")",
	"[",
	"]",
	"{",
	"}",
	",",
	":",
	"?",
	"!",
	"-",
	"==",
	"!=",
	"<",
	">=",
	"&&",
	"||",
	"in",
	"0.5",
	"1",
	"1u",
	'"PASS"',
	"b'x'",
	"has(",
	".map(",
	"x",
	"not",
	"and",
	"=",
	"😀",
	"\ud800",
);

test("whatever the text, there is an answer, and every problem lies inside", () => {
	const text = fc.oneof(
		fc.string({ unit: anyCharacter, maxLength: 60 }),
		fc.array(token, { maxLength: 14 }).map((each) => each.join(" ")),
	);
	fc.assert(
		fc.property(text, (written) => {
			const parsed = parseCondition(written);
			if (parsed.ok) return parsed.condition.text === written;
			return (
				parsed.problems.length > 0 &&
				parsed.problems.every(
					({ from, to, message }) =>
						0 <= from && from <= to && to <= written.length && /^[^\n]+[^.\n]$/.test(message),
				)
			);
		}),
		{ numRuns: amount(500) },
	);
});

test("a bug is not taken for a mistake in the text", () => {
	expect(() => readExpression(null as never)).toThrow(TypeError);
});

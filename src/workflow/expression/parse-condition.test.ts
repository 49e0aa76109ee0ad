import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCondition } from "./parse-condition.ts";
import { readCel } from "./read-cel.ts";

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
	"loop.turn % 2 == 0 ? hil.resolved : pair.iteration - 1 > 0x2",
	'metrics["test_coverage"] + metrics.llm_judge > 1.5',
	"-loop.turn < -3 // a comment",
	"loop.turn\n\t>= 3\n",
	"true",
	"pair.challenger_approved > false",
	'gate.verdict + "" == "PASS"',
	`loop.turn == ${2n ** 63n - 1n}`,
])("%s is a condition", (text) => {
	expect(refusals(text)).toEqual([]);
});

describe("a text that is not CEL is refused where it goes wrong", () => {
	test.each([
		["", ["0-0 the expression ends too early"]],
		["   ", ["3-3 the expression ends too early"]],
		["// only a comment", ["17-17 the expression ends too early"]],
		["confidence_score >=", ["19-19 the expression ends too early"]],
		["(loop.turn > 1", ["14-14 the expression ends too early"]],
		["loop.turn = 1", ['10-11 unexpected "=" (write == to compare)']],
		["loop.turn > 1 and hil.resolved", ['14-17 unexpected "and" (write && for and)']],
		["hil.resolved | hil.resolved", ['13-14 unexpected "|" (write || for or)']],
		["not hil.resolved", ['4-7 unexpected "hil" (write ! for not)']],
		[
			"confidence_score > .85",
			['19-20 unexpected "." (write a digit before the point, such as 0.85)'],
		],
		["loop.turn > 1 😀", ['14-16 unexpected "😀"']],
		["loop.turn.1", ['10-11 unexpected "1"']],
		['gate.verdict == "PASS', ["16-21 not readable: Unterminated string"]],
		['gate.verdict == "\\q"', ["17-19 not readable: Invalid escape sequence: \\\\q"]],
		["pair.?iteration > 1", ['5-6 unexpected "?"']],
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
		['pair["constructor"]', /^0-19 unknown variable "pair.constructor"/],
		["confidence_score.value > 1", /^0-22 unknown variable "confidence_score.value"/],
		[
			"pair == true",
			/^0-4 unknown variable "pair" \(write pair.challenger_approved or pair.iteration\)$/,
		],
		["gate.verdict == PASS", /^16-20 .* \(write "PASS", with quotation marks\)$/],
		["pair[loop.turn] == 1", /^0-15 only a variable has fields$/],
		['"a".b == 1', /^0-5 only a variable has fields$/],
		['pair[1]["x"].y', /^0-14 only a variable has fields$/],
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
		['gate.verdict.matches("(a+)+$")', /^0-30 function calls .*: "matches"/],
		["has(pair.iteration)", /^0-19 function calls .*: "has"/],
		["size(gate.verdict) > 1", /^0-18 function calls/],
		["[1, 2].all(x, x > 0)", /^0-20 function calls/],
		["[1].map(x, [2].map(y, x))[0] == 1", /./],
		["[1].all(1, true)", /./],
		["cel.bind(x, 1, x == 1)", /^0-22 function calls/],
		["[1] == [1]", /^0-3 a list can only stand after `in`/],
		["1 in {1: 2}", /^5-11 after `in` a list must stand/],
		["1 in [y, 2]", /^6-7 unknown variable "y"/],
		["z in [1]", /^0-1 unknown variable "z"/],
		["{} == {}", /^0-2 this is not part of conditions/],
		["confidence_score == null", /^20-24 no variable is ever null/],
		["loop.turn == 1u", /^13-\d+ bytes and unsigned numbers/],
		['b"x" == b"x"', /^\d-4 bytes and unsigned numbers/],
		[`loop.turn == ${2n ** 63n}`, /^13-32 a whole number beyond 64 bits$/],
		["!size(1)", /^1-8 function calls/],
		["f() ? true : false", /^0-3 function calls/],
		["true && f()", /^8-11 function calls/],
	])("%s", (text, expected) => {
		expect(refusals(text)[0]).toMatch(expected);
	});
});

describe("types are checked before anything runs", () => {
	const one = "takes two values of one type, and these are";
	const kinds = "scores go with scores and constants such as 1.0, counts with counts and 1";
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
			[`20-26 >= ${one} a number with decimals and a text (write 0.85)`],
		],
		['hil.resolved == "true"', [`16-22 == ${one} true or false and a text (write true)`]],
		['hil.resolved == "yes"', [`16-21 == ${one} true or false and a text`]],
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
		[
			"loop.turn + confidence_score > 1",
			[`0-28 + ${one} a whole number and a number with decimals (${kinds})`],
		],
		["gate.verdict == 1", [`16-17 == ${one} a text and a whole number`]],
		["loop.turn == true", [`13-17 == ${one} a whole number and true or false`]],
		[
			"loop.turn in [1, 2.0]",
			[`17-20 in ${one} a whole number and a number with decimals (write 2)`],
		],
		[
			"hil.resolved ? 1 : 2.0",
			[`19-22 ? : ${one} a whole number and a number with decimals (write 2)`],
		],
		[
			"loop.turn",
			[
				"0-9 a condition is true or false, and this is a whole number (compare it, such as with >=)",
			],
		],
		[
			"gate.verdict",
			["0-12 a condition is true or false, and this is a text (compare it with == or `in`)"],
		],
		[
			"1 + 1",
			[
				"0-5 a condition is true or false, and this is a whole number (compare it, such as with >=)",
			],
		],
		[
			"!loop.turn",
			["1-10 ! takes true or false, and this is a whole number (compare it, such as with >=)"],
		],
		["-hil.resolved", ["1-13 - takes a number, and this is true or false (write ! for not)"]],
		["-gate.verdict < 1", ["1-13 - takes a number, and this is a text"]],
		[
			"loop.turn ? true : false",
			["0-9 ? takes true or false, and this is a whole number (compare it, such as with >=)"],
		],
		[
			"true && 1",
			["8-9 && takes true or false, and this is a whole number (compare it, such as with >=)"],
		],
		["0.5 % 0.5 > 0.1", ["0-9 % cannot calculate with a number with decimals"]],
		["true + true", ["0-11 + cannot calculate with true or false"]],
		['"a" - "b" == "c"', ["0-9 - cannot calculate with a text"]],
		[
			"(true + true) == (1 + 1.0)",
			[
				"1-12 + cannot calculate with true or false",
				`22-25 + ${one} a whole number and a number with decimals (write 1)`,
			],
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
		expect(refusals("f() || x.y || loop.turn")).toHaveLength(2);
		for (const text of [
			"confidence_score == 1 || pair.aproved",
			"f() ? confidence_score == 1 : true",
			"(confidence_score == 1) in 5",
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
		["many parts", Array(150).fill("true").join("||"), "too long, or nested too deeply"],
		["deep brackets", `${"(".repeat(900)}true${")".repeat(900)}`, "too long, or nested too deeply"],
		["many negations", `${"!".repeat(1_990)}true`, "too long, or nested too deeply"],
		["a long list", `1 in [${"1,".repeat(70)}]`, "too long, or nested too deeply"],
		["deep choices", `${"true ? ".repeat(30)}true`, "too long, or nested too deeply"],
	])("%s", (_what, text, expected) => {
		const began = performance.now();
		expect(refusals(text)[0]).toContain(expected);
		expect(performance.now() - began).toBeLessThan(5_000);
	});

	test("a text without a bound exhausts no stack", () => {
		expect(readCel(`${"!".repeat(1_000_000)}true`)).toMatchObject([
			{ message: "too long, or nested too deeply" },
		]);
	});

	test("memberships of memberships are visited once each", () => {
		expect(refusals(`true${" in [true, false]".repeat(45)}`)).toEqual([]);
	});

	test("reserved words cost one more reading each, and no more", () => {
		const began = performance.now();
		expect(refusals(Array(400).fill("if").join("||"))[0]).toContain("too long");
		expect(refusals(Array(90).fill("loop.turn > 1").join("||"))[0]).toContain("too long");
		expect(performance.now() - began).toBeLessThan(5_000);
		expect(refusals(Array(40).fill("loop.turn > 1").join("||"))).toEqual([]);
		expect(refusals('gate.verdict in ["loop"] || loop.turn > 1')).toHaveLength(1);
	});

	test("control characters reach no message", () => {
		const [first = ""] = refusals('gate.verdict == "\u001b[2J\u202e"');
		expect(first).not.toMatch(/\p{Cc}|\p{Cf}/u);
		expect(refusals("\u001b[2J")[0]).toBe('0-1 unexpected "\\u001b"');
	});
});

const token = fc.constantFrom(
	...["pair", ".", "iteration", "loop.turn", "confidence_score", "gate.verdict", "true", "null"],
	...["(", ")", "[", "]", "{", "}", ",", ":", "?", "!", "-", "==", "!=", "<", ">=", "&&", "||"],
	...[
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
	],
);

test("whatever the text, there is an answer, and every problem lies inside", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary", maxLength: 60 }),
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
		{ numRuns: 500 },
	);
});

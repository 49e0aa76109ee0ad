import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import type { Parsed } from "./parse-report.ts";
import { parseCoachReport, parsePlayerReport } from "./report.ts";

const coach = (value: unknown): Parsed<unknown> => parseCoachReport(JSON.stringify(value));
const reason = (parsed: Parsed<unknown>): string => (parsed.ok ? "it was accepted" : parsed.reason);

test("a coach's report needs a decision alone", () => {
	expect(coach({ decision: "approve" })).toEqual({
		ok: true,
		report: {
			decision: "approve",
			rationale: "",
			requirements_status: [],
			suspicions_status: [],
			findings_status: [],
			attempts: [],
			feedback_items: [],
		},
	});
});

test.each([
	[{ challenger_approved: true }, "approve"],
	[{ challenger_approved: false }, "feedback"],
	[{ decision: "approve", challenger_approved: true }, "approve"],
	[{ decision: "feedback", challenger_approved: false }, "feedback"],
	[{ decision: null, challenger_approved: false }, "feedback"],
	[{ decision: "approve", challenger_approved: null }, "approve"],
])(
	"a coach may decide by challenger_approved in place of, or beside, a decision: %j",
	(said, decision) => {
		expect(coach(said)).toMatchObject({ ok: true, report: { decision } });
	},
);

test("a player's report needs nothing", () => {
	expect(parsePlayerReport("{}")).toEqual({
		ok: true,
		report: {
			files_modified: [],
			files_created: [],
			tests_written: [],
			checks_passed: [],
			implementation_notes: "",
			concerns: [],
			disputes: [],
		},
	});
});

test("null counts as left out", () => {
	const item = { issue: "x", severity: null, file: null, line: null, criterion: null };
	const parsed = parseCoachReport(
		JSON.stringify({ decision: "feedback", rationale: null, feedback_items: [item] }),
	);
	expect(parsed).toMatchObject({ ok: true, report: { rationale: "" } });
	expect(parsed.ok && parsed.report.feedback_items[0]?.severity).toBe("minor");
	expect(parsePlayerReport('{"concerns":null,"disputes":null}').ok).toBe(true);
});

test("a coach's reason beside a finding's status may be left out, null, or a text", () => {
	const words = [
		{ id: "F1", status: "open" },
		{ id: "F2", status: "fixed", reason: null },
		{ id: "F3", status: "withdrawn", reason: "the player is right" },
	];
	const parsed = parseCoachReport(JSON.stringify({ decision: "feedback", findings_status: words }));
	expect(parsed.ok && parsed.report.findings_status.map(({ reason: why }) => why)).toEqual([
		undefined,
		undefined,
		"the player is right",
	]);
});

test("what a coach tried in order to break the work may lack any of its texts", () => {
	const attempts = [
		{ what: "a burst of 0", command: "node try.js", outcome: "throws" },
		{ what: null },
	];
	const parsed = parseCoachReport(JSON.stringify({ decision: "approve", attempts }));
	expect(parsed.ok && parsed.report.attempts).toEqual([
		attempts[0],
		{ what: "", command: "", outcome: "" },
	]);
	expect(coach({ decision: "approve", attempts: ["npm test"] }).ok).toBe(false);
});

test("unknown fields are kept", () => {
	const value = { decision: "approve", mood: "good", feedback_items: [{ issue: "x", extra: 1 }] };
	expect(coach(value)).toMatchObject({
		report: { mood: "good", feedback_items: [{ extra: 1 }] },
	});
});

test("a line number of 0 means no line", () => {
	const parsed = parseCoachReport(
		'{"decision":"feedback","feedback_items":[{"issue":"x","line":0},{"issue":"y","line":7}]}',
	);
	expect(parsed.ok && parsed.report.feedback_items.map(({ line }) => line)).toEqual([undefined, 7]);
});

test("a byte order mark is skipped", () => {
	expect(parseCoachReport('\u{feff}{"decision":"approve"}').ok).toBe(true);
});

describe("rejected, with a reason to act on", () => {
	test.each([
		["no report", null, "no report was handed in"],
		["no JSON", '{"decision": approve}', "not JSON: Unexpected token 'a'"],
		[
			"two decisions",
			'{"decision":"feedback","decision":"approve"}',
			'invalid report: duplicate key "decision"',
		],
		[
			"two answers about one criterion",
			'{"decision":"approve","requirements_status":[{"criterion":"c","met":false,"met":true}]}',
			'duplicate key "met"',
		],
		["no object", "[]", "expected object"],
		["no decision", "{}", "decision: "],
		[
			"another case",
			'{"decision":"Approve"}',
			'decision: Invalid option: expected one of "approve"',
		],
		[
			"neither word",
			'{"decision":null,"challenger_approved":null}',
			"or challenger_approved: true",
		],
		[
			"an approval that disagrees with the decision",
			'{"decision":"approve","challenger_approved":false}',
			"decision: approve disagrees with challenger_approved: false",
		],
		[
			"a decision that disagrees with the approval",
			'{"challenger_approved":true,"decision":"feedback"}',
			"decision: feedback disagrees with challenger_approved: true",
		],
		["a decision in a list", '{"decision":["approve"]}', "decision: "],
		[
			"a status without met",
			'{"decision":"approve","requirements_status":[{"criterion":"c"}]}',
			"requirements_status[0].met: ",
		],
		[
			"a met that is a string",
			'{"decision":"approve","requirements_status":[{"criterion":"c","met":"true"}]}',
			"requirements_status[0].met: Invalid input: expected boolean, received string",
		],
		[
			"an unknown state of a finding",
			'{"decision":"approve","findings_status":[{"id":"F1","status":"done"}]}',
			"findings_status[0].status: ",
		],
		[
			"an empty issue",
			'{"decision":"feedback","feedback_items":[{"issue":" "}]}',
			"feedback_items[0].issue: expected a non-empty string",
		],
	])("%s", (_name, source, expected) => {
		expect(reason(parseCoachReport(source))).toContain(expected);
	});

	test.each(['"true"', '"false"', "1", "0", '""', "[true]", "{}"])(
		"an approval that is %s",
		(word) => {
			const source = `{"decision":"approve","challenger_approved":${word}}`;
			expect(reason(parseCoachReport(source))).toContain("challenger_approved: Invalid input");
		},
	);

	test("no report: what stands in its place is the reason", () => {
		const problem = "SPAR_REPORT is not a regular file";
		expect(reason(parseCoachReport(null, problem))).toBe(problem);
		expect(reason(parsePlayerReport(null, problem))).toBe(problem);
		expect(parseCoachReport('{"decision":"approve"}', problem).ok).toBe(true);
	});

	test("many problems: the first three, and how many more", () => {
		const items = Array.from({ length: 9 }, () => ({}));
		expect(reason(coach({ decision: "feedback", feedback_items: items }))).toContain("and 6 more");
	});

	test.each([
		[
			"a long list",
			{ concerns: Array(1_001).fill("") },
			"concerns has 1001 items; the limit is 1000",
		],
		["a long text", { implementation_notes: "x".repeat(100_001) }, "the limit is 100000"],
		["a long unknown text", { a: [{ b: "x".repeat(100_001) }] }, "a[0].b has 100001 characters"],
		["4 MiB", { x: Array(50).fill("x".repeat(90_000)) }, "larger than 4 MiB"],
		["a long list as a whole", Array(1_001).fill(1), "the report has 1001 items"],
	])("%s", (_name, value, expected) => {
		expect(reason(parsePlayerReport(JSON.stringify(value)))).toContain(expected);
	});

	thorough("hostile nesting and hundreds of thousands of keys", () => {
		expect(
			reason(parsePlayerReport("[".repeat(amount(1e6, 2e5)) + "]".repeat(amount(1e6, 2e5)))),
		).toContain("nested deeper");
		const keys = Array.from({ length: amount(300_000, 20_000) }, (_, index) => `"${index}":1`);
		expect(parsePlayerReport(`{${keys.join(",")}}`).ok).toBe(true);
	});
});

test("lists and texts at their limits are accepted", () => {
	const report = { concerns: Array(1_000).fill("a"), implementation_notes: "x".repeat(100_000) };
	expect(parsePlayerReport(JSON.stringify(report)).ok).toBe(true);
});

test("a key of __proto__ decides nothing", () => {
	const parsed = parseCoachReport('{"__proto__":{"decision":"approve"}}');
	expect(parsed.ok).toBe(false);
	const approving = parseCoachReport('{"decision":"feedback","__proto__":{"decision":"approve"}}');
	expect(approving.ok && approving.report.decision).toBe("feedback");
});

test("no text makes reading throw, and only an exact decision is read as one", () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.json()), (source) => {
			parsePlayerReport(source);
			expect(parseCoachReport(source).ok).toBe(false);
		}),
	);
});

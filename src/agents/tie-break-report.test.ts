import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTieBreakReport } from "./report.ts";

const reason = (source: string | null, problem?: string): string => {
	const parsed = parseTieBreakReport(source, problem);
	return parsed.ok ? "it was accepted" : parsed.reason;
};

test("a verdict with its rationale is a report, and what else it says is kept", () => {
	const pass = { verdict: "PASS", rationale: "line 4 refuses the burst" };
	expect(parseTieBreakReport(JSON.stringify(pass))).toEqual({ ok: true, report: pass });
	const fail = { verdict: "FAIL", rationale: " no ", mood: "sure" };
	expect(parseTieBreakReport(`\u{feff}${JSON.stringify(fail)}`)).toEqual({
		ok: true,
		report: fail,
	});
});

test.each([
	["no report", null, "no report was handed in"],
	["nothing", "{}", "verdict: "],
	["a verdict alone", '{"verdict":"PASS"}', "rationale: "],
	[
		"a blank rationale",
		'{"verdict":"PASS","rationale":" \\n"}',
		"rationale: expected a non-empty string",
	],
	["no words", '{"verdict":"PASS","rationale":null}', "rationale: "],
	["small letters", '{"verdict":"pass","rationale":"x"}', "verdict: "],
	["a space", '{"verdict":"PASS ","rationale":"x"}', "verdict: "],
	["a third answer", '{"verdict":"UNSURE","rationale":"x"}', "verdict: "],
	["a truth value", '{"verdict":true,"rationale":"x"}', "verdict: "],
	["both answers", '{"verdict":["PASS","FAIL"],"rationale":"x"}', "verdict: "],
	["two verdicts", '{"verdict":"PASS","verdict":"FAIL","rationale":"x"}', "duplicate key"],
	["an inherited verdict", '{"__proto__":{"verdict":"PASS"},"rationale":"x"}', "verdict: "],
	["a bare word", '"PASS"', "expected object"],
	["prose", 'My verdict: {"verdict":"PASS","rationale":"x"}', "not JSON"],
	["a cut report", '{"verdict":"PASS","rationale":"al', "not JSON"],
	["a long text", `{"verdict":"PASS","rationale":"${"x".repeat(100_001)}"}`, "limit is 100000"],
	["hostile nesting", "[".repeat(1e5) + "]".repeat(1e5), "nested deeper"],
])("refused with a reason to act on: %s", (_name, source, expected) => {
	expect(reason(source)).toContain(expected);
});

test("what stands in the report's place is the reason", () => {
	expect(reason(null, "SPAR_REPORT is not a regular file")).toBe(
		"SPAR_REPORT is not a regular file",
	);
});

test("no text makes reading throw, and whatever is read is one of two words", () => {
	const near = fc.record({
		verdict: fc.oneof(fc.constantFrom("PASS", "FAIL", "pass"), fc.jsonValue()),
		rationale: fc.oneof(fc.string(), fc.jsonValue()),
	});
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc.json(),
				near.map((it) => JSON.stringify(it)),
			),
			(source) => {
				const parsed = parseTieBreakReport(source);
				if (parsed.ok) expect(["PASS", "FAIL"]).toContain(parsed.report.verdict);
				else expect(parsed.reason).not.toBe("");
			},
		),
	);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEvaluatorReport } from "./report.ts";

const reason = (source: string | null, problem?: string): string => {
	const parsed = parseEvaluatorReport(source, problem);
	return parsed.ok ? "it was accepted" : parsed.reason;
};

test("a score alone is a report", () => {
	const parsed = parseEvaluatorReport('{"score":0.8}');
	const report = { score: 0.8, rationale: "", requirements_status: [] };
	expect(parsed).toEqual({ ok: true, report });
	expect(parseEvaluatorReport('{"score":0,"rationale":null}')).toMatchObject({ ok: true });
	expect(parseEvaluatorReport('\u{feff}{"score":1,"rationale":"all met","mood":"good"}')).toEqual({
		ok: true,
		report: { score: 1, rationale: "all met", requirements_status: [], mood: "good" },
	});
});

test("an evaluator speaks of criteria in a coach's words", () => {
	const statements = '[{"criterion":"c","met":true,"tests":["t"]},{"criterion":"d","met":false}]';
	const parsed = parseEvaluatorReport(`{"score":1,"requirements_status":${statements}}`);
	expect(parsed).toMatchObject({
		ok: true,
		report: {
			requirements_status: [
				{ criterion: "c", met: true, tests: ["t"] },
				{ criterion: "d", met: false, tests: [] },
			],
		},
	});
	expect(reason('{"score":1,"requirements_status":[{"criterion":"c","met":"yes"}]}')).toContain(
		"requirements_status",
	);
});

test.each([
	["no report", null, "no report was handed in"],
	["no score", "{}", "score: "],
	["a string", '{"score":"0.9"}', "score: Invalid input: expected number, received string"],
	["null", '{"score":null}', "score: Invalid input: expected number, received null"],
	["a list", '{"score":[0.9]}', "score: Invalid input: expected number"],
	["NaN", '{"score":NaN}', "not JSON"],
	["an infinity", '{"score":1e999}', "score: "],
	["a percentage", '{"score":85}', "score: Too big: expected number to be <=1"],
	["a negative score", '{"score":-0.1}', "score: Too small: expected number to be >=0"],
	["a bare number", "0.9", "expected object"],
	["prose around the report", 'Score: {"score":0.9}', "not JSON"],
	["two scores", '{"score":0.1,"score":0.9}', 'duplicate key "score"'],
	["an inherited score", '{"__proto__":{"score":0.9}}', "score: "],
	["many problems", '{"rationale":7}', "rationale: "],
	["a long text", `{"score":1,"rationale":"${"x".repeat(100_001)}"}`, "the limit is 100000"],
	["4 MiB", `{"score":1,"x":"${"x".repeat(4_194_305)}"}`, "larger than 4 MiB"],
	["hostile nesting", "[".repeat(1e6) + "]".repeat(1e6), "nested deeper"],
	["a cut report", '{"score":0.9,"rationale":"al', "not JSON"],
])("refused with a reason to act on: %s", (_name, source, expected) => {
	expect(reason(source)).toContain(expected);
});

test("what stands in the report's place is the reason", () => {
	expect(reason(null, "SPAR_REPORT is not a regular file")).toBe(
		"SPAR_REPORT is not a regular file",
	);
});

test("no text makes reading throw, and every score that is read is from 0 to 1", () => {
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc.json(),
				fc.double().map((score) => `{"score":${score}}`),
			),
			(source) => {
				const parsed = parseEvaluatorReport(source);
				const score = parsed.ok ? parsed.report.score : 0;
				expect(score >= 0 && score <= 1).toBe(true);
				expect(parsed.ok ? "ok" : parsed.reason).not.toBe("");
			},
		),
	);
});

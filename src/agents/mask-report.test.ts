import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { type Masker, maskerFor } from "../masking/masking.ts";
import type { AgentAnswer, AgentOutcome } from "./agent.ts";
import { maskOutcome, maskReport } from "./mask-report.ts";

const SECRET = "hunter2hunter2";
const masker: Masker = maskerFor([{ value: SECRET, rule: "env" }]);
const MARK = masker.mask(SECRET);
const SPELLED = Buffer.from(SECRET).toString("hex").replaceAll(/../g, "\\u00$&");

const reportOf = (report: string, by: Masker = masker): string => maskReport(by, report);

describe("a report", () => {
	test("is without secrets, and verbatim where it holds none", () => {
		expect(reportOf(`{ "notes":\t"pw ${SECRET}" }`)).toBe(`{ "notes":\t"pw ${MARK}" }`);
		const other = '{ "a": "caf\\u00e9 \\u0061\\/b" }';
		expect(reportOf(other)).toBe(other);
	});

	test("hides no secret behind another spelling of its characters", () => {
		expect(reportOf(`{"notes":"${SPELLED}"}`)).toBe(`{"notes":"${MARK}"}`);
		const slashed = maskerFor([{ value: "abcd/efgh/ijkl", rule: "env" }]);
		expect(reportOf('{"a":"abcd\\/efgh\\/ijkl"}', slashed)).toBe(
			`{"a":"${slashed.mask("abcd/efgh/ijkl")}"}`,
		);
	});

	test("means what it meant where its escapes were spelled plainly", () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 1 }), fc.string({ unit: "grapheme" }), (json, text) => {
				const report = JSON.stringify({ json, text, secret: SECRET })
					.replaceAll("/", "\\/")
					.replaceAll("a", "\\u0061");
				expect(JSON.parse(String(reportOf(report)))).toEqual({ json, text, secret: MARK });
			}),
			{ numRuns: amount(50) },
		);
	});

	test("keeps its fields where a number or a bracket reads like a secret", () => {
		const numeric = maskerFor([{ value: "1234567890", rule: "env" }]);
		expect(reportOf('{"score":1234567890,"rationale":"it is 1234567890"}', numeric)).toBe(
			`{"score":1234567890,"rationale":"it is ${numeric.mask("1234567890")}"}`,
		);
		const greedy: Masker = { mask: (text) => text.replace(/-----BEGIN[\s\S]*/, "[X]"), longest: 1 };
		const report = '{"rationale":"-----BEGIN x","decision":"feedback"}';
		expect(reportOf(report, greedy)).toBe('{"rationale":"[X]","decision":"feedback"}');
		const swallowing: Masker = { mask: (text) => text.replace(/"b":"x",/, ""), longest: 1 };
		expect(reportOf('{"b":"x","c":1}', swallowing)).toBe('{"b":"x","c":1}');
	});

	test("that is no JSON is masked as it is written and as it reads", () => {
		expect(reportOf(`{ "a": ${SECRET}`)).toBe(`{ "a": ${MARK}`);
		expect(reportOf(`I think {"a":"${SPELLED}"}`)).toBe(`I think {"a":"${MARK}"}`);
		expect(reportOf(`I think \\n {"a":"${SECRET}"}`)).toBe(`I think \\n {"a":"${MARK}"}`);
		const accented = maskerFor([{ value: "h\u00fcnterh\u00fcnter", rule: "env" }]);
		expect(reportOf("so: h\\u00FCnterh\\u00fcnter", accented)).not.toContain("nterh");
	});

	thorough(
		"keeps what is no text as it is written: numbers, order, keys that stand twice, any depth",
		() => {
			for (const hidden of [SECRET, SPELLED]) {
				expect(reportOf(`{"a":"${hidden}","a":"x"}`)).toBe(`{"a":"${MARK}","a":"x"}`);
				expect(reportOf(`{"a":1,"a":"${hidden}"}`)).toBe(`{"a":1,"a":"${MARK}"}`);
				expect(reportOf(`{"2":1e400, "${hidden}":1,"1":"${hidden}"}`)).toBe(
					`{"2":1e400, "${MARK}":1,"1":"${MARK}"}`,
				);
				const depth = amount(100_000, 30_000);
				const [open, close] = ['{"a":['.repeat(depth), "]}".repeat(depth)];
				expect(reportOf(`${open}"${hidden}"${close}`)).toBe(`${open}"${MARK}"${close}`);
			}
		},
	);

	test("decides what it decided where a secret reads like a field's name or its word", () => {
		const names = ["severity", "decision", "critical", "feedback", "withdrawn", "findings_status"];
		for (const value of names) {
			const by = maskerFor([{ value, rule: "env" }]);
			const report = {
				decision: "feedback",
				findings_status: [{ id: "F1", status: "withdrawn" }],
				feedback_items: [{ severity: "critical", issue: `it says ${value}`, line: 7 }],
				[`my_${value}`]: true,
			};
			const told = JSON.parse(reportOf(JSON.stringify(report), by)) as Record<string, unknown>;
			expect(told).toEqual({
				decision: "feedback",
				findings_status: [{ id: "F1", status: "withdrawn" }],
				feedback_items: [{ severity: "critical", issue: `it says ${by.mask(value)}`, line: 7 }],
				[`my_${by.mask(value)}`]: true,
			});
			expect(reportOf(JSON.stringify(told), by)).toBe(JSON.stringify(told));
		}
	});

	test("keeps no secret under a field that should hold a word, nor one that its field tells of", () => {
		expect(reportOf(`{"severity":"${SECRET}"}`)).toBe(`{"severity":"${MARK}"}`);
		// Masks a word of the report too, so that it cannot be masked as one text.
		const both: Masker = {
			mask: (text) =>
				text.replaceAll(/"password":"[^"[]*"/g, '"password":"[X]"').replaceAll("decision", "[Y]"),
			longest: 8,
		};
		expect(reportOf('{"decision":"approve","password":"abc"}', both)).toBe(
			'{"decision":"approve","password":"[X]"}',
		);
	});

	test("shows what stands behind escapes that only a reader undoes", () => {
		const quoted = maskerFor([{ value: 'a"b\\c\n12345', rule: "env" }]);
		const odd = JSON.stringify({ notes: 'a"b\\c\n12345' }).replace("\\n", "\\u000A");
		expect(reportOf(odd, quoted)).toBe(`{"notes":"${quoted.mask('a"b\\c\n12345')}"}`);
		expect(reportOf(`\u{feff}{"notes":"\\u0068${SECRET.slice(1)}"}`)).toBe(`{"notes":"${MARK}"}`);
	});
});

const answered = (part: Partial<AgentAnswer> = {}): AgentAnswer => ({
	kind: "answered",
	report: null,
	output: "",
	ms: 1,
	usage: null,
	...part,
});

test("a report is without secrets, and decides what it decided", () => {
	const severity = maskerFor([{ value: "severity", rule: "env" }]);
	expect(
		maskOutcome(severity, answered({ report: '{"severity":"critical","issue":"a severity"}' })),
	).toMatchObject({
		report: `{"severity":"critical","issue":"a ${severity.mask("severity")}"}`,
	});
});

test("a line of output that is JSON hides no secret behind its escapes", () => {
	const slashed = maskerFor([{ value: "abcd/efgh/ijkl", rule: "env" }]);
	const line = '{"text":"say \\u0061bcd\\/efgh\\/ijk\\u006c\\n"}';
	const { output } = maskOutcome(slashed, answered({ output: `x\n${line}\n{ torn \\u0061` }));
	expect(output).toBe(`x\n{"text":"say ${slashed.mask("abcd/efgh/ijkl")}\\n"}\n{ torn \\u0061`);
});

test("a line of output keeps its numbers and repeated keys, and one with talk hides nothing either", () => {
	const line = `{"n":12345678901234567890,"a":"first","a":"${SPELLED}"}`;
	const { output } = maskOutcome(masker, answered({ output: `${line}\nI think "${SPELLED}` }));
	expect(output).toBe(`{"n":12345678901234567890,"a":"first","a":"${MARK}"}\nI think "${MARK}`);
});

test("output, problem and message are without secrets, beside a cut too", () => {
	const cut = `x\n${SECRET.slice(0, 9)}\n[... 5 characters left out ...]\n${SECRET.slice(5)}\ny`;
	const [output, reportProblem] = [`${SECRET}\n`, `no ${SECRET}`];
	expect(maskOutcome(masker, answered({ output, reportProblem }))).toEqual(
		answered({ output: `${MARK}\n`, reportProblem: `no ${MARK}` }),
	);
	const failed: AgentOutcome = {
		kind: "failed",
		failure: "tool_error",
		message: `no ${SECRET}`,
		output: cut,
		ms: 1,
		retryAfterMs: 7,
	};
	const masked = maskOutcome(masker, failed);
	expect(masked).toMatchObject({ message: `no ${MARK}`, retryAfterMs: 7 });
	expect(masked.output).not.toContain(SECRET.slice(0, 6));
	expect(masked.output).not.toContain(SECRET.slice(-6));
});

test("what is cut later holds no half of a secret: the whole answer is masked before", () => {
	const notes = `${"x".repeat(230)} ${SECRET}`;
	const { report } = maskOutcome(masker, answered({ report: JSON.stringify({ notes }) })) as {
		readonly report: string; // An answer with a report was handed in.
	};
	// As a summary of a pair session is cut.
	const cut = (JSON.parse(report) as { readonly notes: string }).notes.slice(0, 240);
	expect(cut).toBe(`${"x".repeat(230)} ${MARK.slice(0, 9)}`);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentAnswer, AgentOutcome } from "../agents/agent.ts";
import { type Masker, maskerFor } from "../kernel/masking.ts";
import { maskedOutcome } from "./masked-outcome.ts";

const SECRET = "hunter2hunter2";
const masker: Masker = maskerFor([{ value: SECRET, rule: "env" }]);
const MARK = masker.mask(SECRET);

const answered = (part: Partial<AgentAnswer> = {}): AgentAnswer => ({
	kind: "answered",
	report: null,
	output: "",
	ms: 1,
	usage: null,
	...part,
});

const reportOf = (report: string, by: Masker = masker): unknown =>
	(maskedOutcome(by, answered({ report })) as AgentAnswer).report;

describe("a report", () => {
	test("is without secrets, and else verbatim", () => {
		expect(reportOf(`{ "notes":\t"pw ${SECRET}" }`)).toBe(`{ "notes":\t"pw ${MARK}" }`);
		const other = '{ "a": "caf\\u00e9 \\u0061\\/b" }';
		expect(reportOf(other)).toBe(other);
	});

	test("hides no secret behind another spelling of its characters", () => {
		const spelled = Buffer.from(SECRET).toString("hex").replaceAll(/../g, "\\u00$&");
		expect(reportOf(`{"notes":"${spelled}"}`)).toBe(`{"notes":"${MARK}"}`);
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
			{ numRuns: 50 },
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

	test("that is no JSON is masked as any text, and a key that stands twice is not lost", () => {
		expect(reportOf(`{ "a": ${SECRET}`)).toBe(`{ "a": ${MARK}`);
		expect(reportOf(`{"a":1,"a":"${SECRET}"}`)).toBe(`{"a":1,"a":"${MARK}"}`);
	});
});

test("output, problem and message are without secrets, beside a cut too", () => {
	const cut = `x\n${SECRET.slice(0, 9)}\n[... 5 characters left out ...]\n${SECRET.slice(5)}\ny`;
	const [output, reportProblem] = [`${SECRET}\n`, `no ${SECRET}`];
	expect(maskedOutcome(masker, answered({ output, reportProblem }))).toEqual(
		answered({ output: `${MARK}\n`, reportProblem: `no ${MARK}` }),
	);
	const failed: AgentOutcome = {
		...{ kind: "failed", failure: "tool_error", message: `no ${SECRET}`, output: cut, ms: 1 },
		retryAfterMs: 7,
	};
	const masked = maskedOutcome(masker, failed);
	expect(masked).toMatchObject({ message: `no ${MARK}`, retryAfterMs: 7 });
	expect(masked.output).not.toContain(SECRET.slice(0, 6));
	expect(masked.output).not.toContain(SECRET.slice(-6));
});

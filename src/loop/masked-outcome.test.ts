import { expect, test } from "vitest";
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

test("a report is without secrets, and decides what it decided", () => {
	const severity = maskerFor([{ value: "severity", rule: "env" }]);
	expect(
		maskedOutcome(severity, answered({ report: '{"severity":"critical","issue":"a severity"}' })),
	).toMatchObject({
		report: `{"severity":"critical","issue":"a ${severity.mask("severity")}"}`,
	});
});

test("a line of output that is JSON hides no secret behind its escapes", () => {
	const slashed = maskerFor([{ value: "abcd/efgh/ijkl", rule: "env" }]);
	const line = '{"text":"say \\u0061bcd\\/efgh\\/ijk\\u006c\\n"}';
	const { output } = maskedOutcome(slashed, answered({ output: `x\n${line}\n{ torn \\u0061` }));
	expect(output).toBe(`x\n{"text":"say ${slashed.mask("abcd/efgh/ijkl")}\\n"}\n{ torn \\u0061`);
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

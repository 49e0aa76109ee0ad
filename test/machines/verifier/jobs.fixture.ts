import type { VerificationAnswer, VerificationJob } from "../../../src/verification/remote-job.ts";

/** The task that jobs are about. */
const TASK = "limiter.v2";

/** A job of run `r1`, the same each time unless told otherwise. */
export const jobOf = (part: Partial<VerificationJob> = {}): VerificationJob => ({
	request: {
		run: "r1",
		task: { id: TASK, description: "Build it.", acceptanceCriteria: ["it limits"] },
		subtask: null,
		turn: 1,
		base: "b".repeat(40),
		commit: "c".repeat(40),
		verifier: "eve",
		spec: "s1",
		directive: null,
		suites: [],
		withdrawn: [],
		disputes: [],
	},
	fence: { runId: "r1", scope: "run", epoch: 1 },
	epoch: 0,
	items: 0,
	asked: 0,
	slot: 0,
	...part,
});

/** What makes a job another one, by what it is of. */
export const OTHERS: readonly (readonly [string, Partial<VerificationJob>])[] = [
	["a task that was reopened", { epoch: 1 }],
	["a task about which a person has answered since", { items: 1 }],
	["a later request of the same node", { asked: 1 }],
	["another request of the turn", { request: { ...jobOf().request, spec: "s2" } }],
];

export const passed = (asked = 1): VerificationAnswer => ({
	kind: "outcome",
	asked,
	outcome: {
		kind: "decided",
		result: {
			verdict: "passed",
			reasons: [{ kind: "tests_passed", count: 1 }],
			suites: [],
			tests: [{ path: "a.test.sh", name: "limits", status: "passed" }],
			failing: [],
			answers: [],
			run: "sh a.test.sh",
			outputPath: null,
			commit: "c".repeat(40),
		},
	},
});

export const roleFailed: VerificationAnswer = {
	kind: "outcome",
	asked: 1,
	outcome: { kind: "role_failed", agent: "eve", why: "no report" },
};

export const refused = (message: string, retryable = false): VerificationAnswer => ({
	kind: "refused",
	fault: { message, code: "lease-lost", hint: null, retryable },
});

import { expect, test } from "vitest";
import { refusedMergeStep, wallStep } from "../loop/records/task-steps.ts";
import { task, turn } from "../store/record-builders.contract.ts";
import type { Records, TurnRecord } from "../store/records.ts";
import { turnObstacles } from "./turn-obstacles.ts";

const TASK = task();

/** What is said of a task whose newest turn is this one, with these steps stored. */
function said(newest: Partial<TurnRecord> | null, steps: Readonly<Record<string, unknown>> = {}) {
	const records = {
		turns: () => Promise.resolve(newest === null ? [] : [turn(newest)]),
		step: ({ step }: { readonly step: string }) => Promise.resolve(steps[step]),
	} as unknown as Pick<Records, "turns" | "step">; // The result of a step is what its key says.
	return turnObstacles(records, TASK);
}

const WALL = wallStep(TASK, 1).step;
const SHORT = { kind: "check_short", status: "fail" } as const;
const RED = { ...SHORT, check: "tests", why: "1 of 3 tests failed" } as const;
const BLOCKED = { ...SHORT, check: "integrity", why: "2 changes: a.cfg: edited" } as const;
const sentBack = { route: "max_turns", effective: null } as const;

test("every blocked change is named with its file, beside what else stands in the way", async () => {
	const violations = ["a.cfg: edited", "b.cfg: deleted"];
	const wall = { suspicions: [], allowed: [], violations };
	expect(await said({ ...sentBack, reasons: [RED, BLOCKED] }, { [WALL]: wall })).toEqual({
		obstacles: [
			"required check tests failed: 1 of 3 tests failed",
			"blocked change: a.cfg: edited",
			"blocked change: b.cfg: deleted",
		],
		blocked_changes: violations,
	});
});

test("what a gate says of the acceptance evidence is not said twice; what it alone says is", async () => {
	const gate = { kind: "gate", tier: "T1" } as const;
	const again = {
		...gate,
		area: "acceptance_evidence",
		why: "acceptance evidence failed: tests: fail (1 of 3)",
	};
	const lint = {
		...gate,
		area: "verification",
		why: "verification failed: lint: fail (3 problems)",
	};
	expect((await said({ ...sentBack, reasons: [RED, again, lint] }))?.obstacles).toEqual([
		"required check tests failed: 1 of 3 tests failed",
		"gate T1: verification failed: lint: fail (3 problems)",
	]);
	expect((await said({ ...sentBack, reasons: [again] }))?.obstacles).toEqual([
		"gate T1: acceptance evidence failed: tests: fail (1 of 3)",
	]);
});

test("a turn that nothing blocks lacks its coach's word, or a condition to end at", async () => {
	const texts = async (part: Partial<TurnRecord>) =>
		(await said({ ...sentBack, reasons: [], ...part }))?.obstacles;
	expect(await texts({ effective: "feedback" })).toEqual(["the coach did not approve"]);
	expect(await texts({ effective: "approve" })).toEqual(["no exit condition holds"]);
	expect(await texts({ route: "escalate" })).toEqual([]);
});

test.each([
	[
		{ kind: "conflict", paths: ["a.js", "b.js"] },
		"the merge was refused: both sides changed a.js, b.js",
	],
	[
		{ kind: "checks", short: [{ check: "tests", status: "fail", reason: "1 of 3 tests failed" }] },
		"the merge was refused, on the merged files: required check tests failed: 1 of 3 tests failed",
	],
	[
		{ kind: "tests", failing: ["adds", "rounds"] },
		"the merge was refused, on the merged files: tests of the verifier failed: adds, rounds",
	],
])("an approved turn is held up by its refused merge alone: %j", async (trouble, text) => {
	const steps = { [refusedMergeStep(TASK, 1).step]: { trouble, told: "Both sides …" } };
	expect(await said({ route: "approve", reasons: [] }, steps)).toEqual({
		obstacles: [text],
		blocked_changes: [],
	});
});

test("nothing holds up a turn that is judged by nothing yet", async () => {
	expect(await said({ route: "approve", reasons: [] })).toBeNull();
	expect(await said({ route: null, reasons: [RED] })).toBeNull();
	expect(await said(null)).toBeNull();
});

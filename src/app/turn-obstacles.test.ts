import { expect, test } from "vitest";
import { mergeTroubleStep, wallStep } from "../loop/task-reader.ts";
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
	const again = { ...gate, why: "acceptance evidence failed: tests: fail (1 of 3)" };
	const lint = { ...gate, why: "verification failed: lint: fail (3 problems)" };
	expect((await said({ ...sentBack, reasons: [RED, again, lint] }))?.obstacles).toEqual([
		"required check tests failed: 1 of 3 tests failed",
		"gate T1: verification failed: lint: fail (3 problems)",
	]);
	expect((await said({ ...sentBack, reasons: [again] }))?.obstacles).toEqual([
		"gate T1: acceptance evidence failed: tests: fail (1 of 3)",
	]);
});

test("of a run of an older version the first blocked change is known", async () => {
	const wall = { suspicions: [], allowed: [] };
	expect(await said({ ...sentBack, reasons: [BLOCKED] }, { [WALL]: wall })).toEqual({
		obstacles: ["required check integrity failed: 2 changes: a.cfg: edited"],
		blocked_changes: [],
	});
});

test("a turn that nothing blocks lacks its coach's word, or a condition to end at", async () => {
	const texts = async (part: Partial<TurnRecord>) =>
		(await said({ ...sentBack, reasons: [], ...part }))?.obstacles;
	expect(await texts({ effective: "feedback" })).toEqual(["the coach did not approve"]);
	expect(await texts({ effective: "approve" })).toEqual(["no exit condition holds"]);
	expect(await texts({ route: "escalate" })).toEqual([]);
});

test("an approved turn is held up by its refused merge alone, and one that is judged by nothing yet", async () => {
	const trouble = "These files changed on both sides and could not be merged:\na.js\n\nThe places";
	const steps = { [mergeTroubleStep(TASK, 1).step]: trouble };
	expect(await said({ route: "approve", reasons: [] }, steps)).toMatchObject({
		obstacles: [
			"the merge was refused: These files changed on both sides and could not be merged:\na.js",
		],
	});
	const red =
		"The checks failed on the assembled tree:\n\ntests failed: exit code 1\nsee the log\n\nFix it";
	expect(
		await said({ route: "approve", reasons: [] }, { [mergeTroubleStep(TASK, 1).step]: red }),
	).toMatchObject({
		obstacles: [
			"the merge was refused: The checks failed on the assembled tree: tests failed: exit code 1",
		],
	});
	expect(await said({ route: "approve", reasons: [] })).toBeNull();
	expect(await said({ route: null, reasons: [RED] })).toBeNull();
	expect(await said(null)).toBeNull();
});

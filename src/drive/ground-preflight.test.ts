import { expect, test } from "vitest";
import type { GroundProblem } from "../judge/ground-problems.ts";
import { run } from "../store/record-builders.contract.ts";
import type { Write } from "../store/records.ts";
import { NO_SPENDING } from "../store/spending.ts";
import { groundPreflight } from "./ground-preflight.ts";

const BROKEN: GroundProblem = { kind: "setup", why: "npm ci ended with exit code 1", said: [] };
const EMPTY: GroundProblem = { kind: "no_tests", check: "tests" };

/** The preflight of a run in which nobody was called yet, with a person who answers by hand. */
function scene(answer: Promise<boolean>) {
	const asked: number[] = [];
	const notices: string[] = [];
	const outcomes: unknown[] = [];
	const task = { human: true };
	// Only what a preflight touches of a run.
	const drive = {
		run: run(),
		repository: {},
		workflow: { tasks: [task] },
		store: { records: { spending: () => Promise.resolve(NO_SPENDING) } },
		onNotice: (text: string) => void notices.push(text),
		onPreflight: (problems: readonly unknown[]) => {
			asked.push(problems.length);
			return answer;
		},
	} as unknown as Parameters<typeof groundPreflight>[0];
	const preflight = groundPreflight(drive, (writes: readonly Write[]) => {
		for (const write of writes)
			if (write.kind === "event" && write.event.type === "preflight-ended")
				outcomes.push([write.event.task, write.event.data.outcome]);
		return Promise.resolve();
	});
	return { preflight, asked, notices, outcomes };
}

test("tasks that begin at once with the same problem ask a person once", async () => {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const { preflight, asked, outcomes } = scene(promise);
	const tasks = ["a", "b", "c"].map((task) => preflight(task, [BROKEN]));
	resolve(true);
	await Promise.all(tasks);
	expect(asked).toEqual([1]);
	expect(outcomes).toEqual([["a", "went_on"]]);
});

test("a refusal is one for all of them, and is told once", async () => {
	const { preflight, asked, outcomes } = scene(Promise.resolve(false));
	const tasks = ["a", "b"].map((task) => preflight(task, [BROKEN]));
	for (const task of tasks) await expect(task).rejects.toThrow("stopped before the first call");
	expect(asked).toEqual([1]);
	expect(outcomes).toEqual([["a", "stopped"]]);
});

test("what all of them have to tell is told once", async () => {
	const { preflight, notices } = scene(Promise.resolve(true));
	await Promise.all(["a", "b"].map((task) => preflight(task, [EMPTY])));
	expect(notices).toHaveLength(1);
});

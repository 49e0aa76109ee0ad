import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { RUN, TASK, task } from "../store/record-builders.contract.ts";
import type { TaskRecord, Write } from "../store/records.ts";
import { nextTry, pauseMs } from "./tries.ts";

const remoteAway = new Fault("the remote is away", { code: "remote-unreachable", retryable: true });
const storeAway = new Fault("the store is away", { code: "store-unreachable", retryable: true });

/** Fails as often as it is let, at most 20 times. @returns how often it was taken up again */
function scene(part: Partial<TaskRecord> = {}) {
	let stored: unknown = null;
	let standing = task({ phase: "merging", turns: 2, ...part });
	const fails = (error: unknown): Promise<number | null> =>
		nextTry(
			async ([write]: readonly Write[]) => {
				if (write?.kind === "step") stored = write.result;
			},
			{ task: async () => standing, step: async <T>() => stored as T },
			{ runId: RUN, taskId: TASK, error },
		);
	const tries = async (error: unknown): Promise<number> => {
		for (let times = 0; times < 20; times += 1) if ((await fails(error)) === null) return times;
		return 20;
	};
	return { tries, moves: (to: Partial<TaskRecord>) => (standing = { ...standing, ...to }) };
}

test("a fault that passes by itself is tried again eight times where a task stands", async () => {
	expect(await scene().tries(remoteAway)).toBe(8);
});

test("a task that came further is tried again as often as before", async () => {
	const { tries, moves } = scene();
	expect(await tries(remoteAway)).toBe(8);
	moves({ turns: 3 });
	expect(await tries(remoteAway)).toBe(8);
});

test("a push that is refused is tried as often as a remote that is away, for some minutes", async () => {
	expect(await scene().tries(new Fault("the hook says no", { code: "push-refused" }))).toBe(8);
	const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(pauseMs);
	expect(pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
	expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(183_000);
});

test("a store that is away stops no task", async () => {
	expect(await scene().tries(storeAway)).toBe(20);
});

test("an error that does not pass is not tried again", async () => {
	expect(await scene().tries(new Error("a bug"))).toBe(0);
	expect(await scene().tries(new Fault("no", { code: "git-failed" }))).toBe(0);
});

import { expect, test } from "vitest";
import type { Records, RunRecord } from "../store/records.ts";
import { findResumable, findRun } from "./find-run.ts";

const run = (runId: string, status: RunRecord["status"]) =>
	// Only what is read here matters of a run.
	({ runId, status, workflow: { name: "w" } }) as unknown as RunRecord;

const records = (...runs: RunRecord[]) =>
	({
		runs: async () => runs,
		newestRun: async () => runs[0]?.runId,
		run: async (id: string) => runs.find(({ runId }) => runId === id),
		runOverview: async (id: string) => {
			const found = runs.find(({ runId }) => runId === id);
			return { ...found, workflow: "w", waiting: id === "r1" ? 1 : 0 };
		},
		tasks: async (runId: string) =>
			runId === "r1" ? [{ taskId: "a", status: "paused_for_human", humanItem: "H1" }] : [],
		item: async () => ({ answer: { choice: "continue" }, consumed: false }),
	}) as unknown as Records;

/** A store of these runs; a process works on those that are named. */
const store = (held: readonly string[], ...runs: RunRecord[]) => ({
	records: records(...runs),
	leases: {
		holder: async (runId: string) =>
			held.includes(runId) ? { host: "here", pid: 1, since: "", seenAt: "" } : undefined,
	},
});

test("without a name the newest run is meant", async () => {
	expect((await findRun(records(run("r2", "failed"), run("r1", "completed")))).runId).toBe("r2");
	expect((await findRun(records(run("r2", "failed"), run("r1", "completed")), "r1")).runId).toBe(
		"r1",
	);
});

test("an unknown run and a repository without runs are faults that say what to do", async () => {
	await expect(findRun(records(), "r9")).rejects.toMatchObject({
		code: "run-not-found",
		hint: expect.stringContaining("spar runs") as unknown,
	});
	await expect(findRun(records())).rejects.toMatchObject({
		hint: expect.stringContaining("spar run") as unknown,
	});
});

test("a bare resume means the only run that has not ended", async () => {
	const found = await findResumable(
		store([], run("r3", "completed"), run("r2", "paused_for_user_escalation")),
		false,
	);
	expect(found.runId).toBe("r2");
});

test("with several it lists them, in the words of every list", async () => {
	const several = findResumable(
		store(
			["r4"],
			run("r4", "running"),
			run("r3", "running"),
			run("r2", "paused_for_user_escalation"),
			run("r1", "paused_for_user_escalation"),
		),
		false,
	);
	await expect(several).rejects.toThrow(
		[
			"r4  w  running",
			"r3  w  running (no process works on it)",
			"r2  w  waiting for you",
			"r1  w  answered (spar resume goes on)",
		].join("\n  "),
	);
});

test("reopening means the only failed run when none is under way", async () => {
	expect(
		(await findResumable(store([], run("r2", "failed"), run("r1", "completed")), true)).runId,
	).toBe("r2");
	await expect(findResumable(store([], run("r2", "failed")), false)).rejects.toMatchObject({
		code: "run-not-found",
	});
});

test("with none that has not ended it means the newest, where that is still to land", async () => {
	const toLand = (runId: string): RunRecord =>
		// As above.
		({
			...run(runId, "completed"),
			landedCommit: null,
			workflow: { name: "w", merge: { into: "base" } },
		}) as never;
	const merged = { tasks: async () => [{ taskId: "a", merged: true }] };
	const owing = (...runs: RunRecord[]) => {
		const { records: all, leases } = store([], ...runs);
		return { records: { ...all, ...merged } as unknown as Records, leases };
	};
	const found = await findResumable(owing(toLand("r3"), toLand("r2")), false);
	expect(found.runId).toBe("r3");
	for (const newest of [run("r4", "failed"), { ...toLand("r4"), landedCommit: "c" } as RunRecord])
		await expect(findResumable(owing(newest, toLand("r3")), false)).rejects.toMatchObject({
			code: "run-not-found",
		});
});

import { expect, test } from "vitest";
import type { HumanItem } from "../human/human-item.ts";
import { anItem } from "../human/item-builder.contract.ts";
import type { Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import { cancelTasks, requireCancellable } from "./cancel-run.ts";

const item = (id: string, status: HumanItem["status"]): HumanItem =>
	anItem({ id, taskId: id, trigger: "escalation", status });

async function cancelled(items: readonly HumanItem[]): Promise<Write[]> {
	// Only what cancelling reads matters of a task.
	const task = { taskId: "a", status: "paused_for_human", turns: 1 } as TaskRecord;
	// Only these two are called.
	const records = { tasks: async () => [task], items: async () => items } as unknown as Records;
	const written: Write[] = [];
	const commit = async (writes: readonly Write[]) => {
		written.push(...writes);
	};
	await cancelTasks(records, "r1", { checkoutOf: ({ taskId }) => `/checkouts/${taskId}`, commit });
	return written;
}

test("a cancelled run asks nobody any more", async () => {
	const writes = await cancelled([item("a", "PENDING"), item("b", "ACKED")]);
	expect(writes.filter(({ kind }) => kind === "item")).toMatchObject(
		["a", "b"].map((id) => ({
			item: { id, status: "REJECTED", answer: { reason: "the run was cancelled" }, consumed: true },
		})),
	);
});

test("a person's answer is left as it is", async () => {
	const writes = await cancelled([item("a", "RESOLVED"), item("b", "REJECTED")]);
	expect(writes.filter(({ kind }) => kind === "item")).toEqual([]);
});

type Cancellables = Parameters<typeof requireCancellable>[0];

/** Only the runs and their holder are asked for, and of them only what is here. All of them land by themselves. */
function withRuns(statuses: readonly RunRecord["status"][], held?: string): Cancellables {
	const workflow = { merge: { into: "base" } };
	const runs = statuses.map(
		(status, index) =>
			({ runId: `r${index + 1}`, status, workflow, landedCommit: null }) as RunRecord,
	);
	const run = (id: string) => Promise.resolve(runs.find(({ runId }) => runId === id));
	const holder = async (id: string) => (id === held ? { pid: 1 } : undefined);
	const records = { runs: () => Promise.resolve(runs), run };
	return { records, leases: { holder }, machines: null } as unknown as Cancellables;
}

test("of several runs under way the one to cancel must be named", async () => {
	const several = withRuns(["running", "completed", "paused_for_user_escalation"]);
	await expect(requireCancellable(several, undefined)).rejects.toThrow(/r1.*r3|r3.*r1/s);
	expect(await requireCancellable(several, "r3")).toMatchObject({ runId: "r3" });
	const one = withRuns(["completed", "running"]);
	expect(await requireCancellable(one, undefined)).toMatchObject({ runId: "r2" });
});

test("a run that its process lands can be cancelled, one that has completed otherwise cannot", async () => {
	const landing = withRuns(["completed", "completed"], "r2");
	expect(await requireCancellable(landing, undefined)).toMatchObject({ runId: "r2" });
	expect(await requireCancellable(landing, "r2")).toMatchObject({ runId: "r2" });
	await expect(requireCancellable(landing, "r1")).rejects.toMatchObject({
		code: "run-not-resumable",
	});
	const elsewhere = { ...landing, machines: {} } as unknown as Cancellables;
	await expect(requireCancellable(elsewhere, undefined)).rejects.toMatchObject({
		code: "run-not-found",
	});
});

/** A completed run of machines that share a store, whose work has merged. */
function onMachines(...events: readonly { readonly type: string; readonly data: object }[]) {
	const { records, ...store } = withRuns(["completed"]);
	const tasks = async () => [{ merged: true }];
	const read = { ...records, tasks, events: async () => events };
	return { ...store, records: read, machines: {} } as unknown as Cancellables;
}

test("of a run that a worker is to land it is said what is left, and who does it", async () => {
	await expect(requireCancellable(onMachines(), "r1")).rejects.toMatchObject({
		code: "run-not-resumable",
		message: "all tasks of run r1 have ended, and a worker is to land its work",
		hint: "A landing by a worker cannot be cancelled. Follow it: spar status r1 --watch. If no worker runs, land it here: spar land r1",
	});
});

test("of a run whose landing was refused nothing is left to cancel", async () => {
	const refused = { type: "landing-refused", data: { branch: "main", reason: "tests failed" } };
	await expect(requireCancellable(onMachines(refused), "r1")).rejects.toMatchObject({
		message: "run r1 has already ended as completed",
	});
});

import { expect, test } from "vitest";
import type { HumanItem } from "../../human/human-item.ts";
import { anItem } from "../../human/item-builder.contract.ts";
import type { Records, RunRecord, TaskRecord, Write } from "../../store/records.ts";
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

/** Only the runs are asked for, and of them only what is here. */
function withRuns(...statuses: readonly RunRecord["status"][]): Records {
	const runs = statuses.map((status, index) => ({ runId: `r${index + 1}`, status }) as RunRecord);
	const run = (id: string) => Promise.resolve(runs.find(({ runId }) => runId === id));
	return { runs: () => Promise.resolve(runs), run } as unknown as Records;
}

test("of several runs under way the one to cancel must be named", async () => {
	const records = withRuns("running", "completed", "paused_for_user_escalation");
	await expect(requireCancellable(records, undefined)).rejects.toThrow(/r1.*r3|r3.*r1/s);
	expect(await requireCancellable(records, "r3")).toMatchObject({ runId: "r3" });
	const one = withRuns("completed", "running");
	expect(await requireCancellable(one, undefined)).toMatchObject({ runId: "r2" });
});

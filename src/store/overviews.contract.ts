import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunSelection } from "./overviews.ts";
import {
	answer,
	call,
	event,
	HOSTILE,
	item,
	paidCall,
	RUN,
	run,
	TASK,
	task,
} from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, RunRecord, TaskRecord, Write } from "./records.ts";

/** What every adapter of `Records` tells of all runs at once; called by the adapter's own test. */
export function overviewsContract(name: string, open: () => Promise<StoreUnderTest>): void {
	let store: StoreUnderTest;
	let records: Records;
	beforeEach(async () => {
		store = await open();
		records = store.records;
	});
	afterEach(() => store.close());

	/** Stores a run, and what happens in it. */
	async function begin(
		part: Partial<RunRecord> & { readonly runId: string },
		tasks: readonly Partial<TaskRecord>[] = [],
		...writes: readonly Write[]
	): Promise<void> {
		const { runId } = part;
		const lease: Lease = await store.leases.take(runId);
		const own = tasks.map((each, position) =>
			task({ runId, position, taskId: `t${position}`, ...each }),
		);
		await records.createRun(run(part), own, lease);
		await records.commit(lease, writes);
		await lease.release();
	}

	const page = async (
		selection: RunSelection,
		before: string | null = null,
		limit = 50,
	): Promise<string[]> =>
		(await records.runPage({ selection, before, limit })).map(({ runId }) => runId);

	const said = (runId: string, taskId: string | null = null): Write => ({
		kind: "event",
		run: runId,
		event: { ...event(1), task: taskId },
	});

	describe(`${name}: runs in a line`, () => {
		test("a run is told with its workflow's name, its tasks by status, and what it used", async () => {
			const workflow = { ...run().workflow, name: HOSTILE };
			await begin(
				{ runId: RUN, workflow, status: "failed", cancelRequested: true, pruned: true },
				[
					{ taskId: TASK, status: "completed" },
					{ status: "failed" },
					{ status: "blocked" },
					{ status: "cancelled" },
					{ status: "paused_for_human" },
					{ status: "running" },
				],
				{ kind: "call", call: paidCall(1) },
				{ kind: "call", call: paidCall(2) },
				{ kind: "call", call: call({ call: 3 }) },
				{ kind: "time", runId: RUN, heldMs: 1_500, tasks: {} },
			);
			const overview = {
				runId: RUN,
				workflow: HOSTILE,
				status: "failed",
				baseBranch: "main",
				createdAt: run().createdAt,
				endedAt: null,
				landedCommit: null,
				cancelRequested: true,
				pruned: true,
				total: 6,
				completed: 1,
				failed: 1,
				blocked: 1,
				cancelled: 1,
				waiting: 1,
				costUsd: 0.5,
				unknownCalls: 1,
				heldMs: 1_500,
			};
			expect(await records.runPage({ selection: "all", before: null, limit: 1 })).toEqual([
				overview,
			]);
			expect(await records.runOverview(RUN)).toEqual(overview);
		});

		test("a run without calls cost nobody knows what, and no run is none", async () => {
			await begin({ runId: RUN });
			expect(await records.runOverview(RUN)).toMatchObject({
				total: 0,
				costUsd: null,
				unknownCalls: 0,
				heldMs: 0,
			});
			expect(await records.runOverview("none")).toBeUndefined();
		});

		test("pages follow each other from the newest to the oldest, each run once", async () => {
			for (const runId of ["a", "b", "c", "d", "e"]) await begin({ runId });
			expect(await page("all", null, 2)).toEqual(["e", "d"]);
			expect(await page("all", "d", 2)).toEqual(["c", "b"]);
			expect(await page("all", "b", 2)).toEqual(["a"]);
			expect(await page("all", "a", 2)).toEqual([]);
			expect(await page("all", "none", 2)).toEqual([]);
		});

		test("each selection has its runs", async () => {
			await begin({ runId: "done", status: "completed" }, [{ merged: true, status: "completed" }]);
			await begin({ runId: "landed", status: "completed", landedCommit: "c" }, [{ merged: true }]);
			await begin({ runId: "failed", status: "failed" }, [{ status: "failed" }]);
			await begin({ runId: "going", status: "running" }, [{ status: "failed" }, {}]);
			await begin({ runId: "paused", status: "paused_for_user_escalation" }, [{}], {
				kind: "item",
				item: item({ id: "i1", runId: "paused", taskId: "t0" }),
			});
			expect(await page("waiting")).toEqual(["paused"]);
			expect(await page("failed")).toEqual(["going", "failed"]);
			expect(await page("active")).toEqual(["paused", "going"]);
			expect(await page("unlanded")).toEqual(["done"]);
			expect(await records.activeRuns()).toEqual([
				{ runId: "paused", status: "paused_for_user_escalation", cancelRequested: false },
				{ runId: "going", status: "running", cancelRequested: false },
			]);
			await records.answer("i1", "RESOLVED", answer());
			expect(await page("waiting")).toEqual([]);
		});
	});

	describe(`${name}: over all runs`, () => {
		test("open items of all runs come newest first, without those that are answered", async () => {
			for (const id of ["i1", "i2", "i3"])
				await begin({ runId: `run-${id}` }, [{}], {
					kind: "item",
					item: item({ id, runId: `run-${id}`, taskId: "t0" }),
				});
			await records.answer("i2", "REJECTED", answer({ choice: "reject" }));
			await records.answer("i3", "ACKED", null);
			expect((await records.openItems()).map(({ id }) => id)).toEqual(["i3", "i1"]);
		});

		test("a later run replaces the task of an earlier one where it has both its workflow and its task, and was not cancelled", async () => {
			const other = { ...run().workflow, name: "other" };
			await begin({ runId: "a" }, [{}, {}]);
			await begin({ runId: "b" }, [{}, {}]);
			await begin({ runId: "c" }, [{}]);
			await begin({ runId: "d", status: "cancelled" }, [{}]);
			await begin({ runId: "e", workflow: other }, [{}]);
			const later = await Promise.all(
				["a", "b", "c", "e"].map((runId) => records.laterRun(runId, "t0")),
			);
			expect(later).toEqual(["c", "c", undefined, undefined]);
			expect(await records.laterRun("a", "t1")).toBe("b");
			expect(await records.laterRun("b", "t1")).toBeUndefined();
		});

		test("events of all runs, of one, and of a task come behind an id in their order, as many as are wanted", async () => {
			expect(await records.newestEvent()).toBe(0);
			await begin({ runId: "a" }, [], said("a"), said("a", "t0"));
			await begin({ runId: "b" }, [], said("b", "t0"));
			await begin({ runId: "c" }, [], said("c"));
			const ids = async (after: number, runId: string | null, taskId: string | null, limit = 9) =>
				(await records.eventsAfter(after, { runId, taskId }, limit)).map(({ id }) => id);
			const first = (await records.newestEvent()) - 3;
			const all = [first, first + 1, first + 2, first + 3];
			expect(await ids(0, null, null)).toEqual(all);
			expect(await ids(first, null, null, 2)).toEqual(all.slice(1, 3));
			expect(await ids(0, "a", null)).toEqual(all.slice(0, 2));
			expect(await ids(0, "a", "t0")).toEqual([first + 1]);
			expect(await ids(first + 1, "a", null)).toEqual([]);
		});

		test("calls of a task come as they ended, of all turns and roles, and of no other task", async () => {
			const calls = [
				call({ turn: 1, role: "player" }),
				call({ turn: 1, role: "coach" }),
				call({ turn: 2, role: "player" }),
			];
			const other = call({ taskId: "docs" });
			await begin(
				{ runId: RUN },
				[{ taskId: TASK }, { taskId: "docs" }],
				...[...calls, other].map((each): Write => ({ kind: "call", call: each })),
			);
			expect(await records.taskCalls(RUN, TASK)).toEqual(calls);
			expect(await records.taskCalls(RUN, "none")).toEqual([]);
		});

		test("the pulse beats with each commit, and not without one", async () => {
			await begin({ runId: RUN }, [{}], {
				kind: "item",
				item: item({ runId: RUN, taskId: "t0" }),
			});
			const before = await records.pulse();
			await records.openItems();
			expect(await records.pulse()).toBe(before);
			await records.answer("i1", "ACKED", null);
			expect(await records.pulse()).not.toBe(before);
		});
	});
}

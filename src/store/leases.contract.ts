import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	call,
	event,
	evidence,
	finding,
	item,
	RUN,
	run,
	TASK,
	task,
	turn,
} from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, Write } from "./records.ts";

/** Typed, as vitest gives `any`. */
const textWith = (part: string): unknown => expect.stringContaining(part);

/** What every adapter of `Leases` keeps, and what a fence means to its `Records`; called by the adapter's own test. */
export function leasesContract(name: string, open: () => Promise<StoreUnderTest>): void {
	let store: StoreUnderTest;
	let records: Records;
	let lease: Lease;
	beforeEach(async () => {
		store = await open();
		records = store.records;
		lease = await store.leases.take(RUN);
	});
	afterEach(async () => {
		await lease.release();
		await store.close();
	});
	const begin = async (): Promise<void> => {
		await records.createRun(run(), [task()], lease);
	};
	const turnKey = { runId: RUN, taskId: TASK, turn: 1 } as const;

	describe(`${name}: leases and fences`, () => {
		test("a run that is held is refused with the name of its holder, to the same process too", async () => {
			await expect(store.leases.take(RUN)).rejects.toMatchObject({
				code: "run-held",
				message: textWith(`pid ${process.pid}`),
			});
			expect(await store.leases.holder(RUN)).toMatchObject({ pid: process.pid });
		});

		test("a released run has no holder and is taken with the next epoch; releasing twice is once", async () => {
			await lease.release();
			expect(await store.leases.holder(RUN)).toBeUndefined();
			const next = await store.leases.take(RUN);
			await lease.release();
			expect(await store.leases.holder(RUN)).toBeDefined();
			expect(next.epoch).toBe(lease.epoch + 1);
			await next.release();
		});

		test("the run of a dead process is taken at once, and its late writes change nothing", async () => {
			const late = await store.leasesOfTheDead.take("crashed");
			await records.createRun(run({ runId: "crashed" }), [task({ runId: "crashed" })], late);
			expect(await store.leases.holder("crashed")).toBeUndefined();
			const next = await store.leases.take("crashed");
			const patch = { status: "failed" } as const;
			const write: Write = { kind: "run", runId: "crashed", patch };
			await expect(records.commit(late, [write])).rejects.toMatchObject({ code: "lease-lost" });
			expect((await records.run("crashed"))?.status).toBe("running");
			await records.commit(next, [write]);
			expect((await records.run("crashed"))?.status).toBe("failed");
			await late.release();
			expect(await store.leases.holder("crashed")).toBeDefined();
			await next.release();
		});

		test("a fence that nobody took writes nothing", async () => {
			const fence = { runId: "untaken", scope: "run", epoch: 1 } as const;
			const created = records.createRun(run({ runId: "untaken" }), [], fence);
			await expect(created).rejects.toMatchObject({ code: "lease-lost" });
			expect(await records.run("untaken")).toBeUndefined();
		});

		test("the run, its tasks and its integration branch are held independently, each with epochs of its own", async () => {
			await begin();
			const scopes = [
				{ task: TASK },
				{ task: "run" },
				{ task: "integration" },
				"integration",
			] as const;
			for (const scope of scopes) {
				expect(await store.leases.holder(RUN, scope)).toBeUndefined();
				const first = await store.leases.take(RUN, scope);
				expect(first).toMatchObject({ runId: RUN, scope, epoch: 1 });
				await expect(store.leases.take(RUN, scope)).rejects.toMatchObject({ code: "run-held" });
				await first.release();
				const next = await store.leases.take(RUN, scope);
				expect(next.epoch).toBe(2);
				await expect(records.commit(first, [])).rejects.toMatchObject({ code: "lease-lost" });
				await records.commit(next, []);
				await next.release();
			}
			await records.commit(lease, []);
		});

		test("who holds a task alone is found as a holder of its run", async () => {
			const task = await store.leases.take("parts", { task: TASK });
			expect(await store.leases.holder("parts")).toMatchObject({ pid: process.pid });
			await task.release();
			expect(await store.leases.holder("parts")).toBeUndefined();
		});

		test("a task's fence writes for its own task only, and makes no run", async () => {
			await records.createRun(run(), [task(), task({ taskId: "docs", position: 1 })], lease);
			const own = await store.leases.take(RUN, { task: TASK });
			const warned = { kind: "budget-warned", runId: RUN, budget: "usd", event: event(1) } as const;
			await records.commit(own, [
				{ kind: "task", runId: RUN, taskId: TASK, patch: { flags: ["x"] } },
				{ kind: "step", key: { ...turnKey, step: "x" }, result: 1 },
				{ kind: "time", runId: RUN, heldMs: 1, tasks: { [TASK]: 1 } },
				{ ...warned, taskId: null },
				{ ...warned, taskId: TASK },
				// What landed before does not hold what the task merged.
				{ kind: "run", runId: RUN, patch: { landedCommit: null } },
			]);
			const foreign: readonly Write[] = [
				{ kind: "run", runId: RUN, patch: {} },
				{ kind: "run", runId: RUN, patch: { landedCommit: "c1" } },
				{ kind: "task", runId: RUN, taskId: "docs", patch: {} },
				{ kind: "step", key: { ...turnKey, taskId: "docs", step: "x" }, result: 1 },
				{ kind: "call", call: call({ taskId: "docs" }) },
				{ ...warned, taskId: "docs" },
			];
			for (const write of foreign)
				await expect(records.commit(own, [write])).rejects.toThrow(`of task ${TASK}`);
			const other = await store.leases.take("other", { task: TASK });
			const created = records.createRun(run({ runId: "other" }), [], other);
			await expect(created).rejects.toThrow("may not make a run");
			await other.release();
			await own.release();
		});

		test("the fence of the integration branch writes nothing", async () => {
			await begin();
			const branch = await store.leases.take(RUN, "integration");
			for (const write of [
				{ kind: "task", runId: RUN, taskId: TASK, patch: {} },
				{ kind: "time", runId: RUN, heldMs: 1, tasks: {} },
			] as const)
				await expect(records.commit(branch, [write])).rejects.toThrow("integration branch");
			await branch.release();
		});

		test("a fence writes for its own run only", async () => {
			await begin();
			const other = await store.leases.take("other");
			const writes: readonly Write[] = [
				{ kind: "run", runId: RUN, patch: {} },
				{ kind: "task", runId: RUN, taskId: TASK, patch: {} },
				{ kind: "step", key: { ...turnKey, step: "x" }, result: 1 },
				{ kind: "call", call: call() },
				{ kind: "turn", turn: turn() },
				{ kind: "evidence", ...turnKey, attempt: 1, evidence: evidence() },
				{ kind: "finding", runId: RUN, taskId: TASK, finding: finding() },
				{ kind: "item", item: item() },
				{ kind: "event", run: RUN, event: event(1) },
				{ kind: "time", runId: RUN, heldMs: 1, tasks: {} },
				{ kind: "budget-warned", runId: RUN, taskId: null, budget: "usd", event: event(1) },
			];
			for (const write of writes) {
				await expect(records.commit(other, [write])).rejects.toThrow("may not write for run");
			}
			const foreign = records.createRun(run({ runId: "other" }), [task()], other);
			await expect(foreign).rejects.toThrow("may not write for run");
			await other.release();
		});
	});
}

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
			const fence = { runId: "untaken", epoch: 1 };
			const created = records.createRun(run({ runId: "untaken" }), [], fence);
			await expect(created).rejects.toMatchObject({ code: "lease-lost" });
			expect(await records.run("untaken")).toBeUndefined();
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

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { itemVersion } from "../human/human-item.ts";
import { answer, HOSTILE, item, RUN, run, task } from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, Write } from "./records.ts";

/** What every adapter of `Records` keeps of questions for people; called by the adapter's own test. */
export function itemsContract(name: string, open: () => Promise<StoreUnderTest>): void {
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
	const commit = (...writes: readonly Write[]): ReturnType<Records["commit"]> =>
		records.commit(lease, writes);

	describe(`${name}: people`, () => {
		beforeEach(async () => {
			await records.createRun(run(), [task()], lease);
			await commit({ kind: "item", item: item({ reason: HOSTILE }) });
		});

		test("items are listed newest first whatever the clock said, of one run when it is named", async () => {
			const docs = item({ id: "i2", taskId: "docs", createdAt: "1999-01-01T00:00:00.000Z" });
			await commit({ kind: "item", item: docs });
			expect(await records.items()).toEqual([docs, item({ reason: HOSTILE })]);
			expect(await records.items(RUN)).toHaveLength(2);
			expect(await records.items("other")).toEqual([]);
		});

		test("a task has at most one open item", async () => {
			await expect(commit({ kind: "item", item: item({ id: "i2" }) })).rejects.toThrow();
			await records.answer("i1", "RESOLVED", answer());
			await commit({ kind: "item", item: item({ id: "i2" }) });
			expect(await records.items(RUN)).toHaveLength(2);
		});

		test("an item is acknowledged, then answered, and the same answer again is accepted", async () => {
			expect((await records.answer("i1", "ACKED", null)).status).toBe("ACKED");
			expect((await records.answer("i1", "ACKED", null)).status).toBe("ACKED");
			const answered = await records.answer("i1", "RESOLVED", answer({ notes: HOSTILE }));
			expect(answered).toMatchObject({ status: "RESOLVED", answer: answer({ notes: HOSTILE }) });
			const later = answer({ notes: HOSTILE, answeredAt: "2026-11-23T00:00:00.000Z" });
			expect(await records.answer("i1", "RESOLVED", later)).toEqual(answered);
			expect(await records.item("i1")).toEqual(answered);
		});

		test("a different answer to a closed item is refused and changes nothing", async () => {
			const answered = await records.answer("i1", "RESOLVED", answer());
			const others = [
				() => records.answer("i1", "RESOLVED", answer({ directive: "something else" })),
				() => records.answer("i1", "REJECTED", answer()),
				() => records.answer("i1", "ACKED", null),
			];
			for (const other of others)
				await expect(other()).rejects.toMatchObject({
					code: "answer-invalid",
					message: "item i1 already has an answer, and keeps it",
				});
			expect(await records.item("i1")).toEqual(answered);
		});

		test("an answer is an event when it is given, once, with where it was given", async () => {
			await records.answer("i1", "ACKED", null);
			expect(await records.events(RUN)).toEqual([]);
			await records.answer("i1", "RESOLVED", answer(), { by: "page" });
			await records.answer("i1", "RESOLVED", answer(), { by: "terminal" });
			const events = await records.events(RUN, { task: item().taskId });
			expect(events).toMatchObject([
				{ type: "item-answered", data: { item: "i1", status: "RESOLVED", by: "page" } },
			]);
			const consume = { kind: "item-consumed", itemId: "i1" } as const;
			expect(await commit(consume)).toEqual(events);
			expect(await commit(consume)).toEqual([]);
		});

		test("an answer to what was shown holds; to what has changed since it is refused and changes nothing", async () => {
			const stored = await records.task(RUN, item().taskId);
			if (stored === undefined) throw new Error("the task is not stored");
			const shown = await records.item("i1");
			if (shown === undefined) throw new Error("the item is not stored");
			const version = itemVersion(shown, stored);
			const outdated = { code: "outdated" };
			const before = records.answer("i1", "RESOLVED", answer(), { version: "0" });
			await expect(before).rejects.toMatchObject(outdated);
			await commit({ kind: "task", runId: RUN, taskId: stored.taskId, patch: { commit: "c2" } });
			const late = records.answer("i1", "RESOLVED", answer(), { version });
			await expect(late).rejects.toMatchObject(outdated);
			expect(await records.item("i1")).toEqual(shown);
			const now = itemVersion(shown, { ...stored, commit: "c2" });
			expect(await records.answer("i1", "RESOLVED", answer(), { version: now })).toMatchObject({
				status: "RESOLVED",
			});
			// The same answer is the same, whatever has happened since.
			await records.answer("i1", "RESOLVED", answer(), { version });
		});

		test("an answer to an unknown item, or none at all, is a fault", async () => {
			await expect(records.answer("none", "ACKED", null)).rejects.toMatchObject({
				code: "item-not-found",
			});
			await expect(records.answer("i1", "RESOLVED", null)).rejects.toMatchObject({
				code: "answer-invalid",
			});
		});

		test("an item that is written again loses neither its acknowledgement nor its answer", async () => {
			await records.answer("i1", "ACKED", null);
			await commit({ kind: "item", item: item({ reason: "again" }) });
			expect(await records.item("i1")).toEqual(item({ reason: "again", status: "ACKED" }));
			const answered = await records.answer("i1", "REJECTED", answer({ choice: "reject" }));
			await commit({ kind: "item", item: item() });
			expect(await records.item("i1")).toEqual(answered);
		});

		test("only an answered item of the own run is consumed, and twice is once", async () => {
			const consume = (): ReturnType<Records["commit"]> =>
				commit({ kind: "item-consumed", itemId: "i1" });
			await expect(consume()).rejects.toThrow("no answer");
			await records.answer("i1", "RESOLVED", answer());
			await consume();
			await consume();
			expect((await records.item("i1"))?.consumed).toBe(true);
			const other = await store.leases.take("other");
			const foreign = records.commit(other, [{ kind: "item-consumed", itemId: "i1" }]);
			await expect(foreign).rejects.toThrow("no answer");
			await other.release();
		});
	});
}

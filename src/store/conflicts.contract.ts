import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	conflict,
	dispute,
	event,
	finding,
	HOSTILE,
	item,
	part,
	RUN,
	run,
	TASK,
	task,
} from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, Write } from "./records.ts";

/** What every adapter of `Records` keeps of conflicts and of answers to them; called by the adapter's own test. */
export function conflictsContract(name: string, open: () => Promise<StoreUnderTest>): void {
	let store: StoreUnderTest;
	let records: Records;
	let lease: Lease;
	beforeEach(async () => {
		store = await open();
		records = store.records;
		lease = await store.leases.take(RUN);
		await records.createRun(run(), [task(), task({ taskId: "docs", position: 1 })], lease);
	});
	afterEach(async () => {
		await lease.release();
		await store.close();
	});
	const commit = (...writes: readonly Write[]): ReturnType<Records["commit"]> =>
		records.commit(lease, writes);
	const attempt = (
		record: Parameters<typeof conflict>[0] = {},
		about: Parameters<typeof dispute>[0] = {},
	): Write => ({ kind: "conflict", runId: RUN, record: conflict(record), about: dispute(about) });
	const paused = (conflictId = "c1"): Write => ({
		kind: "conflict-paused",
		runId: RUN,
		conflictId,
		event: event(7),
	});

	describe(`${name}: conflicts`, () => {
		test("attempts of a task come back as they were written, in the order they were stored", async () => {
			const escalated = {
				...({ conflictId: "a0", resolution: "ESCALATE", tieBreakerDecision: null } as const),
				rationale: null,
				escalationReason: HOSTILE,
				attemptCount: 2,
			};
			const later = { turn: 5, disputeTurn: 4 };
			await commit(attempt({ rationale: HOSTILE, resolvedAt: "2027-01-01T00:00:00.000Z" }));
			await commit(
				attempt(escalated, later),
				attempt({ conflictId: "x", taskId: "docs" }, { finding: "F9" }),
			);
			expect(await records.conflicts(RUN, TASK)).toEqual([
				{
					...conflict({ rationale: HOSTILE, resolvedAt: "2027-01-01T00:00:00.000Z" }),
					...dispute(),
				},
				{ ...conflict(escalated), ...dispute(later) },
			]);
			expect(await records.conflicts(RUN, "docs")).toHaveLength(1);
			expect(await records.conflicts("none", TASK)).toEqual([]);
		});

		test("an attempt that is stored already stays as it is", async () => {
			await commit(attempt());
			await commit(attempt({ tieBreakerDecision: "FAIL" }, { finding: "F2" }));
			expect(await records.conflicts(RUN, TASK)).toEqual([{ ...conflict(), ...dispute() }]);
		});

		test("one dispute is taken up once: a second attempt at it is refused with its whole batch", async () => {
			await commit(attempt());
			const ruled = finding({ state: "overruled" });
			const write: Write = { kind: "finding", runId: RUN, taskId: TASK, finding: ruled };
			await expect(commit(write, attempt({ conflictId: "c2" }))).rejects.toThrow();
			expect(await records.conflicts(RUN, TASK)).toHaveLength(1);
			expect(await records.findings(RUN, TASK)).toEqual([]);
			await commit(attempt({ conflictId: "c2" }, { disputeTurn: 3 }));
			expect(await records.conflicts(RUN, TASK)).toHaveLength(2);
		});

		test("an attempt for another run than the fence's is refused", async () => {
			const foreign: Write = {
				kind: "conflict",
				runId: "other",
				record: conflict(),
				about: dispute(),
			};
			await expect(commit(foreign)).rejects.toThrow("may not write for run other");
		});

		test("a conflict pauses its task once, with one event", async () => {
			await commit(attempt());
			expect(await commit(paused(), paused())).toHaveLength(1);
			expect(await commit(paused())).toEqual([]);
			expect(await records.events(RUN)).toMatchObject([{ data: { attempt: 7 } }]);
			expect(await records.conflicts(RUN, TASK)).toEqual([
				{ ...conflict(), ...dispute(), paused: true },
			]);
		});

		test("a conflict that is not stored pauses nothing: that is a bug", async () => {
			await expect(commit(paused("none"))).rejects.toThrow("conflict none");
			expect(await records.events(RUN)).toEqual([]);
		});

		test("what was ruled on a finding comes back with it", async () => {
			const ruling = { by: "person", decision: "FAIL", rationale: HOSTILE, turn: 3 } as const;
			const ruled = finding({ state: "upheld", ruling });
			for (const each of [ruled, finding({ id: "F2" })])
				await commit({ kind: "finding", runId: RUN, taskId: TASK, finding: each });
			expect(await records.openFindings(RUN, TASK)).toEqual([ruled, finding({ id: "F2" })]);
			await commit({
				kind: "finding",
				runId: RUN,
				taskId: TASK,
				finding: finding({ ruling: null }),
			});
			expect((await records.findings(RUN, TASK))[0]).toEqual(finding());
		});
	});

	describe(`${name}: answers by finding`, () => {
		const conflicts = [{ finding: "F1" }, { finding: "F2" }, { finding: "F10" }];
		const asking = item({ trigger: "conflict", context: { conflicts } });
		beforeEach(() => commit({ kind: "item", item: asking }));
		const refused = { code: "answer-invalid" };

		test("an item is resolved with the last answer, and keeps what was said of each finding", async () => {
			const words = part({ choice: "directive", directive: HOSTILE, notes: HOSTILE });
			const first = await records.answerFindings("i1", ["F2", "F10", "F2"], words);
			expect(first).toEqual({ ...asking, parts: { F2: words, F10: words } });
			expect(await records.item("i1")).toEqual(first);
			const last = await records.answerFindings("i1", ["F1"], part({ choice: "take_developer" }));
			expect(last).toMatchObject({
				status: "RESOLVED",
				answer: { choice: "directive", reason: null },
				parts: { F1: part({ choice: "take_developer" }), F2: words, F10: words },
			});
			expect(await records.item("i1")).toEqual(last);
		});

		test("the same answer again is accepted, also once the item is closed, and keeps its time", async () => {
			const again = part({ answeredAt: "2026-11-23T00:00:00.000Z" });
			const one = await records.answerFindings("i1", ["F1"], part());
			expect(await records.answerFindings("i1", ["F1"], again)).toEqual(one);
			const all = await records.answerFindings("i1", ["F1", "F2", "F10"], again);
			expect(all).toMatchObject({ status: "RESOLVED", parts: { F1: part(), F2: again } });
			expect(await records.answerFindings("i1", ["F2"], part())).toEqual(all);
			expect(await records.item("i1")).toEqual(all);
		});

		test("each new answer is an event with its findings, and a repeated one is none", async () => {
			await records.answerFindings("i1", ["F1"], part(), { by: "terminal" });
			await records.answerFindings("i1", ["F1"], part(), { by: "page" });
			await records.answerFindings("i1", ["F1", "F2", "F10"], part(), { by: "page" });
			expect((await records.events(RUN)).map(({ data }) => data)).toEqual([
				{
					item: "i1",
					status: "PENDING",
					choice: null,
					by: "terminal",
					findings: { F1: part().choice },
				},
				{
					item: "i1",
					status: "RESOLVED",
					choice: part().choice,
					by: "page",
					findings: { F2: part().choice, F10: part().choice },
				},
			]);
		});

		test("an answer by finding to what was not shown is refused and changes nothing", async () => {
			const answered = records.answerFindings("i1", ["F1"], part(), { version: "0" });
			await expect(answered).rejects.toMatchObject({ code: "outdated" });
			expect(await records.item("i1")).toEqual(asking);
		});

		test("another answer for a finding is refused, with all of the findings that were named", async () => {
			await records.answerFindings("i1", ["F1"], part());
			const other = part({ choice: "take_developer" });
			const before = await records.item("i1");
			await expect(records.answerFindings("i1", ["F2", "F1"], other)).rejects.toMatchObject(
				refused,
			);
			expect(await records.item("i1")).toEqual(before);
			const all = await records.answerFindings("i1", ["F2", "F10"], part());
			await expect(records.answerFindings("i1", ["F2"], other)).rejects.toMatchObject(refused);
			expect(await records.item("i1")).toEqual(all);
		});

		test.each([[[]], [["F3"]], [["F1", "f1"]], [["__proto__"]], [["toString"]], [[HOSTILE]]])(
			"%j are no findings that the item asks about",
			async (findings: readonly string[]) => {
				const answer = records.answerFindings("i1", findings, part());
				await expect(answer).rejects.toMatchObject(refused);
				expect(await records.item("i1")).toEqual(asking);
			},
		);

		test("an unknown item, one that was rejected, and one without conflicts take no such answer", async () => {
			const unknown = records.answerFindings("none", ["F1"], part());
			await expect(unknown).rejects.toMatchObject({ code: "item-not-found" });
			await records.answerFindings("i1", ["F1"], part());
			const no = { choice: "reject", directive: null, notes: null, reason: "no" } as const;
			await records.answer("i1", "REJECTED", { ...no, answeredAt: "2026-11-23T00:00:00.000Z" });
			const late = records.answerFindings("i1", ["F1"], part());
			await expect(late).rejects.toMatchObject(refused);
			await commit({ kind: "item", item: item({ id: "i2", taskId: "docs" }) });
			const stray = records.answerFindings("i2", ["F1"], part());
			await expect(stray).rejects.toMatchObject(refused);
		});

		test("an item that is written again loses no answer, and an acknowledged one is resolved too", async () => {
			await records.answer("i1", "ACKED", null);
			await records.answerFindings("i1", ["F1"], part());
			await commit({ kind: "item", item: asking });
			expect(await records.item("i1")).toEqual({
				...asking,
				status: "ACKED",
				parts: { F1: part() },
			});
			const all = await records.answerFindings("i1", ["F2", "F10"], part());
			expect(all.status).toBe("RESOLVED");
			await commit({ kind: "item", item: asking });
			expect(await records.item("i1")).toEqual(all);
			await commit({ kind: "item-consumed", itemId: "i1" });
			expect((await records.item("i1"))?.consumed).toBe(true);
		});
	});
}

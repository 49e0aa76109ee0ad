import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Grant } from "./answer-terms.ts";
import {
	answer,
	call,
	event,
	item,
	paidCall,
	RUN,
	run,
	TASK,
	task,
} from "./record-builders.contract.ts";
import type { StoreUnderTest } from "./records.contract.ts";
import type { Lease, Records, Write } from "./records.ts";
import { NO_SPENDING, type RunSpending, spendingOf, type TaskSpending } from "./spending.ts";

/** What every adapter of `Records` keeps about usage, time and budgets; called by the adapter's own test. */
export function spendingContract(name: string, open: () => Promise<StoreUnderTest>): void {
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
	const spending = (): Promise<RunSpending> => records.spending(RUN);
	const ofTask = async (id = TASK): Promise<TaskSpending> => spendingOf(await spending(), id);
	const paid = (...calls: Parameters<typeof paidCall>[]): readonly Write[] =>
		calls.map((args) => ({ kind: "call", call: paidCall(...args) }));

	test(`${name}: runs of suite and setup are counted by task, what another run gave apart`, async () => {
		const told = (type: string, data: object, ofTask: string | null = TASK): Write =>
			({ kind: "event", run: RUN, event: { ...event(1, ofTask), type, data } }) as Write;
		const ran = (data: object, ofTask?: string): Write => told("check-ran", data, ofTask);
		await commit(
			ran({ kind: "acceptance", said: ['{"reused":"x"}'] }),
			ran({ kind: "replay" }),
			ran({ kind: "acceptance", reused: "2026-11-22T00:00:00.000Z" }),
			// The same run under another name.
			ran({ kind: "replay", reused: "2026-11-22T00:00:00.000Z" }),
			ran({ kind: "lint", reason: 'no "kind":"acceptance"' }),
			ran({ kind: "acceptance" }, "docs"),
			told("setup-ran", { status: "pass" }),
			told("setup-copied", { ms: 1 }),
			told("setup-copied", { ms: 1 }),
			told("setup-ran", {}, null),
		);
		expect(await records.suiteWork(RUN)).toEqual(
			new Map([
				[TASK, { suiteRuns: 2, suiteRunsSaved: 1, setups: 1, setupsSaved: 2 }],
				["docs", { suiteRuns: 1, suiteRunsSaved: 0, setups: 0, setupsSaved: 0 }],
			]),
		);
		expect(await records.suiteWork("none")).toEqual(new Map());
	});

	describe(`${name}: what a call can cost`, () => {
		const called = (agent: string, nth: number, costUsd: number | null, outcome = "answered") =>
			({
				kind: "call",
				call: { ...paidCall(nth, { costUsd }), agent, outcome },
			}) satisfies Write;

		test("the dearest call of each agent counts, over all tasks and failed ones too", async () => {
			await commit(called("dev", 1, 0.2), called("dev", 2, 0.7, "timeout"), called("rev", 3, 0.1));
			const docs = called("dev", 1, 0.9);
			await commit({ ...docs, call: { ...docs.call, taskId: "docs" } });
			expect(await records.highestCosts(RUN)).toEqual(
				new Map([
					["dev", 0.9],
					["rev", 0.1],
				]),
			);
			expect(await records.highestCosts("none")).toEqual(new Map());
		});

		test("an agent that answers without telling is known to; one that only failed is not known", async () => {
			await commit(called("quiet", 1, null), called("down", 2, null, "network"));
			await commit(called("odd", 3, -1), called("odd", 4, null, "network"));
			expect(await records.highestCosts(RUN)).toEqual(
				new Map([
					["quiet", null],
					["odd", null],
				]),
			);
		});
	});

	describe(`${name}: what calls use up`, () => {
		test("a run without calls has spent nothing, and so has one that is not stored", async () => {
			expect(await spending()).toEqual(NO_SPENDING);
			expect(await records.spending("none")).toEqual(NO_SPENDING);
		});

		test("calls are summed by task, failed ones too", async () => {
			await commit(...paid([1], [2, { costUsd: 0.5 }]));
			await commit({ kind: "call", call: { ...paidCall(3), outcome: "timeout", report: null } });
			await commit({ kind: "call", call: { ...paidCall(1), taskId: "docs" } });
			expect(await ofTask()).toMatchObject({
				calls: 3,
				unknownCalls: 0,
				costUsd: 1,
				inputTokens: 30,
				outputTokens: 15,
			});
			expect(await ofTask("docs")).toMatchObject({ calls: 1, costUsd: 0.25 });
		});

		test("a call of unknown cost is counted as such, and is never zero dollars", async () => {
			await commit({ kind: "call", call: call() });
			expect(await ofTask()).toMatchObject({
				calls: 1,
				unknownCalls: 1,
				costUsd: null,
				inputTokens: null,
				outputTokens: null,
			});
			await commit(...paid([2, { costUsd: null, outputTokens: null }], [3]));
			expect(await ofTask()).toMatchObject({
				calls: 3,
				unknownCalls: 2,
				costUsd: 0.25,
				inputTokens: 20,
				outputTokens: 5,
			});
		});

		test("a call that is stored twice counts once", async () => {
			await commit(...paid([1]));
			await commit(...paid([1], [1, { costUsd: 9 }]));
			expect(await ofTask()).toMatchObject({ calls: 1, costUsd: 0.25 });
			const others = [
				{ ...paidCall(1), role: "coach" as const },
				{ ...paidCall(1), turn: 2 },
				{ ...paidCall(1), subtask: "core" },
			];
			for (const other of others) await commit({ kind: "call", call: other });
			expect(await ofTask()).toMatchObject({ calls: 4, costUsd: 1 });
		});

		test("a sum of cents is what a person would write", async () => {
			await commit(...paid([1, { costUsd: 0.79 }], [2, { costUsd: 0.06 }]));
			expect((await ofTask()).costUsd).toBe(0.85);
		});

		test("a call whose batch is undone is not counted", async () => {
			const undone = commit(...paid([1]), {
				kind: "task",
				runId: RUN,
				taskId: TASK,
				patch: { status: "completed" },
			});
			await expect(undone).rejects.toThrow();
			expect(await spending()).toEqual(NO_SPENDING);
		});

		test("what is no amount is unknown, and gives nothing back", async () => {
			await commit(...paid([1]));
			await commit(...paid([2, { costUsd: -100, inputTokens: -5, outputTokens: Number.NaN }]));
			await commit(...paid([3, { costUsd: Number.POSITIVE_INFINITY, inputTokens: 0.5 }]));
			expect(await ofTask()).toMatchObject({
				calls: 3,
				unknownCalls: 2,
				costUsd: 0.25,
				inputTokens: 10.5,
				outputTokens: 10,
			});
		});
	});

	describe(`${name}: time and budgets`, () => {
		test("time adds up, for the run and by task", async () => {
			await commit({ kind: "time", runId: RUN, heldMs: 100, tasks: { [TASK]: 60.5 } });
			await commit({ kind: "time", runId: RUN, heldMs: 50, tasks: { [TASK]: 10, docs: 20 } });
			expect((await spending()).heldMs).toBe(150);
			expect((await ofTask()).workMs).toBe(70.5);
			expect(await ofTask("docs")).toMatchObject({ workMs: 20, calls: 0, costUsd: null });
		});

		test.each([null, TASK])("the warning of a budget is written once (%s)", async (taskId) => {
			const warned: Write = {
				kind: "budget-warned",
				runId: RUN,
				taskId,
				budget: "usd",
				event: event(1, taskId),
			};
			expect(await commit(warned, warned)).toHaveLength(1);
			expect(await commit(warned)).toEqual([]);
			const other: Write = { ...warned, budget: "wall" };
			expect(await commit(other, other)).toHaveLength(1);
			expect(await records.events(RUN)).toHaveLength(2);
			const account = taskId === null ? await spending() : await ofTask();
			expect(account).toMatchObject({ warnedUsd: true, warnedWall: true });
		});

		const grant = (part: Partial<Grant> = {}): Grant => ({
			scope: "run",
			usd: 5,
			wallMs: 0,
			...part,
		});

		test("an answer enlarges the budget once, however often it is given", async () => {
			await commit({ kind: "item", item: item({ trigger: "budget" }) });
			await records.answer("i1", "ACKED", null, { grant: grant() });
			expect((await spending()).addedUsd).toBe(0);
			const given = answer({ choice: "continue", directive: null });
			await records.answer("i1", "RESOLVED", given, { grant: grant() });
			await records.answer("i1", "RESOLVED", given, { grant: grant() });
			expect(await spending()).toMatchObject({ addedUsd: 5, addedWallMs: 0 });
			const other = records.answer("i1", "RESOLVED", answer(), { grant: grant() });
			await expect(other).rejects.toMatchObject({ code: "answer-invalid" });
			expect(await spending()).toMatchObject({ addedUsd: 5 });
		});

		test("a rejection enlarges nothing", async () => {
			await commit({ kind: "item", item: item({ trigger: "budget" }) });
			await records.answer("i1", "REJECTED", answer({ choice: "reject" }), { grant: grant() });
			expect(await spending()).toEqual(NO_SPENDING);
		});

		test("a task's budget is enlarged alone, and is warned of again", async () => {
			const warned = (budget: "usd" | "wall"): Write => ({
				kind: "budget-warned",
				runId: RUN,
				taskId: TASK,
				budget,
				event: event(1),
			});
			await commit({ kind: "item", item: item({ trigger: "budget" }) });
			await commit(warned("usd"), warned("wall"));
			await records.answer("i1", "RESOLVED", answer(), {
				grant: grant({ scope: "task", wallMs: 90, usd: 0 }),
			});
			expect(await spending()).toMatchObject({ addedUsd: 0, addedWallMs: 0 });
			expect(await ofTask()).toMatchObject({
				addedUsd: 0,
				addedWallMs: 90,
				warnedUsd: true,
				warnedWall: false,
			});
			expect(await commit(warned("usd"), warned("wall"))).toHaveLength(1);
		});
	});
}

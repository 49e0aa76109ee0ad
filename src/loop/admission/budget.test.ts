import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import type { Grant } from "../../store/answer-terms.ts";
import { answer, item, paidCall, RUN, run, task } from "../../store/record-builders.contract.ts";
import type { Lease, Records, Write } from "../../store/records.ts";
import { type Database, openDatabase } from "../../store/sqlite/database.ts";
import { sqliteLeases } from "../../store/sqlite/leases.ts";
import { sqliteRecords } from "../../store/sqlite/records.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { Budget, TaskDefinition } from "../../workflow/workflow.ts";
import { budgetFacts, budgetStanding, budgetState, type Spent } from "./budget.ts";

const spent = (part: Partial<Spent> = {}): Spent => ({
	usd: null,
	wallMs: 0,
	unknownCalls: 0,
	...part,
});
const states = (limits: Budget, part: Partial<Spent>): string[] =>
	budgetState(limits, spent(part)).map(({ kind, state }) => `${kind} ${state}`);

describe("how far a budget is used up", () => {
	test.each([
		[7.99, "usd ok"],
		[8, "usd warned"],
		[9.99, "usd warned"],
		[10, "usd spent"],
		[12, "usd spent"],
	])("%d of 10 dollars is %s", (usd, state) => {
		expect(states({ usd: 10 }, { usd })).toEqual([state]);
	});

	test("cents that floating point cannot hold count in full", () => {
		expect(states({ usd: 0.8 }, { usd: 0.7 + 0.1 })).toEqual(["usd spent"]);
	});

	test("each limit is judged by itself; without limits there is nothing to say", () => {
		expect(states({ usd: 1, wallMs: 100 }, { usd: 0.5, wallMs: 100 })).toEqual([
			"usd ok",
			"wall spent",
		]);
		expect(states({}, { usd: 1e9, wallMs: 1e9 })).toEqual([]);
	});

	test("unknown cost spends nothing and is counted", () => {
		const [use] = budgetState({ usd: 1 }, spent({ unknownCalls: 3 }));
		expect(use).toMatchObject({ state: "ok", spent: 0 });
		expect(use?.sentence).toBe("$0.00 of $1.00; 3 calls of unknown cost are not in it");
		const [one] = budgetState({ usd: 1 }, spent({ usd: 1.2, unknownCalls: 1 }));
		expect(one?.sentence).toBe("$1.20 of $1.00; 1 call of unknown cost is not in it");
	});

	test("time is said in hours and minutes", () => {
		const [use] = budgetState({ wallMs: 7_200_000 }, spent({ wallMs: 5_400_000 }));
		expect(use?.sentence).toBe("1h 30m of 2h 0m of working time");
	});
});

describe("before a call", () => {
	let directory: string;
	let db: Database;
	let records: Records;
	let lease: Lease;
	let told: StoredEvent[];
	beforeEach(async () => {
		directory = mkdtempSync(join(tmpdir(), "spar-budget-"));
		db = openDatabase(join(directory, "sparring.db"));
		records = sqliteRecords(db);
		lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
		await records.createRun(run(), [task({ taskId: "a" }), task({ taskId: "b" })], lease);
		told = [];
	});
	afterEach(async () => {
		await lease.release();
		db.close();
		rmSync(directory, { recursive: true });
	});

	const commit = async (writes: readonly Write[]): Promise<void> => {
		told.push(...(await records.commit(lease, writes)));
	};
	const definition = (id: string, budget?: Budget): TaskDefinition => ({
		id,
		description: "",
		acceptanceCriteria: [],
		contextFiles: [],
		dependsOn: [],
		player: "dev",
		requiresVerification: "auto",
		requiresHuman: false,
		maxTurns: 10,
		bound: 10,
		gate: false,
		gateDeclined: false,
		human: true,
		...(budget === undefined ? {} : { budget }),
	});
	const context = (id: string, budgets: { run?: Budget; task?: Budget }) => ({
		run: run(),
		workflow: {
			...run().workflow,
			...(budgets.run === undefined ? {} : { budget: budgets.run }),
		},
		task: definition(id, budgets.task),
		records,
		clock: systemClock,
		commit,
	});
	const pay = (taskId: string, call: number, costUsd: number | null): Promise<void> =>
		commit([{ kind: "call", call: { ...paidCall(call, { costUsd }), taskId } }]);
	const enlarge = async (id: string, grant: Grant): Promise<void> => {
		await commit([{ kind: "item", item: item({ id, taskId: "a", trigger: "budget" }) }]);
		await records.answer(id, "RESOLVED", answer(), { grant });
	};

	const budgetStop = async (of: Parameters<typeof budgetStanding>[0]): Promise<string | null> =>
		(await budgetStanding(of)).stop;

	test("without a budget nothing is looked up, and the call may be made", async () => {
		const none = { ...context("a", {}), records: { ...records, spending: undefined as never } };
		expect(await budgetStop(none)).toBeNull();
	});

	test("the run's budget is spent by all of its tasks, the task's by its own alone", async () => {
		const [a, b] = ["a", "b"].map((id) => context(id, { run: { usd: 1 }, task: { usd: 0.6 } }));
		await pay("a", 1, 0.6);
		expect(await budgetStop(a ?? context("a", {}))).toBe(
			"the budget of task a is spent: $0.60 of $0.60",
		);
		expect(await budgetStop(b ?? context("b", {}))).toBeNull();
		await pay("b", 1, 0.4);
		await pay("b", 2, null);
		for (const each of [a, b]) {
			expect(await budgetStop(each ?? context("a", {}))).toBe(
				"the budget of the run is spent: $1.00 of $1.00; 1 call of unknown cost is not in it",
			);
		}
	});

	test("time is counted by run and by task", async () => {
		await commit([{ kind: "time", runId: RUN, heldMs: 100_000, tasks: { a: 60_000 } }]);
		const limits = { run: { wallMs: 120_000 }, task: { wallMs: 60_000 } };
		expect(await budgetStop(context("b", limits))).toBeNull();
		expect(await budgetStop(context("a", limits))).toBe(
			"the budget of task a is spent: 1m 0s of 1m 0s of working time",
		);
		expect(await budgetStop(context("b", { run: { wallMs: 100_000 } }))).toMatch(/of the run/);
	});

	test("the warning comes once for each budget, and with the numbers", async () => {
		const near = context("a", { run: { usd: 1 }, task: { usd: 1 } });
		await pay("a", 1, 0.79);
		expect(await budgetStop(near)).toBeNull();
		expect(told).toEqual([]);
		await pay("a", 2, 0.06);
		expect(await budgetStop(near)).toBeNull();
		expect(await budgetStop(near)).toBeNull();
		expect(told.map(({ type, task: where, data }) => ({ type, where, data }))).toEqual([
			{
				type: "budget-warned",
				where: null,
				data: { scope: "run", kind: "usd", limit: 1, spent: 0.85, unknown_cost_calls: 0 },
			},
			{
				type: "budget-warned",
				where: "a",
				data: { scope: "task", kind: "usd", limit: 1, spent: 0.85, unknown_cost_calls: 0 },
			},
		]);
	});

	test("an enlarged budget lets calls through until it is spent again", async () => {
		const limited = context("a", { run: { usd: 1 } });
		await pay("a", 1, 1.5);
		expect(await budgetStop(limited)).toMatch(/\$1\.50 of \$1\.00/);
		await enlarge("i1", { scope: "run", usd: 1, wallMs: 0 });
		expect(await budgetStop(limited)).toBeNull();
		await pay("a", 2, 0.5);
		expect(await budgetStop(limited)).toMatch(/\$2\.00 of \$2\.00/);
	});

	test("adding to a limit that is not set makes none", async () => {
		const limited = context("a", { run: { usd: 1 } });
		await enlarge("i1", { scope: "run", usd: 0, wallMs: 1 });
		await commit([{ kind: "time", runId: RUN, heldMs: 100_000, tasks: {} }]);
		expect(await budgetStop(limited)).toBeNull();
	});

	test("a person is shown the budget that is spent, the task's where the run's has room", async () => {
		const both = context("a", { run: { usd: 9 }, task: { usd: 0.5, wallMs: 60_000 } });
		await pay("a", 1, 0.5);
		await pay("b", 1, null);
		expect(await budgetFacts(both)).toEqual({
			scope: "task",
			usd: { limit: 0.5, spent: 0.5 },
			wall: { limit_ms: 60_000, spent_ms: 0 },
			calls: 1,
			unknown_cost_calls: 0,
		});
		expect(await budgetFacts(context("a", { run: { usd: 0.5 } }))).toEqual({
			scope: "run",
			usd: { limit: 0.5, spent: 0.5 },
			wall: null,
			calls: 2,
			unknown_cost_calls: 1,
		});
		expect(await budgetFacts(context("a", {}))).toBeNull();
	});
});

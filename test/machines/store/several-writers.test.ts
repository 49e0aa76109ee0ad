import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { postgresRecords } from "../../../src/store/postgres/records.ts";
import {
	answer,
	event,
	HOSTILE,
	item,
	RUN,
	run,
	TASK,
	task,
} from "../../../src/store/record-builders.contract.ts";
import type { Lease, Leases, Records, Write } from "../../../src/store/records.ts";
import { grabbedLeases, type RecordStore, recordStore } from "./record-store.fixture.ts";

let store: RecordStore;
let postgres: Postgres;
let records: Records;
let leases: Leases;
let ofRun: Lease;
let ofTask: Lease;

beforeEach(async () => {
	store = await recordStore();
	({ postgres } = store);
	records = postgresRecords(postgres);
	leases = grabbedLeases(postgres);
	ofRun = await leases.take(RUN);
	ofTask = await leases.take(RUN, { task: TASK });
	await records.createRun(run(), [task()], ofRun);
	await records.commit(ofTask, [{ kind: "item", item: item() }]);
});
afterEach(() => store.remove());

/** Resolves once a connection of this store waits for a lock: the sessions of a schema are those that hold one of its tables. */
async function somebodyWaits(): Promise<void> {
	const sql = `SELECT count(*) AS waiting FROM pg_stat_activity AS asked WHERE wait_event_type = 'Lock' AND EXISTS (
		SELECT 1 FROM pg_locks JOIN pg_class ON pg_class.oid = relation
		WHERE pg_locks.pid = asked.pid AND relnamespace = '${postgres.schema}'::regnamespace)`;
	while ((await postgres.query(sql)).rows[0]?.["waiting"] === 0);
}

/** Begins a call while a transaction holds these rows, and lets go once the call waits for one of them. */
async function whileLocked<T>(
	lock: string,
	begin: () => Promise<T>,
	change: readonly string[] = [],
): Promise<T> {
	const { call } = await postgres.transaction(async (client) => {
		await client.query(lock);
		const begun = begin();
		begun.catch(() => undefined);
		await somebodyWaits();
		for (const sql of change) await client.query(sql);
		// Not the promise itself, which would be waited for here.
		return { call: begun };
	});
	return await call;
}

const moved = (status: "running" | "cancelled" | "completed"): Write => ({
	kind: "task",
	runId: RUN,
	taskId: TASK,
	patch: { status },
});

describe("what several processes change at once", () => {
	test("of two answers at once one counts, and the other is told so", async () => {
		const directives = ["use a bucket", "use a window", "use a queue", "use a clock"];
		const answers = await Promise.allSettled(
			directives.map((directive) => records.answer("i1", "RESOLVED", answer({ directive }))),
		);
		const kept = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
		const refused = answers.flatMap((one) =>
			one.status === "rejected" ? [one.reason as unknown] : [],
		);
		expect(kept).toEqual([await records.item("i1")]);
		expect(refused).toMatchObject(directives.slice(1).map(() => ({ code: "answer-invalid" })));
		expect(await records.events(RUN)).toHaveLength(1);
	});

	test("an item that is written again while it is answered keeps the answer", async () => {
		const writing = whileLocked(
			"SELECT 1 FROM items FOR UPDATE",
			() => records.commit(ofTask, [{ kind: "item", item: item({ reason: "again" }) }]),
			[`UPDATE items SET status = 'RESOLVED', answer = '${JSON.stringify(answer())}'`],
		);
		expect(await writing).toEqual([]);
		expect(await records.item("i1")).toMatchObject({ status: "RESOLVED", answer: answer() });
	});

	test("a task that is cancelled while it ends stays cancelled", async () => {
		await records.commit(ofTask, [moved("running")]);
		const ending = whileLocked(
			"SELECT 1 FROM tasks FOR UPDATE",
			() => records.commit(ofTask, [moved("completed")]),
			["UPDATE tasks SET status = 'cancelled'"],
		);
		await expect(ending).rejects.toThrow("may not move from cancelled to completed");
		expect((await records.task(RUN, TASK))?.status).toBe("cancelled");
	});

	test("a lease that is taken while a write waits for it refuses that write", async () => {
		const writing = whileLocked(
			"SELECT 1 FROM leases FOR UPDATE",
			() => records.commit(ofTask, [moved("running")]),
			["UPDATE leases SET epoch = epoch + 1"],
		);
		await expect(writing).rejects.toMatchObject({ code: "lease-lost" });
		expect((await records.task(RUN, TASK))?.status).toBe("pending");
	});

	test("the leases of other tasks and of the run may change hands meanwhile", async () => {
		await leases.take(RUN);
		await leases.take(RUN, { task: "docs" });
		await records.commit(ofTask, [moved("running")]);
		await expect(records.commit(ofRun, [])).rejects.toMatchObject({ code: "lease-lost" });
	});

	test("of two transactions that wait for each other one is done again, and both count", async () => {
		const grant = { scope: "run", usd: 2, wallMs: 0 } as const;
		await records.commit(ofRun, [{ kind: "time", runId: RUN, heldMs: 5, tasks: {} }]);
		// Who waits looks once whether both do, after this time: the answer by then, the other one never.
		const address = new URL(store.address);
		address.searchParams.set("options", "-c deadlock_timeout=3s");
		const answering = await connectPostgres(address.href);
		const crossing = whileLocked(
			"SET LOCAL deadlock_timeout = '1min'; SELECT 1 FROM run_spending FOR UPDATE",
			() => postgresRecords(answering).answer("i1", "RESOLVED", answer(), { grant }),
			["UPDATE items SET reason = 'changed'", "UPDATE run_spending SET held_ms = held_ms + 1"],
		);
		try {
			await crossing;
		} finally {
			await answering.close();
		}
		expect(await records.item("i1")).toMatchObject({ status: "RESOLVED", reason: "changed" });
		expect(await records.spending(RUN)).toMatchObject({ addedUsd: 2, heldMs: 6 });
		expect(await records.events(RUN)).toHaveLength(1);
	});

	test("time and calls of many at once all count", async () => {
		const time: Write = { kind: "time", runId: RUN, heldMs: 1, tasks: { [TASK]: 2 } };
		await Promise.all(Array.from({ length: 20 }, () => records.commit(ofTask, [time])));
		const { heldMs, tasks } = await records.spending(RUN);
		expect([heldMs, tasks.map(({ workMs }) => workMs)]).toEqual([20, [40]]);
	});
});

describe("what a scheduler is told", () => {
	/** Records, and of which runs they tell. */
	function telling(): { readonly own: Records; readonly told: string[] } {
		const told: string[] = [];
		const announce = (_client: unknown, runId: string): Promise<void> => {
			told.push(runId);
			return Promise.resolve();
		};
		return { own: postgresRecords(postgres, { announce }), told };
	}

	test("a run, a task's move, an answer and a request to cancel are announced, once in each transaction", async () => {
		const { own, told } = telling();
		const lease = await leases.take("r2");
		await own.createRun(run({ runId: "r2" }), [task({ runId: "r2" })], lease);
		expect(told.splice(0)).toEqual(["r2"]);
		await own.commit(ofTask, [
			moved("running"),
			{ kind: "task", runId: RUN, taskId: TASK, patch: { merged: true, humanItem: "i1" } },
		]);
		expect(told.splice(0)).toEqual([RUN]);
		await own.answer("i1", "RESOLVED", answer());
		expect(told.splice(0)).toEqual([RUN]);
		await own.requestCancel(RUN);
		expect(told).toEqual([RUN]);
	});

	test("what changes nothing for a scheduler is not announced", async () => {
		const { own, told } = telling();
		await own.commit(ofTask, [
			{ kind: "task", runId: RUN, taskId: TASK, patch: { turns: 1, phase: "validating" } },
			{ kind: "event", run: RUN, event: event(1) },
		]);
		await own.answer("i1", "ACKED", null);
		await own.answer("i1", "REJECTED", answer());
		told.length = 0;
		await own.answer("i1", "REJECTED", answer());
		await expect(own.requestCancel("none")).rejects.toMatchObject({ code: "run-not-found" });
		expect(told).toEqual([]);
	});

	test("what is sent with a change is there with it, and what cannot be sent undoes it", async () => {
		await postgres.query("CREATE TABLE jobs (run_id text NOT NULL)");
		const send = (into: string) =>
			postgresRecords(postgres, {
				announce: async (client, runId) => {
					await client.query(`INSERT INTO ${into} (run_id) VALUES ($1)`, [runId]);
				},
			});
		await expect(send("no_jobs").requestCancel(RUN)).rejects.toThrow("no_jobs");
		expect(await records.cancelRequested(RUN)).toBe(false);
		await send("jobs").requestCancel(RUN);
		expect(await records.cancelRequested(RUN)).toBe(true);
		expect((await postgres.query("SELECT run_id FROM jobs")).rows).toEqual([{ run_id: RUN }]);
	});
});

test("names are found as they were written, with characters that Postgres cannot hold", async () => {
	const names = [HOSTILE, "a\0b", "a\u001a0b", "a\u001ab", "a0b"];
	const lease = await leases.take("odd");
	const tasks = names.map((taskId, position) => task({ runId: "odd", taskId, position }));
	await records.createRun(run({ runId: "odd", branch: "\u001a\0" }), tasks, lease);
	expect(await records.tasks("odd")).toEqual(tasks);
	for (const each of tasks) expect(await records.task("odd", each.taskId)).toEqual(each);
	expect((await records.run("odd"))?.branch).toBe("\u001a\0");
});

test("both databases have the same tables and columns of records, in the same order", async () => {
	const { openDatabase } = await import("../../../src/store/sqlite/database.ts");
	const { rows } = await postgres.query(
		`SELECT table_name, column_name, is_nullable = 'NO' AS required FROM information_schema.columns
		WHERE table_schema = $1 AND table_name <> 'leases' AND table_name <> 'feed'
		ORDER BY table_name COLLATE "C", ordinal_position`,
		[postgres.schema],
	);
	const shared = rows.filter(({ table_name: table, column_name: column }) => {
		return table !== "events" || (column !== "seq" && column !== "id");
	});
	const db = openDatabase(":memory:");
	const own = db.all(
		`SELECT m.name AS table_name, c.name AS column_name, c."notnull" = 1 OR c.pk > 0 AS required
		FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'
			AND m.name NOT IN ('leases', 'checkpoints', 'channels', 'pending_writes', 'sqlite_sequence')
		ORDER BY m.name, c.cid`,
	);
	db.close();
	const ofSqlite = own
		.filter(({ table_name: table, column_name: column }) => table !== "events" || column !== "id")
		.map((row) => ({ ...row, required: row["required"] === 1 }));
	expect(shared.length).toBeGreaterThan(150);
	expect(shared).toEqual(ofSqlite);
});

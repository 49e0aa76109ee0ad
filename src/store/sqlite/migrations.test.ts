import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import { call, paidCall, RUN, run, TASK, task } from "../record-builders.contract.ts";
import { spendingOf } from "../spending.ts";
import { openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { schemaVersion } from "./migrations.ts";
import { sqliteRecords } from "./records.ts";
import { CHECKPOINT_TABLES, RECORD_TABLES } from "./schema.ts";

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-migrations-"));
	file = join(directory, "sparring.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A database of version 1 with a run, a task and calls, as that version wrote them. */
async function versionOne(calls: readonly ReturnType<typeof call>[]): Promise<void> {
	const db = openDatabase(file);
	const records = sqliteRecords(db);
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	await records.createRun(run(), [task({ status: "running" })], lease);
	await records.commit(
		lease,
		calls.map((each) => ({ kind: "call", call: each })),
	);
	await lease.release();
	db.exec("DROP TABLE task_spending; DROP TABLE run_spending; PRAGMA user_version = 1");
	db.close();
}

test("version 1 is what the first release wrote, and nothing of later versions", () => {
	const old = new DatabaseSync(file);
	old.exec(`${RECORD_TABLES}${CHECKPOINT_TABLES}PRAGMA user_version = 1`);
	expect(old.prepare("SELECT 1 FROM sqlite_schema WHERE name LIKE '%spending'").all()).toEqual([]);
	old.close();
	const db = openDatabase(file);
	expect(schemaVersion(db)).toBeGreaterThan(1);
	expect(db.all("SELECT * FROM task_spending")).toEqual([]);
	db.close();
});

test("an old run has in its totals what its calls say, and goes on from there", async () => {
	await versionOne([paidCall(1), call({ call: 2 }), paidCall(3, { inputTokens: null })]);
	const db = openDatabase(file);
	const records = sqliteRecords(db);
	const before = await records.spending(RUN);
	expect(before).toMatchObject({ heldMs: 37.5, addedUsd: 0, warnedUsd: false });
	expect(spendingOf(before, TASK)).toEqual({
		...{ taskId: TASK, calls: 3, unknownCalls: 1, costUsd: 0.5, workMs: 37.5 },
		...{ inputTokens: 10, outputTokens: 10 },
		...{ addedUsd: 0, addedWallMs: 0, warnedUsd: false, warnedWall: false },
	});
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	await records.commit(lease, [
		{ kind: "call", call: paidCall(3) },
		{ kind: "call", call: paidCall(4) },
	]);
	expect(spendingOf(await records.spending(RUN), TASK)).toMatchObject({ calls: 4, costUsd: 0.75 });
	await lease.release();
	db.close();
});

test("a reader opens an old database too", async () => {
	await versionOne([paidCall(1)]);
	const db = openDatabase(file, { readOnly: true });
	expect((await sqliteRecords(db).spending(RUN)).tasks).toHaveLength(1);
	db.close();
});

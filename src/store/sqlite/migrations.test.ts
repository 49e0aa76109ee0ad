import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import {
	answer,
	call,
	conflict,
	dispute,
	evidence,
	finding,
	item,
	paidCall,
	pairRecord,
	part,
	RUN,
	run,
	scored,
	TASK,
	task,
	turn,
} from "../record-builders.contract.ts";
import type { Write } from "../records.ts";
import { spendingOf } from "../spending.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { SCHEMA_VERSION, schemaVersion } from "./migrations.ts";
import { sqliteRecords } from "./records.ts";
import {
	CHECKPOINT_TABLES,
	PAIR_AND_SCORE_TABLES,
	RECORD_TABLES,
	SPENDING_TABLES,
} from "./schema.ts";

type OldVersion = 1 | 2 | 3;

/** The schema of each old version, as its release made it. */
const RELEASED: Readonly<Record<OldVersion, string>> = {
	1: `${RECORD_TABLES}${CHECKPOINT_TABLES}`,
	2: `${RECORD_TABLES}${CHECKPOINT_TABLES}${SPENDING_TABLES}`,
	3: `${RECORD_TABLES}${CHECKPOINT_TABLES}${SPENDING_TABLES}${PAIR_AND_SCORE_TABLES}`,
};

let directory: string;
let file: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-migrations-"));
	file = join(directory, "sparring.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

type OldRows = Readonly<Record<string, readonly unknown[]>>;

const tablesOf = (db: DatabaseSync): string[] =>
	db
		.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
		.all()
		.map((row) => String(row["name"]));

function columnsOf(db: DatabaseSync, table: string): string {
	const columns = db.prepare("SELECT name FROM pragma_table_info(?)").all(table);
	return columns.map((column) => String(column["name"])).join(", ");
}

/** A database of an old version with a run, a task and what belongs to them. Answers with every row in it. */
async function oldDatabase(version: OldVersion, writes: readonly Write[]): Promise<OldRows> {
	const source = join(directory, "source.db");
	const db = openDatabase(source);
	const records = sqliteRecords(db);
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	await records.createRun(run(), [task({ status: "running", turns: 1 })], lease);
	await records.commit(lease, writes);
	await lease.release();
	db.exec(
		`INSERT INTO checkpoints (thread, ns, id, body, meta) VALUES ('${RUN}', '', 'c1', '{}', '{}')`,
	);
	db.close();

	const old = new DatabaseSync(file, { enableForeignKeyConstraints: false });
	old.exec(`${RELEASED[version]}PRAGMA user_version = ${version}; ATTACH '${source}' AS source`);
	const rows = tablesOf(old).map((table) => {
		const columns = columnsOf(old, table);
		old.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM source.${table}`);
		const kept = old.prepare(`SELECT ${columns} FROM ${table}`).all();
		return [`SELECT ${columns} FROM ${table}`, kept] as const;
	});
	old.close();
	return Object.fromEntries(rows);
}

const calls = (...all: readonly ReturnType<typeof call>[]): Write[] =>
	all.map((each) => ({ kind: "call", call: each }));

const place = { runId: RUN, taskId: TASK } as const;
const ofOneTurn: readonly Write[] = [
	...calls(paidCall(1)),
	{ kind: "step", key: { ...place, turn: 1, step: "player_turn" }, result: { commit: "c" } },
	{ kind: "turn", turn: turn() },
	{
		...{ kind: "evidence", ...place, turn: 1, attempt: 1 },
		evidence: evidence({ cases: [{ id: "a", status: "passed" }] }),
	},
	{ kind: "finding", ...place, finding: finding() },
	{ kind: "item", item: item() },
];

test("version 1 is what the first release wrote, and nothing of later versions", () => {
	const old = new DatabaseSync(file);
	old.exec(`${RELEASED[1]}PRAGMA user_version = 1`);
	expect(tablesOf(old).filter((name) => /spending|pair|score/.test(name))).toEqual([]);
	old.close();
	const db = openDatabase(file);
	expect(schemaVersion(db)).toBe(SCHEMA_VERSION);
	expect(db.all("SELECT * FROM task_spending")).toEqual([]);
	db.close();
});

test("version 2 knows no subtasks, claims, sessions and scores", () => {
	const old = new DatabaseSync(file);
	old.exec(RELEASED[2]);
	const columns = tablesOf(old).map((table) => columnsOf(old, table));
	expect(columns.join(" ")).not.toMatch(/subtask_start|claims|confidence|digest/);
	expect(columnsOf(old, "findings")).not.toContain("subtask");
	old.close();
});

test("version 3 knows no conflicts, rulings and answers by finding", () => {
	const old = new DatabaseSync(file);
	old.exec(RELEASED[3]);
	expect(tablesOf(old).filter((name) => name.includes("conflict"))).toEqual([]);
	expect(columnsOf(old, "findings")).not.toContain("ruling");
	expect(columnsOf(old, "items")).not.toContain("parts");
	old.close();
});

test("table conflicts has the columns and types that other programs read", () => {
	const db = openDatabase(file);
	const columns = db.all("SELECT name, type, pk FROM pragma_table_info('conflicts')");
	expect(columns.map(({ name, type, pk }) => [name, type, pk])).toEqual([
		...[["conflict_id", "TEXT", 1] as const, ["thread_id", "TEXT", 0] as const],
		...[["task_id", "TEXT", 0] as const, ["developer_verdict", "TEXT", 0] as const],
		...[["reviewer_verdict", "TEXT", 0] as const, ["resolution", "TEXT", 0] as const],
		...[["tie_breaker_decision", "TEXT", 0] as const, ["rationale", "TEXT", 0] as const],
		...[["escalation_reason", "TEXT", 0] as const, ["attempt_count", "INTEGER", 0] as const],
		["resolved_at", "TEXT", 0],
	]);
	db.close();
});

test("an old run has in its totals what its calls say, and goes on from there", async () => {
	await oldDatabase(1, calls(paidCall(1), call({ call: 2 }), paidCall(3, { inputTokens: null })));
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
	await records.commit(lease, calls(paidCall(3), paidCall(4)));
	expect(spendingOf(await records.spending(RUN), TASK)).toMatchObject({ calls: 4, costUsd: 0.75 });
	await lease.release();
	db.close();
});

test.each([1, 2, 3] as const)(
	"a database of version %i opens and keeps every row",
	async (version) => {
		const rows = await oldDatabase(version, ofOneTurn);
		const kept = (db: Database): OldRows =>
			Object.fromEntries(Object.keys(rows).map((sql) => [sql, db.all(sql)]));
		const db = openDatabase(file);
		expect(schemaVersion(db)).toBe(SCHEMA_VERSION);
		expect(kept(db)).toEqual(rows);
		expect(Object.keys(rows).filter((sql) => rows[sql]?.length !== 0).length).toBeGreaterThan(8);
		db.close();
	},
);

test("a run of version 2 is in its first subtask without scores, and goes on with all that is new", async () => {
	await oldDatabase(2, ofOneTurn);
	const db = openDatabase(file);
	const records = sqliteRecords(db);
	expect(await records.run(RUN)).toEqual(run());
	expect(await records.task(RUN, TASK)).toEqual(task({ status: "running", turns: 1 }));
	expect(await records.turn(RUN, TASK, 1)).toEqual(turn());
	expect(await records.findings(RUN, TASK)).toEqual([finding()]);
	expect(await records.pairSession(RUN, TASK)).toBeUndefined();
	expect(await records.scores()).toEqual([]);
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	const claims = [{ criterion: "c", met: true, tests: ["t"] }];
	await records.commit(lease, [
		{ kind: "task", ...place, patch: { subtask: 1, subtaskStart: 1, confidenceScore: 0.45 } },
		{ kind: "turn", turn: turn({ turn: 2, claims }) },
		{ kind: "finding", ...place, finding: finding({ subtask: "core" }) },
		{ kind: "pair-session", record: pairRecord() },
		{ kind: "score", score: scored({ turn: 2 }) },
	]);
	await lease.release();
	expect(await records.task(RUN, TASK)).toMatchObject({ subtaskStart: 1, confidenceScore: 0.45 });
	expect((await records.turn(RUN, TASK, 2))?.claims).toEqual(claims);
	expect(await records.openFindings(RUN, TASK)).toEqual([finding({ subtask: "core" })]);
	expect(await records.pairSession(RUN, TASK)).toEqual(pairRecord());
	expect(await records.scores()).toHaveLength(1);
	db.close();
});

test("a run of version 3 keeps its findings and items, and goes on with conflicts about them", async () => {
	await oldDatabase(3, [...ofOneTurn, { kind: "pair-session", record: pairRecord() }]);
	const db = openDatabase(file);
	const records = sqliteRecords(db);
	expect(await records.findings(RUN, TASK)).toEqual([finding()]);
	expect(await records.items(RUN)).toEqual([item()]);
	expect(await records.pairSession(RUN, TASK)).toEqual(pairRecord());
	expect(await records.conflicts(RUN, TASK)).toEqual([]);
	const lease = await sqliteLeases(db, { clock: systemClock }).take(RUN);
	const ruling = { by: "tie_breaker", decision: "PASS", rationale: "so it is", turn: 2 } as const;
	const ruled = finding({ state: "overruled", ruling });
	await records.answer("i1", "RESOLVED", answer());
	const asking = item({
		id: "i2",
		trigger: "conflict",
		context: { conflicts: [{ finding: "F1" }] },
	});
	await records.commit(lease, [
		{ kind: "finding", ...place, finding: ruled },
		{ kind: "conflict", runId: RUN, record: conflict(), about: dispute() },
		{ kind: "item", item: asking },
	]);
	await lease.release();
	expect(await records.findings(RUN, TASK)).toEqual([ruled]);
	expect(await records.conflicts(RUN, TASK)).toEqual([{ ...conflict(), ...dispute() }]);
	expect(await records.answerFindings("i2", ["F1"], part())).toMatchObject({
		...{ status: "RESOLVED", parts: { F1: part() } },
	});
	db.close();
});

test("a reader opens an old database too", async () => {
	await oldDatabase(1, ofOneTurn);
	const db = openDatabase(file, { readOnly: true });
	const records = sqliteRecords(db);
	expect((await records.spending(RUN)).tasks).toHaveLength(1);
	expect(await records.scores()).toEqual([]);
	db.close();
});

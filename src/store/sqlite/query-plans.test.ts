import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../kernel/clock.ts";
import {
	compactCheckpoints,
	selectCheckpoints,
	selectPendingWrites,
} from "../queries/checkpoints.ts";
import {
	call,
	conflict,
	dispute,
	event,
	evidence,
	finding,
	item,
	pairRecord,
	part,
	RUN,
	run,
	scored,
	TASK,
	task,
	turn,
} from "../record-builders.contract.ts";
import type { Records } from "../records.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";
import { performOn, sqliteRecords } from "./records.ts";

let db: Database;
let seen: Set<string>;
let watched: Database;
beforeEach(() => {
	db = openDatabase(":memory:");
	seen = new Set();
	const note = (sql: string): string => {
		seen.add(sql);
		return sql;
	};
	watched = {
		file: db.file,
		get: (sql, ...values) => db.get(note(sql), ...values),
		all: (sql, ...values) => db.all(note(sql), ...values),
		run: (sql, ...values) => db.run(note(sql), ...values),
		exec: (sql) => db.exec(sql),
		immediate: (work) => db.immediate(work),
		snapshot: (work) => db.snapshot(work),
		requireFile: () => db.requireFile(),
		close: () => db.close(),
	};
});
afterEach(() => db.close());

/** Steps of SQLite's plan that read a whole table, or sort more than the rows of one turn or checkpoint. */
function slowSteps(sql: string): string[] {
	const values = Array.from({ length: sql.match(/\?(?!\d)/g)?.length ?? 0 }, () => null);
	const plan = db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => String(row["detail"]));
	const isNarrow = / turn = \?| AND id = \?/.test(sql);
	const isSlow = isNarrow ? /^SCAN (?!CONSTANT)/ : /^SCAN (?!CONSTANT)|TEMP B-TREE/;
	return plan.filter((step) => isSlow.test(step));
}

const slow = (): string[] =>
	[...seen].flatMap((sql) => slowSteps(sql).map((step) => `${step}: ${sql}`));

async function everyTurn(records: Records): Promise<void> {
	const lease = await sqliteLeases(watched, { clock: systemClock }).take(RUN);
	await records.createRun(run(), [task()], lease);
	const conflicts = [{ finding: "F1" }];
	const key = { runId: RUN, taskId: TASK, turn: 1 };
	await records.commit(lease, [
		{ kind: "task", runId: RUN, taskId: TASK, patch: { turns: 1 } },
		{ kind: "step", key: { ...key, step: "x" }, result: 1 },
		{ kind: "turn", turn: turn() },
		{ kind: "evidence", ...key, attempt: 1, evidence: evidence({ cases: [] }) },
		{ kind: "finding", runId: RUN, taskId: TASK, finding: finding() },
		{ kind: "pair-session", record: pairRecord() },
		{ kind: "score", score: scored() },
		{ kind: "score-outcome", ...key, patch: { gate: "PASS" } },
		{ kind: "conflict", runId: RUN, record: conflict(), about: dispute() },
		{ kind: "conflict-paused", runId: RUN, conflictId: "c1", event: event(1) },
		{ kind: "conflict-paused", runId: RUN, conflictId: "c1", event: event(1) },
		{ kind: "item", item: item({ trigger: "conflict", context: { conflicts } }) },
		{ kind: "event", run: RUN, event: event(1) },
		{ kind: "call", call: call() },
		{ kind: "time", runId: RUN, heldMs: 1, tasks: { [TASK]: 1 } },
		{ kind: "budget-warned", runId: RUN, taskId: TASK, budget: "usd", event: event(1) },
		{ kind: "budget-warned", runId: RUN, taskId: null, budget: "wall", event: event(1) },
	]);
	await records.spending(RUN);
	await records.tasks(RUN);
	await records.step({ ...key, step: "x" });
	await records.calls(RUN, TASK, 1, "coach");
	await records.turns(RUN, TASK, 3);
	await records.turn(RUN, TASK, 1);
	await records.evidence(RUN, TASK, 1);
	await records.evidenceFor(RUN, "t", { check: "c", definition: "d" });
	await records.openFindings(RUN, TASK);
	await records.findingCount(RUN, TASK);
	await records.pairSession(RUN, TASK);
	await records.conflicts(RUN, TASK);
	await records.item("i1");
	await records.answerFindings("i1", ["F1"], part());
	await records.cancelRequested(RUN);
	await records.events(RUN, { after: 5 });
	await records.events(RUN, { task: TASK, after: 5 });
	await lease.release();
}

test("no read or write of a turn looks through a whole table", async () => {
	await everyTurn(sqliteRecords(watched));
	const scope = { thread: "t", ns: "" };
	performOn(watched, selectCheckpoints({ ...scope, id: undefined }, 1));
	performOn(watched, selectCheckpoints({ ...scope, id: "id" }, 1));
	performOn(watched, selectPendingWrites(scope, "id"));
	performOn(watched, compactCheckpoints(scope, 0));
	expect(seen.size).toBeGreaterThan(25);
	expect(slow()).toEqual([]);
});

test("the check sees a plan that looks through a table, and one that sorts a history", () => {
	watched.all("SELECT * FROM steps WHERE result = ?", "x");
	expect(slow()).toHaveLength(1);
	watched.all("SELECT * FROM findings WHERE run_id = ? AND task_id = ? ORDER BY issue", "r", "t");
	expect(slow()).toHaveLength(2);
});

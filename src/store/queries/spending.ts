import type { Grant } from "../answer-terms.ts";
import type { CallRecord, Write } from "../records.ts";
import {
	type BudgetKind,
	NO_SPENDING,
	NO_SUITE_WORK,
	type RunSpending,
	type SuiteWork,
} from "../spending.ts";
import { all, change, type Query } from "./query.ts";
import { runSpending, taskSpending } from "./tables.ts";

// A value that is negative or no number tells nothing.
export function knownAmount(value: number | null | undefined): number | null {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** A null total becomes the first known amount; an unknown amount leaves the total as it is. */
const added = (column: string): string =>
	`coalesce(task_spending.${column} + coalesce(excluded.${column}, 0), excluded.${column})`;

/** Money is rounded far below a token's price, so that 0.79 and 0.06 are 0.85. */
const ADD_CALL = `INSERT INTO task_spending (run_id, task_id, calls, unknown_calls, cost_usd, input_tokens, output_tokens)
	VALUES (?, ?, 1, ?, ?, ?, ?)
	ON CONFLICT (run_id, task_id) DO UPDATE SET calls = task_spending.calls + 1,
		unknown_calls = task_spending.unknown_calls + excluded.unknown_calls,
		${["input_tokens", "output_tokens"].map((column) => `${column} = ${added(column)}`).join(", ")},
		cost_usd = round(CAST(${added("cost_usd")} AS NUMERIC), 12)`;

export function* addCall({ runId, taskId, usage }: CallRecord): Query<void> {
	const cost = knownAmount(usage?.costUsd);
	yield* change(
		ADD_CALL,
		runId,
		taskId,
		cost === null ? 1 : 0,
		cost,
		knownAmount(usage?.inputTokens),
		knownAmount(usage?.outputTokens),
	);
}

// A failed call without a cost says nothing of the next one.
const HIGHEST_COSTS = `SELECT agent, max(cost_usd) AS usd FROM calls
	WHERE run_id = ? AND (cost_usd IS NOT NULL OR outcome = 'answered') GROUP BY agent`;

export function* selectHighestCosts(runId: string): Query<Map<string, number | null>> {
	const rows = yield* all(HIGHEST_COSTS, runId);
	return new Map(
		rows.map(({ agent, usd }) => [String(agent), usd === null ? null : Number(usd)] as const),
	);
}

export function* addTime(write: Extract<Write, { kind: "time" }>): Query<void> {
	yield* change(
		`INSERT INTO run_spending (run_id, held_ms) VALUES (?, ?)
		ON CONFLICT (run_id) DO UPDATE SET held_ms = run_spending.held_ms + excluded.held_ms`,
		write.runId,
		write.heldMs,
	);
	for (const [taskId, ms] of Object.entries(write.tasks)) {
		yield* change(
			`INSERT INTO task_spending (run_id, task_id, work_ms) VALUES (?, ?, ?)
			ON CONFLICT (run_id, task_id) DO UPDATE SET work_ms = task_spending.work_ms + excluded.work_ms`,
			write.runId,
			taskId,
			ms,
		);
	}
}

function* openRunAccount(runId: string): Query<void> {
	yield* change("INSERT INTO run_spending (run_id) VALUES (?) ON CONFLICT DO NOTHING", runId);
}

function* openTaskAccount(runId: string, taskId: string): Query<void> {
	const sql = "INSERT INTO task_spending (run_id, task_id) VALUES (?, ?) ON CONFLICT DO NOTHING";
	yield* change(sql, runId, taskId);
}

const ENLARGE = `added_usd = added_usd + CAST(?1 AS DOUBLE PRECISION),
	added_wall_ms = added_wall_ms + CAST(?2 AS DOUBLE PRECISION),
	warned_usd = CASE WHEN CAST(?1 AS DOUBLE PRECISION) > 0 THEN 0 ELSE warned_usd END,
	warned_wall = CASE WHEN CAST(?2 AS DOUBLE PRECISION) > 0 THEN 0 ELSE warned_wall END`;

export function* addGrant(
	place: { readonly runId: string; readonly taskId: string },
	{ scope, usd, wallMs }: Grant,
): Query<void> {
	const { runId, taskId } = place;
	if (scope === "run") {
		yield* openRunAccount(runId);
		yield* change(`UPDATE run_spending SET ${ENLARGE} WHERE run_id = ?3`, usd, wallMs, runId);
		return;
	}
	yield* openTaskAccount(runId, taskId);
	const sql = `UPDATE task_spending SET ${ENLARGE} WHERE run_id = ?3 AND task_id = ?4`;
	yield* change(sql, usd, wallMs, runId, taskId);
}

const WARNED: Readonly<Record<BudgetKind, string>> = { usd: "warned_usd", wall: "warned_wall" };

/** Of the run where `taskId` is null. @returns false when that was noted before */
export function* markWarned({
	runId,
	taskId,
	budget,
}: Extract<Write, { kind: "budget-warned" }>): Query<boolean> {
	const column = WARNED[budget];
	if (taskId === null) {
		yield* openRunAccount(runId);
		const sql = `UPDATE run_spending SET ${column} = 1 WHERE run_id = ? AND ${column} = 0`;
		return (yield* change(sql, runId)) > 0;
	}
	yield* openTaskAccount(runId, taskId);
	const sql = `UPDATE task_spending SET ${column} = 1 WHERE run_id = ? AND task_id = ? AND ${column} = 0`;
	return (yield* change(sql, runId, taskId)) > 0;
}

export function* selectSpending(runId: string): Query<RunSpending> {
	const own = yield* runSpending.one("WHERE run_id = ?", runId);
	return { ...NO_SPENDING, ...own, tasks: yield* taskSpending.all("WHERE run_id = ?", runId) };
}

// In JSON the quotes of a text are escaped, so no text of an event reads like one of its keys.
const SUITE_WORK = `SELECT task, type, count(*) AS found,
		sum(CASE WHEN data LIKE '%"reused":%' THEN 1 ELSE 0 END) AS reused
	FROM events WHERE run_id = ? AND task IS NOT NULL AND (type IN ('setup-ran', 'setup-copied')
		OR (type = 'check-ran' AND (data LIKE '%"kind":"acceptance"%'
			OR (data LIKE '%"kind":"replay"%' AND data NOT LIKE '%"reused":%'))))
	GROUP BY task, type`;

export function* selectSuiteWork(runId: string): Query<Map<string, SuiteWork>> {
	const works = new Map<string, SuiteWork>();
	for (const row of yield* all(SUITE_WORK, runId)) {
		const task = String(row["task"]);
		const [found, reused] = [Number(row["found"]), Number(row["reused"])];
		const told: Readonly<Record<string, Partial<SuiteWork>>> = {
			"check-ran": { suiteRuns: found - reused, suiteRunsSaved: reused },
			"setup-ran": { setups: found },
			"setup-copied": { setupsSaved: found },
		};
		works.set(task, { ...NO_SUITE_WORK, ...works.get(task), ...told[String(row["type"])] });
	}
	return works;
}

import type { Write } from "../records.ts";
import type { ScoredMetric, ScoredTurn, ScoreRecord } from "../scores.ts";
import { all, change, type Query } from "./query.ts";
import { rowCodec } from "./row-codec.ts";
import { LATER, SCORED, scores } from "./tables.ts";

const scored = rowCodec(SCORED);
const later = rowCodec(LATER);

/** Verdicts speak of a tree: those of another one are dropped. On the right stand the columns of the old row. */
const VERDICTS = later.list
	.split(", ")
	.map((column) => `${column} = CASE WHEN scores.tree = excluded.tree THEN scores.${column} END`)
	.join(", ");

/** Callers may hand in measured metrics; reasons and rationales are kept with the turn and the gate's report. */
const bare = ({ type, weight, score, evaluator_agent }: ScoredMetric): ScoredMetric =>
	evaluator_agent === undefined
		? { type, weight, score }
		: { type, weight, score, evaluator_agent };

/** Stores the score of a turn; see `Records` for one that is scored again. */
export function* upsertScore(score: ScoredTurn): Query<void> {
	yield* change(
		`INSERT INTO scores (${scored.list}) VALUES (${scored.marks})
			ON CONFLICT (run_id, task_id, turn) DO UPDATE SET ${VERDICTS}, ${scored.replaced}`,
		...scored.encode({ ...score, metrics: score.metrics.map(bare) }),
	);
}

/** Adds what was said later of a scored turn. */
export function* updateScoreOutcome({
	runId,
	taskId,
	turn,
	patch,
}: Extract<Write, { kind: "score-outcome" }>): Query<void> {
	const assigned = later.assign(patch);
	if (assigned === undefined) return;
	const sql = `UPDATE scores SET ${assigned.sql} WHERE run_id = ? AND task_id = ? AND turn = ?`;
	yield* change(sql, ...assigned.values, runId, taskId, turn);
}

/** Of all runs, in the order they were scored first. */
export function* selectScores(): Query<readonly ScoreRecord[]> {
	return (yield* all(`SELECT ${scores.list} FROM scores ORDER BY seq`)).map(scores.decode);
}

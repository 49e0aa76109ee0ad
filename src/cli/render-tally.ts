import type { RunReport, TaskReport } from "../app/sparring.ts";
import { taskStanding } from "../words/standing.ts";
import { oneLine } from "../words/visible-text.ts";

type Tasks = RunReport["tasks"];

/** More tasks than these that block others are not named in a count. */
const MOST_CAUSES = 3;

/** What a count calls a task: by what became of its work. */
function standingOf(task: TaskReport): string {
	const { status, merged } = task;
	if (status === "completed") return merged ? "merged" : "completed";
	if (status === "needs_rework" || status === "running") return "in work";
	return status === "pending" ? "to do" : taskStanding(task).word;
}

const ORDER = [
	"merged",
	"completed",
	"failed",
	"blocked",
	"cancelled",
	"waiting for you",
	"answered",
];

/** Behind the number of blocked tasks, what blocks them; `it` is the one failed task that was just counted. */
function blockedBy(tasks: Tasks): string {
	const all = Object.values(tasks);
	const causes = [...new Set(all.flatMap(({ blocked_by: by }) => by?.task ?? []))];
	const failed = all.filter(({ status }) => status === "failed");
	const [only] = causes;
	if (only === undefined || causes.length > MOST_CAUSES) return "";
	const isSaid = causes.length === 1 && failed.length === 1 && tasks[only]?.status === "failed";
	return ` by ${isSaid ? "it" : causes.join(", ")}`;
}

/**
 * How many tasks of a run stand where, and what blocks the blocked ones; `""` for a run of one task.
 *
 * @example `"3 merged, 1 failed, 2 blocked by it"`
 */
export function renderTally(tasks: Tasks): string {
	const counts = new Map(ORDER.map((standing) => [standing, 0]));
	for (const task of Object.values(tasks)) {
		const standing = standingOf(task);
		counts.set(standing, (counts.get(standing) ?? 0) + 1);
	}
	const parts = [...counts].flatMap(([standing, count]) => {
		if (count === 0) return [];
		return [`${count} ${standing}${standing === "blocked" ? blockedBy(tasks) : ""}`];
	});
	return Object.keys(tasks).length < 2 ? "" : parts.join(", ");
}

/** What became of a task that blocks others. */
function fateOf({ status, failure_reason: reason }: TaskReport): string {
	if (status === "completed") return "which completed but was not merged";
	if (status === "cancelled") return "which was cancelled";
	return reason === null ? "which failed" : `which failed (${oneLine(reason, 300)})`;
}

/**
 * Why a blocked task cannot start, with the first cause; null for one that is not blocked by a task of the run.
 *
 * @example `"blocked: depends on b, which is blocked by a, which failed (Max turns (2) reached without approval)"`
 */
export function renderBlocked({ blocked_by: by }: TaskReport, tasks: Tasks): string | null {
	const cause = by === null ? undefined : tasks[by.task];
	if (by === null || cause === undefined) return null;
	const fate = `${by.task}, ${fateOf(cause)}`;
	return by.through === null
		? `blocked: depends on ${fate}`
		: `blocked: depends on ${by.through}, which is blocked by ${fate}`;
}

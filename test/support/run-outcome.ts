import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "./repository.ts";
import { type StateRow, stateRows } from "./state-rows.ts";

/** Events that say that something had its effect: each must be in the log as often as without any kill. */
const EFFECTS = [
	"run-started",
	"run-ended",
	"run-landed",
	"task-started",
	"task-ended",
	"agent-answered",
	"agent-failed",
	"report-rejected",
	"snapshot-taken",
	"check-ran",
	"integrity-checked",
	"claims-compared",
	"tests-taken",
	"verification-ran",
	"verification-decided",
	"turn-judged",
	"gate-evaluated",
	"turn-routed",
	"finding-changed",
	"item-opened",
	"item-answered",
	"merge-forecast",
	"merge-refused",
	"conflict-detected",
	"conflict-resolved",
	"orchestrator:conflict:escalation",
	"PAUSED_FOR_USER_ESCALATION",
	"task-merged",
];

/** Values that differ from run to run: times, lengths of time, ids of commits, items, processes. */
const VOLATILE = new Set([
	"id",
	"run",
	"ms",
	"reused",
	"timestamp",
	"commit",
	"onto",
	"turn_commit",
	"checkout",
	"start_commit",
	"base_commit",
	"item",
	"transcript",
	"created_at",
	"commit_id",
	"reviewed_from",
	"usage",
	"human_item",
	"conflict",
	"conflictId",
]);

function steady(value: unknown, runId: string): unknown {
	if (typeof value === "string") return value.replaceAll(runId, "RUN");
	if (Array.isArray(value)) return value.map((each) => steady(each, runId));
	if (typeof value !== "object" || value === null) return value;
	const kept = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
	return Object.fromEntries(kept.map(([key, each]) => [key, steady(each, runId)]));
}

function rows(repo: TestRepository, runId: string, sql: string): unknown {
	return steady(stateRows(repo, sql), runId);
}

/** A process that was killed after it said that the run waits: the next one finds no answer, and says so again. */
function withoutRepeatedPauses(events: readonly unknown[]): unknown[] {
	const texts = events.map((event) => JSON.stringify(event));
	return events.filter(
		(_, at) =>
			texts[at] !== texts[at - 1] || texts[at]?.includes('"paused_for_user_escalation"') !== true,
	);
}

/**
 * A check that a kill cut off from its node is run again, and the log says so; its evidence stays one row. Of equal
 * `check-ran` events only the first is compared.
 */
function withoutRepeatedChecks(events: readonly unknown[]): unknown[] {
	const seen = new Set<string>();
	return events.filter((event) => {
		const text = JSON.stringify(event);
		if (!text.includes('"check-ran"')) return true;
		const isNew = !seen.has(text);
		seen.add(text);
		return isNew;
	});
}

function effects(repo: TestRepository, runId: string): unknown {
	const names = EFFECTS.map((name) => `'${name}'`).join(", ");
	const events = stateRows(
		repo,
		`SELECT type, task, turn, node, data FROM events WHERE type IN (${names}) ORDER BY id`,
	).map((row) => steady({ ...row, data: JSON.parse(String(row["data"])) as unknown }, runId));
	return withoutRepeatedPauses(withoutRepeatedChecks(events));
}

function traces(repo: TestRepository, runId: string): unknown {
	return stateRows(repo, "SELECT task_id FROM tasks ORDER BY position").map(({ task_id }) => {
		const text = repo.read(`.sparring/traces/${String(task_id)}.json`);
		if (text === undefined) return `${String(task_id)}: no trace`;
		// The shape of a trace file is the contract's; `toEqual` compares whatever it holds.
		const { status, turns, ended_at, events } = JSON.parse(text) as {
			status: unknown;
			turns: unknown;
			ended_at: unknown;
			events: readonly StateRow[];
		};
		const told = events.filter(({ type }) => EFFECTS.includes(String(type)));
		return {
			status,
			turns,
			ended: ended_at !== null,
			told: withoutRepeatedChecks(told.map((event) => steady(event, runId))),
		};
	});
}

function history(repo: TestRepository, runId: string): unknown {
	const branches = repo.git("for-each-ref", "--format=%(refname)", "refs/heads/sparring");
	return branches
		.split("\n")
		.filter((ref) => ref !== "")
		.map((ref) => ({
			ref: ref.replaceAll(runId, "RUN"),
			commits: repo
				.git("log", "--topo-order", "--format=%T %an %ae %B", ref)
				.replaceAll(runId, "RUN"),
		}));
}

function checkouts(repo: TestRepository, runId: string): unknown {
	const root = join(repo.home, "checkouts");
	if (!existsSync(root)) return [];
	const parents = readdirSync(root).map((name) => join(root, name, runId));
	return parents
		.filter((path) => existsSync(path))
		.flatMap((path) =>
			readdirSync(path).flatMap((name) =>
				existsSync(join(path, name, "player")) ? [name, `${name}/player`] : [name],
			),
		)
		.sort();
}

/** What came of the only run of a repository, without what differs between two runs of the same workflow. */
export function runOutcome(repo: TestRepository, runId: string): Readonly<Record<string, unknown>> {
	const order = "ORDER BY task_id, turn";
	return {
		runs: rows(repo, runId, "SELECT status, cancel_requested FROM runs"),
		tasks: rows(
			repo,
			runId,
			`SELECT task_id, status, phase, turns, success, failure_reason, flags, branch, merged, gate, bound,
				challenger_approved, open_findings, epoch, ended_at IS NOT NULL AS ended FROM tasks ORDER BY position`,
		),
		turns: rows(
			repo,
			runId,
			`SELECT task_id, turn, tree, raw, effective, exempt, restarted, route, reasons, open_issues, rationale,
				notes FROM turns ${order}`,
		),
		calls: rows(
			repo,
			runId,
			`SELECT task_id, turn, role, call, agent, outcome, report, message FROM calls ${order}, role, call`,
		),
		evidence: rows(
			repo,
			runId,
			`SELECT task_id, turn, check_name, purpose, attempt, status, reason, tree, counts FROM evidence ${order},
				check_name, purpose, attempt`,
		),
		findings: rows(
			repo,
			runId,
			`SELECT task_id, finding_id, ordinal, live, severity, state, issue, raised_turn, changed_turn FROM findings
				ORDER BY task_id, ordinal`,
		),
		conflicts: rows(
			repo,
			runId,
			`SELECT conflicts.task_id, finding_id, turn, dispute_turn, attempt_count, resolution, tie_breaker_decision,
				rationale, escalation_reason, thread_id, paused
				FROM conflicts JOIN conflict_subjects USING (conflict_id) ORDER BY conflicts.task_id, finding_id, attempt_count`,
		),
		items: rows(
			repo,
			runId,
			"SELECT task_id, trigger, status, consumed, reason FROM items ORDER BY seq",
		),
		events: effects(repo, runId),
		traces: traces(repo, runId),
		history: history(repo, runId),
		refs: repo.git("for-each-ref", "--format=%(refname)").replaceAll(runId, "RUN"),
		checkouts: checkouts(repo, runId),
	};
}

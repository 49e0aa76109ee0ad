import type { Evidence, TestCounts } from "../../evidence/evidence.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { Records, RunRecord, TaskRecord } from "../../store/records.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import type { TaskDefinition } from "../../workflow/workflow.ts";
import { findingReports } from "../finding-reports.ts";
import { newestGateReport } from "../read-task.ts";
import type { RunReport } from "../sparring.ts";
import type { EvidenceResult, RunResult, TaskResult } from "./run-result.ts";
import { criteriaOf, decisionsOf } from "./said-of-task.ts";

/** What became of a run, read from its records. */
export async function readRunResult(
	records: Records,
	run: RunRecord,
	report: RunReport,
): Promise<RunResult> {
	const items = (await records.items(run.runId)).toReversed();
	const tasks: TaskResult[] = [];
	for (const task of await records.tasks(run.runId)) {
		const own = items.filter(({ taskId }) => taskId === task.taskId);
		const result = await taskResult(records, { run, task, report, items: own });
		if (result !== null) tasks.push(result);
	}
	return {
		run: report,
		workflow_file: run.workflow.file ?? null,
		created_at: run.createdAt,
		ended_at: run.endedAt,
		tasks,
	};
}

async function taskResult(
	records: Records,
	at: {
		readonly run: RunRecord;
		readonly task: TaskRecord;
		readonly report: RunReport;
		readonly items: readonly HumanItem[];
	},
): Promise<TaskResult | null> {
	const { run, task, items } = at;
	const report = at.report.tasks[task.taskId];
	const definition = run.workflow.tasks.find(({ id }) => id === task.taskId);
	if (report === undefined || definition === undefined) return null;
	const findings = await findingReports(records, task);
	const events = await records.events(run.runId, { task: task.taskId });
	const { title, rest } = splitTitle(definition);
	return {
		id: task.taskId,
		title,
		description: rest.trim(),
		report,
		started_at: task.startedAt,
		ended_at: task.endedAt,
		player: definition.formalReview === true ? null : definition.player,
		coach: coachOf(definition),
		criteria: criteriaOf(definition, events, findings),
		evidence: await newestEvidence(records, task),
		findings,
		gate: await newestGateReport(records, task),
		review: reviewOf(events),
		decisions: items.flatMap(decisionsOf),
	};
}

function coachOf({ pair, formalReview, player }: TaskDefinition): string | null {
	return formalReview === true ? player : (pair?.challenger ?? null);
}

/** Of each check what it said of the tree that was to merge, else of the turn's own. */
async function newestEvidence(
	records: Pick<Records, "evidence">,
	{ runId, taskId, turns }: TaskRecord,
): Promise<EvidenceResult[]> {
	for (let turn = turns; turn > 0; turn -= 1) {
		const newest = new Map<string, Evidence>();
		for (const piece of await records.evidence(runId, taskId, turn)) {
			const key = JSON.stringify([piece.kind, piece.check, piece.item]);
			if (piece.purpose === "assembled" || !newest.has(key)) newest.set(key, piece);
		}
		if (newest.size > 0) return [...newest.values()].map(evidenceResult);
	}
	return [];
}

function evidenceResult(piece: Evidence): EvidenceResult {
	const { check, kind, purpose, status, reason, tree, ms, details, item } = piece;
	const counts = piece.counts === null ? null : countsOf(piece.counts);
	return { check, kind, purpose, status, reason, tree, ms, counts, details, label: item ?? null };
}

function countsOf({ knownFailing, ...counts }: TestCounts): EvidenceResult["counts"] {
	return { ...counts, known_failing: knownFailing };
}

function reviewOf(events: readonly StoredEvent[]): TaskResult["review"] {
	const last = events.findLast(({ type }) => type === "review-decided");
	return last?.type === "review-decided" ? last.data : null;
}

import type { Evidence } from "../evidence/evidence.ts";
import type { HumanItem } from "../human/human-item.ts";
import { snake } from "../kernel/snake-case.ts";
import type { FindingReport } from "../review/finding-report.ts";
import { isOpen } from "../review/finding-state.ts";
import type { Records, RunRecord, TaskRecord } from "../store/records.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import type { StoredEvent } from "../trace/event.ts";
import { splitTitle } from "../workflow/task-subject.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { findingReports } from "./finding-reports.ts";
import { evidenceReport, newestGateReport } from "./read-task.ts";
import type { RunReport } from "./report.ts";
import type {
	CriterionResult,
	EvidenceResult,
	PersonDecision,
	RunResult,
	TaskAccount,
} from "./run-result.ts";

// With subtasks, a turn judges only some of the criteria.
export function criteriaOf(
	task: Pick<TaskDefinition, "acceptanceCriteria" | "subtasks">,
	events: readonly StoredEvent[],
	findings: readonly FindingReport[],
): CriterionResult[] {
	const said = new Map<string, CriterionStatement>();
	for (const { type, data } of events) {
		if (type !== "turn-judged" && type !== "confidence-scored") continue;
		for (const statement of data.criteria ?? []) said.set(statement.criterion, statement);
	}
	const criteria = [task, ...(task.subtasks ?? [])].flatMap((part) => part.acceptanceCriteria);
	return [...new Set(criteria)].map((criterion) => {
		const last = said.get(criterion);
		const about = findings.filter((finding) => finding.criterion === criterion);
		// Said nothing of a criterion that it was asked about, a judge counts as calling it unmet.
		const isUnmet = last?.met === false || about.some(isOpenlyUnmet);
		const none = last === undefined ? "unjudged" : "met";
		const unmet = about.at(-1)?.state === "overruled" ? "overruled" : "unmet";
		const status = isUnmet ? unmet : none;
		return { criterion, status, evidence: last?.evidence ?? null, tests: last?.tests ?? [] };
	});
}

function isOpenlyUnmet(finding: FindingReport): boolean {
	return finding.source === "criterion" && isOpen(finding);
}

export function decisionsOf({ trigger, answer, parts }: HumanItem): PersonDecision[] {
	const byFinding = Object.entries(parts ?? {}).map(([finding, part]) => ({
		trigger,
		choice: part.choice,
		finding,
		words: part.directive ?? part.notes,
		answered_at: part.answeredAt,
	}));
	if (answer === null || byFinding.length > 0) return byFinding;
	const { choice, directive, reason, notes, answeredAt } = answer;
	const words = directive ?? reason ?? notes;
	return [{ trigger, choice, finding: null, words, answered_at: answeredAt }];
}

export async function readRunResult(
	records: Records,
	run: RunRecord,
	report: RunReport,
): Promise<RunResult> {
	const items = (await records.items(run.runId)).toReversed();
	const tasks: TaskAccount[] = [];
	for (const task of await records.tasks(run.runId)) {
		const own = items.filter(({ taskId }) => taskId === task.taskId);
		const result = await taskResult(records, { run, task, report, items: own });
		if (result !== null) tasks.push(result);
	}
	return {
		run: report,
		workflow_file: run.workflow.file ?? null,
		...snake(run, "createdAt", "endedAt"),
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
): Promise<TaskAccount | null> {
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
		...snake(task, "startedAt", "endedAt"),
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

// On the tree that was to merge, else on the turn's own.
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
		if (newest.size > 0)
			return [...newest.values()].map((piece) => ({
				...evidenceReport(piece),
				label: piece.item ?? null,
			}));
	}
	return [];
}

function reviewOf(events: readonly StoredEvent[]): TaskAccount["review"] {
	const last = events.findLast(({ type }) => type === "review-decided");
	return last?.type === "review-decided" ? last.data : null;
}

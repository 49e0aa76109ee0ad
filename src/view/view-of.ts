import type { FindingConflict } from "../conflict/conflict.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import { asked, type HumanItem } from "../human/human-item.ts";
import { snake } from "../kernel/snake-case.ts";
import { isEnded } from "../kernel/task-state.ts";
import { type TurnVerification, verificationReport } from "../loop/records/turn-verification.ts";
import type { Finding } from "../review/finding.ts";
import { verdictReasonText } from "../review/verdict-reason.ts";
import type { CallRecord, RunRecord, TaskRecord, TurnRecord } from "../store/records.ts";
import type { EventType, StoredEvent } from "../trace/event.ts";
import { splitTitle } from "../workflow/task-subject.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { criteriaOf } from "./criteria-of.ts";
import { findingReports } from "./finding-reports.ts";
import { itemJson } from "./item-json.ts";
import type { RunReport, TaskReport } from "./report.ts";
import {
	type CallView,
	type CheckView,
	type DecisionView,
	type RunView,
	type TaskHead,
	type TaskView,
	type TurnView,
	type VerificationView,
	VIEW_VERSION,
} from "./run-view.ts";

/** Records of a turn. */
export interface TurnRows {
	readonly turn: number;
	/** undefined until the player's work was taken. */
	readonly record: TurnRecord | undefined;
	readonly evidence: readonly Evidence[];
	readonly verification: TurnVerification | undefined;
	readonly gate: GateReport | undefined;
}

/** Records of a task, without its events. */
export interface TaskRows {
	readonly task: TaskRecord;
	readonly definition: TaskDefinition;
	readonly report: TaskReport;
	readonly findings: readonly Finding[];
	readonly conflicts: readonly FindingConflict[];
	readonly baseline: readonly Evidence[];
	readonly calls: readonly CallRecord[];
	/** Of work that was there before the first turn. */
	readonly firstGate: GateReport | undefined;
	/** From the first on. */
	readonly turns: readonly TurnRows[];
}

/** Records of a run, without its events. */
export interface RunRows {
	readonly run: RunRecord;
	readonly report: RunReport;
	readonly heldMs: number;
	/** All of the run, the newest first. */
	readonly items: readonly HumanItem[];
	readonly tasks: readonly TaskRows[];
}

/**
 * The view of a run: of its records and its events alone, and the same for the same ones.
 *
 * @param events those of the tasks in `rows`, in the order of their ids
 */
export function viewOf(events: readonly StoredEvent[], rows: RunRows): RunView {
	const { run, report, heldMs, items } = rows;
	const byTask = Map.groupBy(events, ({ task }) => task);
	return {
		version: VIEW_VERSION,
		run: report,
		workflow_file: run.workflow.file ?? null,
		...snake(run, "baseCommit", "createdAt", "endedAt", "cancelRequested"),
		held_ms: Math.round(heldMs),
		questions: asked(items.filter(({ answer }) => answer === null)).map(itemJson),
		tasks: rows.tasks.map((task) => {
			const own = items.filter(({ taskId }) => taskId === task.task.taskId);
			return taskView(byTask.get(task.task.taskId) ?? [], task, own.toReversed());
		}),
	};
}

/** The tasks of a run as lists of tasks tell them. */
export function taskHeads(
	run: RunRecord,
	tasks: readonly TaskRecord[],
	report: RunReport,
): TaskHead[] {
	return tasks.flatMap((task) => {
		const definition = run.workflow.tasks.find(({ id }) => id === task.taskId);
		const own = report.tasks[task.taskId];
		return definition === undefined || own === undefined ? [] : [taskHead(task, definition, own)];
	});
}

function taskHead(task: TaskRecord, definition: TaskDefinition, report: TaskReport): TaskHead {
	return {
		id: task.taskId,
		title: splitTitle(definition).title,
		depends_on: definition.dependsOn,
		formal_review: definition.formalReview === true,
		...snake(task, "bound", "startedAt", "endedAt"),
		report,
	};
}

function taskView(
	events: readonly StoredEvent[],
	rows: TaskRows,
	items: readonly HumanItem[],
): TaskView {
	const { task, definition, baseline, calls } = rows;
	const findings = findingReports(rows.findings, rows.conflicts, events);
	const ofTurn = Map.groupBy(events, ({ turn }) => turn);
	const callsOf = Map.groupBy(calls, ({ turn }) => turn);
	const turns = rows.turns.map((turn) =>
		turnView(ofTurn.get(turn.turn) ?? [], turn, callsOf.get(turn.turn) ?? []),
	);
	return {
		...taskHead(task, definition, rows.report),
		description: splitTitle(definition).rest.trim(),
		acceptance_criteria: definition.acceptanceCriteria,
		context_files: definition.contextFiles,
		...firstSeats(definition),
		seats: seatsNow(events),
		node: nodeOf(task, events),
		start_commit: task.startCommit,
		criteria: criteriaOf(definition, events, findings),
		evidence: newestChecks(turns),
		findings,
		gate: turns.findLast(({ gate }) => gate !== null)?.gate ?? rows.firstGate ?? null,
		review: lastOf(events, "review-decided")?.data ?? null,
		decisions: items.flatMap(decisionsOf),
		baseline: baseline.map(checkView),
		turns,
	};
}

interface Said
	extends Pick<
		TurnRecord,
		"raw" | "effective" | "reasons" | "rationale" | "notes" | "concerns" | "route"
	> {
	readonly commit: string | null;
	readonly tree: string | null;
}

const BEFORE_WORK: Said = {
	commit: null,
	tree: null,
	raw: null,
	effective: null,
	reasons: [],
	rationale: "",
	notes: "",
	concerns: [],
	route: null,
};

const saidIn = (record: Said) =>
	snake(
		record,
		...(["commit", "tree", "raw", "effective", "reasons"] as const),
		...(["rationale", "notes", "concerns", "route"] as const),
	);

function turnView(
	events: readonly StoredEvent[],
	{ turn, record, evidence, verification, gate }: TurnRows,
	calls: readonly CallRecord[],
): TurnView {
	const judged = lastOf(events, "turn-judged")?.data;
	const { reasons, ...said } = saidIn(record ?? BEFORE_WORK);
	return {
		turn,
		...said,
		reasons: reasons.map(verdictReasonText),
		criteria: judged?.criteria ?? [],
		attempts: judged?.attempts ?? null,
		checks: evidence.map(checkView),
		calls: calls.map(callView),
		findings: idsIn(events, (event) =>
			event.type === "finding-changed" ? event.data.finding : null,
		),
		questions: idsIn(events, (event) => (event.type === "item-opened" ? event.data.item : null)),
		verification: verification === undefined ? null : verificationView(verification),
		gate: gate ?? null,
		score: lastOf(events, "confidence-scored")?.data ?? null,
	};
}

/** Each once, in the order in which they come. */
const idsIn = (
	events: readonly StoredEvent[],
	idOf: (event: StoredEvent) => string | null,
): readonly string[] => [...new Set(events.flatMap((event) => idOf(event) ?? []))];

function checkView(piece: Evidence): CheckView {
	const { counts, item, outputPath, cases } = piece;
	return {
		...snake(piece, "check", "kind", "purpose", "status", "reason", "tree", "ms", "details"),
		counts:
			counts === null
				? null
				: snake(counts, "total", "passed", "failed", "skipped", "knownFailing"),
		label: item ?? null,
		...snake(piece, "exitCode", "startedAt"),
		log: outputPath,
		has_cases: cases !== null && cases.length > 0,
	};
}

function callView(call: CallRecord): CallView {
	const { usage, transcriptPath } = call;
	return {
		...snake(call, "role", "agent", "call", "outcome", "message", "startedAt"),
		ms: Math.round(call.ms),
		cost_usd: usage?.costUsd ?? null,
		model: usage?.model ?? null,
		log: transcriptPath,
	};
}

function verificationView(decided: TurnVerification): VerificationView {
	const { output_path: _path, usage: _usage, ...report } = verificationReport(decided);
	return { ...report, log: decided.outputPath };
}

/** Of the newest turn that has any: what each check said of the tree that was to merge, else of the turn's own. */
function newestChecks(turns: readonly TurnView[]): readonly CheckView[] {
	const last = turns.findLast(({ checks }) => checks.length > 0);
	const newest = new Map<string, CheckView>();
	for (const check of last?.checks ?? []) {
		const key = JSON.stringify([check.kind, check.check, check.label]);
		if (check.purpose === "assembled" || !newest.has(key)) newest.set(key, check);
	}
	return [...newest.values()];
}

function firstSeats({
	formalReview = false,
	player,
	pair,
}: TaskDefinition): Pick<TaskView, "player" | "coach"> {
	return formalReview
		? { player: null, coach: player }
		: { player, coach: pair?.challenger ?? null };
}

function seatsNow(events: readonly StoredEvent[]): TaskView["seats"] {
	const last = events.findLast(({ type }) => type === "task-started" || type === "seats-switched");
	if (last?.type !== "task-started" && last?.type !== "seats-switched") return null;
	const { player, coach } = last.data;
	return { player, coach };
}

/** Entered last, and not left. */
function nodeOf({ status }: TaskRecord, events: readonly StoredEvent[]): string | null {
	if (isEnded(status)) return null;
	const last = events.findLast(({ type }) => type === "node-entered" || type === "node-left");
	return last?.type === "node-entered" ? last.node : null;
}

function lastOf<Type extends EventType>(
	events: readonly StoredEvent[],
	type: Type,
): Extract<StoredEvent, { readonly type: Type }> | undefined {
	// The type that is looked for is that of the member of the union.
	return events.findLast((event) => event.type === type) as
		| Extract<StoredEvent, { readonly type: Type }>
		| undefined;
}

/** Decisions of a person; none for a question without an answer. */
export function decisionsOf({ trigger, answer, parts }: HumanItem): DecisionView[] {
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

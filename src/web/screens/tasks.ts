import type { Evidence } from "../../evidence/evidence.ts";
import { Fault } from "../../kernel/fault.ts";
import { snake } from "../../kernel/snake-case.ts";
import { isEnded } from "../../kernel/task-state.ts";
import { taskDiff } from "../../library/task-diff.ts";
import { verificationReport, verificationStep } from "../../loop/records/turn-verification.ts";
import { findRun } from "../../places/find-run.ts";
import { keptCheckout } from "../../places/places.ts";
import { bringShared } from "../../places/remote-ground.ts";
import { verdictReasonText } from "../../review/verdict-reason.ts";
import {
	type CallRecord,
	gateReportStep,
	type Records,
	type RunRecord,
	type TaskRecord,
	type TurnRecord,
} from "../../store/records.ts";
import type { EventType, StoredEvent } from "../../trace/event.ts";
import { findingReports } from "../../view/finding-reports.ts";
import { evidenceReport } from "../../view/read-task.ts";
import { taskFacts } from "../../view/run-report.ts";
import { holderName } from "../../view/run-summary.ts";
import { splitTitle } from "../../workflow/task-subject.ts";
import type {
	CallView,
	EvidenceView,
	TaskDetail,
	TurnView,
	VerificationView,
} from "../protocol.ts";
import type { DiffRange, TaskPlace } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { taskRow } from "./runs.ts";

export async function findTask(
	records: Records,
	{ run: runId, task }: TaskPlace,
): Promise<{ readonly run: RunRecord; readonly task: TaskRecord }> {
	const run = await findRun(records, runId);
	const found = await records.task(runId, task);
	if (found !== undefined) return { run, task: found };
	throw new Fault(`run ${runId} has no task ${task}`, {
		code: "task-not-found",
		hint: `See its tasks: spar status ${runId}`,
	});
}

function evidenceView(piece: Evidence): EvidenceView {
	return {
		...evidenceReport(piece),
		...snake(piece, "exitCode", "startedAt"),
		item: piece.item ?? null,
		ms: Math.round(piece.ms),
		log: piece.outputPath,
		has_cases: piece.cases !== null && piece.cases.length > 0,
	};
}

function callView(call: CallRecord): CallView {
	const { usage } = call;
	return {
		...snake(call, "role", "agent", "call", "outcome", "message", "startedAt"),
		ms: Math.round(call.ms),
		cost_usd: usage?.costUsd ?? null,
		model: usage?.model ?? null,
		log: call.transcriptPath,
	};
}

async function verificationView(
	records: Records,
	task: TaskRecord,
	turn: number,
): Promise<VerificationView | null> {
	const decided = await records.step(verificationStep(task, turn));
	if (decided === undefined) return null;
	const { output_path: _path, usage: _usage, ...report } = verificationReport(decided);
	return { ...report, log: decided.outputPath };
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

const BEFORE_WORK = {
	commit: null,
	tree: null,
	raw: null,
	effective: null,
	reasons: [],
	rationale: "",
	notes: "",
	concerns: [],
	route: null,
} as const;

interface TurnParts {
	readonly turn: number;
	readonly record: Pick<TurnRecord, keyof typeof BEFORE_WORK> | typeof BEFORE_WORK;
	readonly calls: readonly CallRecord[];
	readonly events: readonly StoredEvent[];
}

async function turnView(
	records: Records,
	task: TaskRecord,
	{ turn, record, calls, events }: TurnParts,
): Promise<TurnView> {
	const judged = lastOf(events, "turn-judged");
	const evidence = await records.evidence(task.runId, task.taskId, turn);
	return {
		turn,
		...snake(
			record,
			"commit",
			"tree",
			"raw",
			"effective",
			"rationale",
			"notes",
			"concerns",
			"route",
		),
		reasons: record.reasons.map(verdictReasonText),
		criteria: judged?.data.criteria ?? [],
		attempts: judged?.data.attempts ?? null,
		evidence: evidence.map(evidenceView),
		calls: calls.map(callView),
		verification: await verificationView(records, task, turn),
		gate: (await records.step(gateReportStep(task, turn))) ?? null,
		score: lastOf(events, "confidence-scored")?.data ?? null,
	};
}

// Entered last, and not left.
function nodeOf({ status }: TaskRecord, events: readonly StoredEvent[]): string | null {
	if (isEnded(status)) return null;
	const last = events.findLast(({ type }) => type === "node-entered" || type === "node-left");
	return last?.type === "node-entered" ? last.node : null;
}

function seatsOf(events: readonly StoredEvent[]): Pick<TaskDetail, "player" | "coach"> {
	const last = events.findLast(({ type }) => type === "task-started" || type === "seats-switched");
	if (last?.type !== "task-started" && last?.type !== "seats-switched")
		return { player: null, coach: null };
	const { player, coach } = last.data;
	return { player, coach };
}

const ALL_TURNS = 1_000_000;

export async function taskDetail(ground: ScreenGround, place: TaskPlace): Promise<TaskDetail> {
	const store = await ground.existing();
	const { records } = store;
	const cursor = await records.newestEvent();
	const { run, task } = await findTask(records, place);
	const { runId, taskId } = task;
	const definition = run.workflow.tasks.find(({ id }) => id === taskId);
	const events = await records.events(runId, { task: taskId });
	const ofTurn = Map.groupBy(events, ({ turn }) => turn);
	const callsOfTurn = Map.groupBy(await records.taskCalls(runId, taskId), ({ turn }) => turn);
	const turns = new Map(
		(await records.turns(runId, taskId, ALL_TURNS)).map((record) => [record.turn, record]),
	);
	const views: TurnView[] = [];
	for (let turn = 1; turn <= task.turns; turn += 1) {
		views.push(
			await turnView(records, task, {
				turn,
				record: turns.get(turn) ?? BEFORE_WORK,
				calls: callsOfTurn.get(turn) ?? [],
				events: ofTurn.get(turn) ?? [],
			}),
		);
	}
	const baseline = await records.evidence(runId, taskId, 0);
	const facts = await taskFacts(records, run, await records.tasks(runId));
	const said = await ground.sparring.lastSaid(runId, [taskId]);
	const detail: TaskDetail = {
		...taskRow(task, facts, said),
		cursor,
		run_id: runId,
		workflow: run.workflow.name,
		description: definition === undefined ? "" : splitTitle(definition).rest.trim(),
		acceptance_criteria: definition?.acceptanceCriteria ?? [],
		context_files: definition?.contextFiles ?? [],
		...seatsOf(events),
		node: nodeOf(task, events),
		start_commit: task.startCommit,
		checkout: keptCheckout(ground.places, task),
		holder: holderName(await store.leases.holder(runId)),
		baseline: baseline.map(evidenceView),
		turn_views: views,
		findings: await findingReports(records, { runId, taskId }),
		gate_report: views.findLast(({ gate }) => gate !== null)?.gate ?? null,
		verification_result:
			views.findLast(({ verification }) => verification !== null)?.verification ?? null,
	};
	return maskedValue(await ground.masks.of(run), detail);
}

export async function diffText(
	ground: ScreenGround,
	place: TaskPlace,
	{ turn, since }: DiffRange,
): Promise<string> {
	const { records } = await ground.existing();
	const { run, task } = await findTask(records, place);
	const repository = await ground.repository();
	await bringShared(repository, run, { env: ground.env, tasks: [task.taskId] });
	const wanted = {
		run,
		task: task.taskId,
		turn: turn ?? undefined,
		since: since ?? undefined,
	};
	return (await ground.masks.of(run)).mask(await taskDiff(records, repository, wanted));
}

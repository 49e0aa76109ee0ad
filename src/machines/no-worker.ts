import { choicesFor, failureFlags, failureReason } from "../human/choices.ts";
import type { HumanItem } from "../human/human-item.ts";
import type { WorkInQuestion } from "../human/question.ts";
import { type Reason, reasonText } from "../human/reason.ts";
import { randomId } from "../kernel/ids.ts";
import { runEvent, taskEnd } from "../schedule/run-writes.ts";
import { type StepKey, stepWrite, type TaskRecord, type Write } from "../store/records.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { UnfitMachine } from "./fitness.ts";

const PATIENCE_MS = 600_000;

// By the database's clock, ISO 8601; null while a worker is there.
export const waitingSince = ({ runId, taskId }: TaskRecord): StepKey<string | null> => ({
	runId,
	taskId,
	turn: 0,
	step: "no-worker",
});

type Asked = Pick<
	TaskDefinition,
	"id" | "description" | "acceptanceCriteria" | "player" | "pair" | "human"
>;

export interface Wanted {
	readonly task: TaskRecord;
	readonly definition: Asked;
	readonly tags: readonly string[];
}

export interface Waiting {
	readonly since: string | null;
	/** Milliseconds since the epoch, by the database's clock. */
	readonly now: number;
}

// First since when, after 10 minutes the question, or the end where nobody is asked.
export function aloneWrites(
	{ task, definition, tags }: Wanted,
	{
		since,
		now,
		served,
		unfit = [],
	}: Waiting & { readonly served: boolean; readonly unfit?: readonly UnfitMachine[] },
): readonly Write[] {
	const at = new Date(now).toISOString();
	if (served) return since === null ? [] : [stepWrite(waitingSince(task), null)];
	if (since === null) return [stepWrite(waitingSince(task), at)];
	const waited = now - Date.parse(since);
	if (waited < PATIENCE_MS) return [];
	const minutes = Math.floor(waited / 60_000);
	const reason = { kind: "no_worker", tags, minutes, unfit } as const;
	// What waits for a person was begun by somebody.
	const begun: readonly Write[] =
		task.status === "pending" ? [patch(task, { status: "running" })] : [];
	const rest = definition.human
		? asked(task, { definition, reason, at })
		: failed(task, at, failureReason("no_worker", reason).reason);
	return [...begun, stepWrite(waitingSince(task), null), ...rest];
}

function asked(
	task: TaskRecord,
	{
		definition,
		reason,
		at,
	}: { readonly definition: Asked; readonly reason: Reason; readonly at: string },
): Write[] {
	const { runId, taskId } = task;
	const trigger = "no_worker" as const;
	const item: HumanItem = {
		id: randomId(6),
		runId,
		taskId,
		trigger,
		reason: reasonText(reason),
		status: "PENDING",
		choices: choicesFor(trigger),
		context: contextOf(task, definition),
		createdAt: at,
		answer: null,
		consumed: false,
	};
	const data = { item: item.id, trigger, reason: item.reason };
	return [
		{ kind: "item", item },
		patch(task, { status: "paused_for_human", phase: "awaiting_human", humanItem: item.id }),
		runEvent(runId, "item-opened", data, { task: taskId, timestamp: at }),
	];
}

function failed(task: TaskRecord, timestamp: string, reason: string): Write[] {
	const flags = failureFlags("no_worker", { pair: false });
	return taskEnd(task, { status: "failed", reason, flags, timestamp });
}

export function aloneAnswered(task: TaskRecord, item: HumanItem, now: number): readonly Write[] {
	const { answer } = item;
	const consumed: Write = { kind: "item-consumed", itemId: item.id };
	// Whoever takes it sets the phase that it is in.
	const goesOn = patch(task, { status: "running", phase: "initializing", humanItem: null });
	if (answer?.choice !== "reject") return [consumed, goesOn];
	const reason = { kind: "rejected", why: answer.reason } as const;
	const at = new Date(now).toISOString();
	return [consumed, goesOn, ...failed(task, at, reasonText(reason))];
}

function patch(
	{ runId, taskId }: TaskRecord,
	changed: Extract<Write, { kind: "task" }>["patch"],
): Write {
	return { kind: "task", runId, taskId, patch: changed };
}

// Nothing of the work is asked about: what belongs to it is empty.
function contextOf(
	task: TaskRecord,
	{ id, description, acceptanceCriteria, player, pair }: Asked,
): WorkInQuestion {
	const coach = pair?.challenger ?? null;
	return {
		task: { id, description, acceptance_criteria: acceptanceCriteria },
		developer: { agent: player, notes: "", concerns: [], left_work: [], files: [] },
		reviewer: { agent: coach, decision: null, effective: null, rationale: "", attempts: null },
		findings: [],
		suspicions: [],
		false_claims: [],
		evidence: [],
		gate: null,
		gate_report: null,
		confidence: null,
		pair: null,
		subtask: null,
		reasons: [],
		diff_path: null,
		checkout: null,
		branch: task.branch,
		commit: task.commit,
		turns: task.turns,
		bound: task.bound,
	};
}

import type { HumanItem } from "../../human/human-item.ts";
import { type Reason, type ToldReason, toldReason } from "../../human/reason.ts";
import { type StepKey, stepWrite, type TurnRecord, type Write } from "../../store/records.ts";
import type { EventData } from "../../trace/event.ts";
import type { RefusedMerge } from "./merge-trouble.ts";
import type { Journal } from "./task-log.ts";
import { refusedMergeStep } from "./task-steps.ts";

export function taskStarted(log: Journal, begun: EventData["task-started"]): Write[] {
	return [
		log.task({
			startCommit: begun.start_commit,
			status: "running",
			startedAt: log.timestamp(),
		}),
		log.event("task-started", begun),
	];
}

interface TaskEnd {
	readonly status: "completed" | "failed";
	readonly reason: ToldReason | null;
	readonly flags: readonly string[];
	readonly merged: boolean;
	readonly turns: number;
	readonly checkout: string | null;
}

export function taskEnded(log: Journal, { status, reason, flags, ...end }: TaskEnd): Write[] {
	const success = status === "completed";
	const told = reason ?? { reason };
	const endedAt = log.timestamp();
	return [
		log.task({ status, phase: status, success, failureReason: told.reason, flags, endedAt }),
		log.event("task-ended", { status, ...told, flags: [...flags], ...end }),
	];
}

/** A person is asked: the question is stored before anybody is told. */
export function itemOpened(log: Journal, item: HumanItem, reason: Reason): Write[] {
	const { id, trigger } = item;
	return [
		{ kind: "item", item },
		log.task({ status: "paused_for_human", phase: "awaiting_human", humanItem: id }),
		log.event("item-opened", { item: id, trigger, ...toldReason(reason) }),
	];
}

/** A person's answer is acted on, once. Its event was written when it was given. */
export function itemAnswered(
	log: Journal,
	item: HumanItem,
	{ turn }: { readonly turn: TurnRecord | null },
): Write[] {
	const writes: Write[] = [
		{ kind: "item-consumed", itemId: item.id },
		log.task({ status: "running", humanItem: null }),
	];
	if (turn !== null) writes.push({ kind: "turn", turn: { ...turn, restarted: true } });
	const human = wordOn(item);
	if (human !== null) {
		const { runId, taskId } = log;
		writes.push({ kind: "score-outcome", runId, taskId, turn: log.turn, patch: { human } });
	}
	return writes;
}

function wordOn({ trigger, answer, choices }: HumanItem): "accepted" | "rejected" | null {
	const isSigned = trigger === "sign_off" || trigger === "requires_human";
	if (!isSigned && !choices.includes("take_developer")) return null;
	const choice = answer?.choice ?? "reject";
	if (choice === "continue") return isSigned ? "accepted" : null;
	return choice === "take_developer" ? "accepted" : "rejected";
}

export interface MergeIntent {
	readonly tip: string;
	readonly commit: string;
	/** Time of the commit in ms since the epoch: with it the same commit can be made again. */
	readonly at: number;
}

const LONGEST_REASON = 2_000;

export function mergeForecast(log: Journal, conflicts: readonly string[]): Write[] {
	const clean = conflicts.length === 0;
	return [log.event("merge-forecast", { clean, conflicts: [...conflicts] })];
}

// Stored before it is acted on: the merge commit is the same one after a kill.
export function mergeIntended(
	log: Journal,
	key: StepKey<MergeIntent>,
	intent: MergeIntent,
	left: readonly string[],
): Write[] {
	const told = left.length === 0 ? [] : [log.event("tests-left-out", { files: [...left] })];
	return [stepWrite(key, intent), ...mergeForecast(log, []), ...told];
}

export function mergeRefused(
	log: Journal,
	{ tip, commit, trouble, told }: Omit<MergeIntent, "at"> & RefusedMerge,
	attempt: number,
): Write[] {
	return [
		stepWrite(refusedMergeStep(log, log.turn), { trouble, told }),
		log.task({ startCommit: tip, commit }),
		log.event("merge-refused", { reason: firstLines(told), attempt }),
	];
}

/** The lines that fit: one that does not is left out, since a secret that is cut is not recognised when it is stored. */
function firstLines(text: string): string {
	if (text.length <= LONGEST_REASON) return text;
	const cut = text.slice(0, LONGEST_REASON);
	return cut.slice(0, Math.max(0, cut.lastIndexOf("\n")));
}

export function assembledChecked(log: Journal, said: "pass" | "fail"): Write[] {
	const { runId, taskId, turn } = log;
	return [{ kind: "score-outcome", runId, taskId, turn, patch: { assembled: said } }];
}

export function merged(log: Journal, landed: EventData["task-merged"], checked: boolean): Write[] {
	return [
		log.task({ merged: true, mergedCommit: landed.commit }),
		{ kind: "run", runId: log.runId, patch: { landedCommit: null } },
		...(checked ? assembledChecked(log, "pass") : []),
		log.event("task-merged", landed),
	];
}

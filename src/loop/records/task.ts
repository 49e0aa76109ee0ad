import type { HumanItem } from "../../human/human-item.ts";
import { type Reason, type ToldReason, toldReason } from "../../human/reason.ts";
import type { TurnRecord, Write } from "../../store/records.ts";
import type { EventData } from "../../trace/event.ts";
import type { TaskLog } from "../task-log.ts";

export function taskStarted(log: TaskLog, begun: EventData["task-started"]): Write[] {
	return [
		log.task({
			startCommit: begun.start_commit,
			status: "running",
			startedAt: log.timestamp(),
		}),
		log.event("task-started", begun),
	];
}

export interface TaskEnd {
	readonly status: "completed" | "failed";
	readonly reason: ToldReason | null;
	readonly flags: readonly string[];
	readonly merged: boolean;
	readonly turns: number;
	readonly checkout: string | null;
}

export function taskEnded(log: TaskLog, { status, reason, flags, ...end }: TaskEnd): Write[] {
	const success = status === "completed";
	const told = reason ?? { reason };
	const endedAt = log.timestamp();
	return [
		log.task({ status, phase: status, success, failureReason: told.reason, flags, endedAt }),
		log.event("task-ended", { status, ...told, flags: [...flags], ...end }),
	];
}

/** A person is asked: the question is stored before anybody is told. */
export function itemOpened(log: TaskLog, item: HumanItem, reason: Reason): Write[] {
	const { id, trigger } = item;
	return [
		{ kind: "item", item },
		log.task({ status: "paused_for_human", phase: "awaiting_human", humanItem: id }),
		log.event("item-opened", { item: id, trigger, ...toldReason(reason) }),
	];
}

export interface ConsumedAnswer {
	readonly turn: TurnRecord | null;
}

/** A person's answer is acted on, once. Its event was written when it was given. */
export function itemAnswered(log: TaskLog, item: HumanItem, { turn }: ConsumedAnswer): Write[] {
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

import { choicesFor } from "../../human/choices.ts";
import { failureFlags, failureReason } from "../../human/failure.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { Trigger } from "../../human/question.ts";
import { type Reason, reasonText, type ToldReason, toldReason } from "../../human/reason.ts";
import { ALREADY_DONE, isDelivered } from "../../kernel/task-state.ts";
import { type ItemInput, questionOf } from "../item-question.ts";
import type { NodeInput, NodeResult } from "../node.ts";
import { itemOpened, taskEnded } from "../records/task.ts";
import { isUntested } from "../task-facts.ts";
import { isUnverified } from "../turn-verification.ts";
import { didNothing } from "../unchanged.ts";

type EndInput = Pick<NodeInput, "facts" | "state" | "read" | "log" | "commits" | "pair" | "files">;

/** `finalize_success`: the task is done. */
export async function finalizeSuccess(input: EndInput): Promise<NodeResult<"go">> {
	const { facts, state, read, log, pair, files } = input;
	const { merged } = await read.task();
	const flags = [
		...((await didNothing(input)) ? [ALREADY_DONE] : []),
		...(isUntested(facts) ? ["unchecked"] : []),
		...(isUnverified(await read.verification(state.turn)) ? ["unverified"] : []),
	];
	const checkout = isDelivered({ merged, flags }) ? null : files.checkout();
	const end = { reason: null, flags, merged, turns: state.turn, checkout };
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, { status: "completed", ...end }),
	};
}

/** `finalize_failure`: checkout and branch stay, and the reason is named. */
export async function finalizeFailure(
	input: Pick<EndInput, "facts" | "state" | "log" | "pair" | "files">,
): Promise<NodeResult<"go">> {
	const { facts, state, log, pair, files } = input;
	const { reason, turn: turns } = state;
	// A rejection is a person's word; every other failure happens because nobody is there to be asked.
	const trigger = state.next === "reject" ? null : state.trigger;
	const flags =
		trigger === null ? [] : failureFlags(trigger, { pair: facts.task.pair !== undefined });
	const end = { flags, merged: false, turns, checkout: files.checkout() };
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, { status: "failed", reason: failure(trigger, reason), ...end }),
	};
}

function failure(trigger: Trigger | null, reason: Reason | null): ToldReason | null {
	if (reason === null) return null;
	return trigger === null ? toldReason(reason) : failureReason(trigger, reason);
}

/** `finalize_escalation`: files the question with everything in view. The record comes first. */
export async function finalizeEscalation(
	input: ItemInput & Pick<NodeInput, "newItemId">,
): Promise<NodeResult<"go">> {
	const { facts, state, log } = input;
	const { trigger, reason } = state;
	if (trigger === null || reason === null)
		throw new Error(`nobody said why ${facts.task.id} needs a person`);
	const item: HumanItem = {
		id: input.newItemId(),
		runId: facts.run.runId,
		taskId: facts.task.id,
		...(await questionOf(input, trigger)),
		reason: reasonText(reason),
		status: "PENDING",
		choices: choicesFor(trigger, reason),
		createdAt: log.timestamp(),
		answer: null,
		consumed: false,
	};
	return {
		update: { next: "go", itemId: item.id, items: state.items + 1 },
		writes: itemOpened(log, item, reason),
	};
}

import { choicesFor } from "../../human/choices.ts";
import { failureFlags } from "../../human/failure.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { reasonText } from "../../human/reason.ts";
import { type ItemInput, questionOf } from "../item-question.ts";
import type { NodeInput, NodeResult } from "../node.ts";
import { itemOpened, taskEnded } from "../records/task.ts";
import { isUntested } from "../task-facts.ts";

type EndInput = Pick<NodeInput, "facts" | "state" | "read" | "log" | "pair">;

/** `finalize_success`: the task is done. */
export async function finalizeSuccess(input: EndInput): Promise<NodeResult<"go">> {
	const { facts, state, read, log, pair } = input;
	const { merged } = await read.task();
	const flags = isUntested(facts) ? ["unchecked"] : [];
	const end = { status: "completed", reason: null, flags, merged, turns: state.turn } as const;
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, end),
	};
}

/** `finalize_failure`: checkout and branch stay, and the reason is named. */
export async function finalizeFailure(
	input: Pick<EndInput, "facts" | "state" | "log" | "pair">,
): Promise<NodeResult<"go">> {
	const { facts, state, log, pair } = input;
	const { next, trigger, reason, turn: turns } = state;
	// A rejection is a person's word; every other failure happens because nobody is there to be asked.
	const flags =
		next === "reject" || trigger === null
			? []
			: failureFlags(trigger, { pair: facts.task.pair !== undefined });
	return {
		update: { next: "go" },
		afterCommit: () => pair.catchUp(),
		writes: taskEnded(log, { status: "failed", reason, flags, merged: false, turns }),
	};
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
		choices: choicesFor(trigger),
		createdAt: log.timestamp(),
		answer: null,
		consumed: false,
	};
	return {
		update: { next: "go", itemId: item.id, items: state.items + 1 },
		writes: itemOpened(log, item, reason),
	};
}

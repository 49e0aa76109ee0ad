import { interrupt } from "@langchain/langgraph";
import { budgetInQuestion } from "../../human/added-budget.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import { rebuildSession } from "../../review/advance-session.ts";
import { recordOf } from "../../review/check-session.ts";
import type { TurnRecord, Write } from "../../store/records.ts";
import type { EventData } from "../../trace/event.ts";
import { conflictAnswer } from "../conflict-answer.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { planOf } from "../present-task.ts";
import { pairRecord, writeSession } from "../session-file.ts";
import type { TaskState, Update } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { turnRecord } from "../turn-record.ts";

/**
 * `await_human`: waits without holding a process. The interrupt is its first act, because an interrupted node runs
 * again from its top; the answer is a row, and is consumed here once.
 */
export async function awaitHuman(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	if (state.itemId === null) throw new Error(`task ${context.task.id} waits for nobody`);
	interrupt(state.itemId);
	const item = await context.records.item(state.itemId);
	if (item?.answer == null) throw new Error(`item ${state.itemId} was resumed without an answer`);
	context.circuits.forget();
	const session = await rebuilt(context, item);
	const turn = state.turn === 0 ? null : await restartedTurn(context, state);
	const decided = turn === null ? null : await conflictAnswer(context, site, { item, turn });
	const writes: Write[] = [
		{ kind: "item-consumed", itemId: item.id },
		taskWrite(context, { status: "running", humanItem: null }),
		eventWrite(context, site, "item-answered", {
			item: item.id,
			status: item.status,
			choice: item.answer.choice,
			...(decided === null ? {} : { findings: decided.choices }),
			...addedTo(item),
		}),
		...(turn === null ? [] : [{ kind: "turn" as const, turn }]),
		...(decided?.writes ?? []),
		...wordOnScore(context, state, item),
		...session,
	];
	return {
		update: {
			...effectOf(item, state, decided?.blocked ?? false),
			// What a person overruled asks nobody again.
			...(decided === null ? {} : { critical: state.critical && decided.critical }),
			itemId: null,
		},
		writes,
		// Else a file that somebody changed is left as it is, to be found.
		...(session.length === 0 ? {} : { afterCommit: () => writeSession(context) }),
	};
}

/** A person agreed that a damaged pair session is made anew from what the database holds of it. */
async function rebuilt(context: TaskContext, item: HumanItem): Promise<Write[]> {
	const plan = planOf(context);
	if (item.trigger !== "corrupt_session" || item.answer?.choice !== "continue" || plan === null) {
		return [];
	}
	const before = await pairRecord(context, plan);
	const record = recordOf(rebuildSession(before.session, plan), before);
	return [{ kind: "pair-session", record }];
}

/** What a person said of the output of the turn, for its score. */
function wordOnScore({ run, task }: TaskContext, { turn }: TaskState, item: HumanItem): Write[] {
	const human = wordOn(item);
	if (human === null) return [];
	return [{ kind: "score-outcome", runId: run.runId, taskId: task.id, turn, patch: { human } }];
}

/** A question about money, a machine or an agent is answered without a word on the output. */
function wordOn({ trigger, answer, choices }: HumanItem): "accepted" | "rejected" | null {
	const isSigned = trigger === "sign_off" || trigger === "requires_human";
	if (!isSigned && !choices.includes("take_developer")) return null;
	const choice = answer?.choice ?? "reject";
	if (choice === "continue") return isSigned ? "accepted" : null;
	return choice === "take_developer" ? "accepted" : "rejected";
}

/** What the answer added to a budget. It was added when it was given; here it is only told. */
function addedTo(item: HumanItem): Pick<EventData["item-answered"], "added"> {
	const { addUsd = 0, addWallMs = 0 } = item.answer ?? {};
	const budget = addUsd > 0 || addWallMs > 0 ? budgetInQuestion(item) : undefined;
	if (budget === undefined) return {};
	return { added: { scope: budget.scope, usd: addUsd, wall_ms: addWallMs } };
}

/** A person's answer restarts the counters of stall detection. */
async function restartedTurn(context: TaskContext, state: TaskState): Promise<TurnRecord> {
	return { ...(await turnRecord(context, state.turn)), restarted: true };
}

/** @param blocked whether a finding blocks that the answer does not speak of */
function effectOf(item: HumanItem, state: TaskState, blocked: boolean): Update {
	const choice = item.answer?.choice ?? "reject";
	const oneMore = Math.max(state.bound, state.turn + 1);
	switch (choice) {
		case "continue":
			return { next: state.resumeAt };
		case "take_developer":
			// What else blocks goes back to the player, who needs a turn for it.
			return { next: "policy_gate", taken: !blocked, bound: blocked ? oneMore : state.bound };
		case "take_reviewer":
			return { next: "player_turn", bound: oneMore };
		case "directive":
			return { next: "player_turn", bound: oneMore, directive: item.id };
		case "reject":
			return {
				next: "reject",
				reason: `rejected by a person: ${item.answer?.reason ?? "no reason given"}`,
			};
		default:
			return assertNever(choice);
	}
}

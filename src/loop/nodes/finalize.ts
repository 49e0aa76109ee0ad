import { choicesFor } from "../../human/choices.ts";
import { failureFlags } from "../../human/failure.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { Write } from "../../store/records.ts";
import { budgetFacts } from "../budget.ts";
import { conflictContext } from "../conflict-context.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { escalationContext } from "../escalation-context.ts";
import { maskedDiff } from "../masked-diff.ts";
import { replaceFile } from "../replace-file.ts";
import { catchUpSession } from "../session-file.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";

/** Largest diff that is kept for a person, in bytes. */
const MAX_DIFF_BYTES = 20_000_000;

/** `finalize_success`: the task is done. */
export async function finalizeSuccess(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const record = await context.records.task(context.run.runId, context.task.id);
	const merged = record?.merged === true;
	const flags = isUntested(context) ? ["unchecked"] : [];
	return {
		update: { next: "go" },
		afterCommit: () => catchUpSession(context),
		writes: [
			taskWrite(context, {
				status: "completed",
				phase: "completed",
				success: true,
				failureReason: null,
				flags,
				endedAt: new Date(context.clock.now()).toISOString(),
			}),
			endedEvent(context, state, site, { status: "completed", reason: null, flags, merged }),
		],
	};
}

/** A task with neither gate nor acceptance check: nothing tests what it does. */
function isUntested({ task, workflow }: Pick<TaskContext, "task" | "workflow">): boolean {
	const checked = workflow.checks.some(({ kind }) => kind === "acceptance");
	return !task.gate && !checked && task.formalReview !== true;
}

/** Whether the work may not merge: nothing tests it, and the workflow does not decline the gate in so many words. */
export function isUnchecked(context: Pick<TaskContext, "task" | "workflow">): boolean {
	return isUntested(context) && !context.task.gateDeclined;
}

/** `finalize_failure`: checkout and branch stay, and the reason is named. */
export async function finalizeFailure(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const { task } = context;
	const trigger = state.trigger;
	// A rejection is a person's word; every other failure happens because nobody is there to be asked.
	const flags =
		state.next === "reject" || trigger === null
			? []
			: failureFlags(trigger, { pair: task.pair !== undefined });
	const { reason } = state;
	return {
		update: { next: "go" },
		afterCommit: () => catchUpSession(context),
		writes: [
			taskWrite(context, {
				status: "failed",
				phase: "failed",
				success: false,
				failureReason: reason,
				flags,
				endedAt: new Date(context.clock.now()).toISOString(),
			}),
			endedEvent(context, state, site, { status: "failed", reason, flags, merged: false }),
		],
	};
}

/** `finalize_escalation`: files the question with everything in view. The record comes first. */
export async function finalizeEscalation(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	const trigger = state.trigger ?? "escalation";
	const id = context.newItemId();
	const diffPath = `${context.places.outputPrefix}/turn-${state.turn}.patch`;
	if (state.start !== "") {
		const range = { from: state.start, to: state.commit, maxBytes: MAX_DIFF_BYTES };
		const diff = await maskedDiff(context, range);
		await replaceFile(`${context.places.stateDir}/${diffPath}`, diff);
	}
	const item: HumanItem = {
		id,
		runId: context.run.runId,
		taskId: context.task.id,
		trigger,
		reason: state.reason,
		status: "PENDING",
		choices: choicesFor(trigger),
		context: {
			...(await escalationContext(context, state, diffPath)),
			...(trigger === "budget" ? { budget: await budgetFacts(context) } : {}),
			...(trigger === "conflict" ? { conflicts: await conflictContext(context, state.turn) } : {}),
		},
		createdAt: new Date(context.clock.now()).toISOString(),
		answer: null,
		consumed: false,
	};
	const writes: Write[] = [
		{ kind: "item", item },
		taskWrite(context, { status: "paused_for_human", phase: "awaiting_human", humanItem: id }),
		eventWrite(context, site, "item-opened", { item: id, trigger, reason: item.reason }),
	];
	return {
		update: { next: "go", itemId: id, items: state.items + 1 },
		writes,
	};
}

function endedEvent(
	context: TaskContext,
	state: TaskState,
	site: Site,
	end: { status: "completed" | "failed"; reason: string | null; flags: string[]; merged: boolean },
): Write {
	return eventWrite(context, site, "task-ended", { ...end, turns: state.turn });
}

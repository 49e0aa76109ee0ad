import type { Answer, HumanItem } from "../../human/human-item.ts";
import { answeredEvent } from "../../human/validate-answer.ts";
import type { CallRecord, Records, Write } from "../../store/records.ts";
import { runEvent } from "./run-event.ts";

/** Agents that lost a seat of a task. */
export interface Replaced {
	readonly agents: readonly string[];
	/** The last call of the task: of a question about an unusable answer the one that gave it. */
	readonly lastCall: Pick<CallRecord, "agent"> | undefined;
}

/**
 * Answers to the open questions that nobody has to answer any more: about an agent that was replaced, or an account
 * whose limit has been lifted since.
 *
 * @param replaced by task
 */
export async function settledQuestions(
	records: Pick<Records, "items">,
	runId: string,
	replaced: ReadonlyMap<string, Replaced>,
): Promise<Write[]> {
	const answeredAt = new Date().toISOString();
	return (await records.items(runId)).flatMap((item): Write[] => {
		const notes = item.answer === null ? whySettled(item, replaced.get(item.taskId)) : null;
		if (notes === null) return [];
		const answer: Answer = { choice: "continue", directive: null, notes, reason: null, answeredAt };
		const after: HumanItem = { ...item, status: "RESOLVED", answer };
		return [{ kind: "item", item: after }, runEvent(runId, answeredEvent(item, after, "program"))];
	});
}

function whySettled(item: HumanItem, replaced: Replaced | undefined): string | null {
	const agent = agentOf(item, replaced);
	if (agent !== undefined && replaced?.agents.includes(agent) === true)
		return `agent ${agent} was replaced`;
	const resetsAt = item.trigger === "quota" ? item.context.quota?.resets_at : null;
	return typeof resetsAt === "string" && Date.parse(resetsAt) <= Date.now()
		? `the limit was lifted at ${resetsAt}`
		: null;
}

function agentOf(item: HumanItem, replaced: Replaced | undefined): string | undefined {
	if (item.trigger === "quota") return item.context.quota?.agent;
	return item.trigger === "role_error" ? replaced?.lastCall?.agent : undefined;
}

import type { EventData, TraceEvent } from "../trace/event.ts";
import { budgetInQuestion } from "./added-budget.ts";
import { answerFor, lastAnswer } from "./conflicts-in-question.ts";
import type { HumanItem } from "./human-item.ts";

type Told = EventData["item-answered"];

/** Where a task waits. */
const NODE = "await_human";

/**
 * What the trace tells of an answer. Of an item about several conflicts there is one for each answer, with the findings that
 * it is for; the item is closed with the last.
 *
 * @param before the item as it was, `after` with the answer
 */
export function answeredEvent(
	before: HumanItem,
	after: HumanItem,
	by: NonNullable<Told["by"]>,
): TraceEvent {
	const told: { -readonly [Key in keyof Told]: Told[Key] } = {
		item: after.id,
		status: after.status,
		choice: after.answer?.choice ?? null,
		by,
	};
	const fresh = Object.entries(after.parts ?? {}).flatMap(([finding, { choice }]) =>
		answerFor(before, finding) === undefined ? [[finding, choice] as const] : [],
	);
	if (fresh.length > 0) told.findings = Object.fromEntries(fresh);
	const added = addedTo(after);
	if (added !== undefined) told.added = added;
	const timestamp = (after.answer ?? lastAnswer(after))?.answeredAt;
	if (timestamp === undefined) throw new Error(`item ${after.id} has no answer to tell of`);
	const turn = after.context.turns;
	return { type: "item-answered", task: after.taskId, turn, node: NODE, timestamp, data: told };
}

/** What the answer added to a budget. */
function addedTo(item: HumanItem): Told["added"] {
	const { addUsd = 0, addWallMs = 0 } = item.answer ?? {};
	const budget = addUsd > 0 || addWallMs > 0 ? budgetInQuestion(item) : undefined;
	if (budget === undefined) return undefined;
	return { scope: budget.scope, usd: addUsd, wall_ms: addWallMs };
}

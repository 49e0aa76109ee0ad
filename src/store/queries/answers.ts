import { type Answer, type HumanItem, itemVersion } from "../../human/human-item.ts";
import { answeredEvent } from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { AnswerTerms } from "../answer-terms.ts";
import { insertEvent } from "./events.ts";
import { isClosed, knownItem } from "./items.ts";
import { announce, change, type Query } from "./query.ts";
import { addGrant } from "./spending.ts";
import { selectTask } from "./tasks.ts";

type AnswerStatus = Exclude<HumanItem["status"], "PENDING">;

/** Two answers are the same when they say the same, whenever they were given. */
export function saysTheSame<T extends { readonly answeredAt: string }>(
	one: T | null,
	other: T | null,
): boolean {
	const words = (answer: T | null): string =>
		canonicalJson(answer && { ...answer, answeredAt: "" });
	return words(one) === words(other);
}

/**
 * Looks whether an open item is still what a person was shown. A closed one is not looked at: whether it has the same answer
 * is what counts then.
 *
 * @throws Fault `outdated`
 */
export function* requireVersion(item: HumanItem, version: string | undefined): Query<void> {
	if (version === undefined || isClosed(item)) return;
	const task = yield* selectTask(item.runId, item.taskId);
	if (task === undefined) throw new Error(`item ${item.id} is of no task`);
	if (itemVersion(item, task) === version) return;
	throw new Fault(`item ${item.id} changed since it was shown`, {
		code: "outdated",
		hint: `Look at it again with \`spar hil show ${item.id}\`, then answer.`,
	});
}

/**
 * Stores an answer and, the first time, what it adds to a budget; see `Records.answer`. Acknowledging keeps no answer.
 *
 * @throws Fault `item-not-found`; `outdated`; `answer-invalid` when the item is closed with another answer, or when a
 * final status comes without one
 */
export function* answerItem(
	itemId: string,
	status: AnswerStatus,
	answer: Answer | null,
	{ grant, by = "program", version }: AnswerTerms = {},
): Query<HumanItem> {
	const item = yield* knownItem(itemId);
	yield* requireVersion(item, version);
	const kept = status === "ACKED" ? null : answer;
	if (status !== "ACKED" && kept === null) {
		throw new Fault(`item ${itemId} cannot be ${status} without an answer`, {
			code: "answer-invalid",
			hint: "Give an answer: see `spar hil resolve --help`.",
		});
	}
	if (isClosed(item)) {
		if (item.status === status && saysTheSame(item.answer, kept)) return item;
		throw new Fault(`item ${itemId} already has an answer, and keeps it`, {
			code: "answer-invalid",
			hint: `See it with \`spar hil show ${itemId}\`.`,
		});
	}
	const next: HumanItem = { ...item, status, answer: kept };
	const sql = "UPDATE items SET status = ?, answer = ? WHERE item_id = ?";
	yield* change(sql, status, kept === null ? null : JSON.stringify(kept), itemId);
	if (grant !== undefined && status === "RESOLVED") yield* addGrant(item, grant);
	if (kept !== null) {
		yield* insertEvent(item.runId, answeredEvent(item, next, by));
		yield* announce(item.runId);
	}
	return next;
}

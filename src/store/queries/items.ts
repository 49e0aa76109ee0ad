import { answerFor, conflictsInQuestion, mergeParts } from "../../human/conflicts-in-question.ts";
import {
	type Answer,
	type FindingAnswer,
	type HumanItem,
	itemVersion,
} from "../../human/human-item.ts";
import { answeredEvent } from "../../human/validate-answer.ts";
import { Fault } from "../../kernel/fault.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { AnswerTerms } from "../answer-terms.ts";
import { insertEvent } from "./events.ts";
import { announce, change, type Query } from "./query.ts";
import { addGrant } from "./spending.ts";
import { items, tasks } from "./tables.ts";

export const OPEN = "status IN ('PENDING', 'ACKED')";

const isClosed = (item: HumanItem): boolean =>
	item.status === "RESOLVED" || item.status === "REJECTED";

// Of two answers at once one is the second.
const itemToChange = (itemId: string) => items.locked("WHERE item_id = ?", itemId);

/**
 * Stores an item. One that is stored is updated only while it is open, and an acknowledged one stays acknowledged: a
 * node that runs twice must not take a person's answer back.
 */
export function* upsertItem(item: HumanItem): Query<void> {
	const stored = yield* itemToChange(item.id);
	if (stored === undefined) {
		yield* items.insert({}, item);
		return;
	}
	if (isClosed(stored)) return;
	const status = item.status === "PENDING" ? stored.status : item.status;
	const { id: _id, runId: _run, taskId: _task, createdAt: _at, parts: _parts, ...rest } = item;
	yield* items.update({ ...rest, status }, "item_id = ?", item.id);
}

/** @throws Fault `item-not-found` */
export function* knownItem(itemId: string): Query<HumanItem> {
	const item = yield* itemToChange(itemId);
	if (item !== undefined) return item;
	throw new Fault(`there is no item ${itemId}`, {
		code: "item-not-found",
		hint: "List the items with `spar questions`.",
	});
}

export function* consumeItem(runId: string, itemId: string): Query<boolean> {
	const before = yield* itemToChange(itemId);
	const answered = "item_id = ? AND run_id = ? AND status IN ('RESOLVED', 'REJECTED')";
	const changes = yield* items.update({ consumed: true }, answered, itemId, runId);
	if (changes === 0) throw new Error(`item ${itemId} of run ${runId} has no answer to act on`);
	return before?.consumed === false;
}

// Whenever they were given.
function saysTheSame<T extends { readonly answeredAt: string }>(
	one: T | null,
	other: T | null,
): boolean {
	const words = (answer: T | null): string =>
		canonicalJson(answer && { ...answer, answeredAt: "" });
	return words(one) === words(other);
}

// Of a closed item it counts whether it has the same answer.
function* requireVersion(item: HumanItem, version: string | undefined): Query<void> {
	if (version === undefined || isClosed(item)) return;
	const task = yield* tasks.one("WHERE run_id = ? AND task_id = ?", item.runId, item.taskId);
	if (task === undefined) throw new Error(`item ${item.id} is of no task`);
	if (itemVersion(item, task) === version) return;
	throw new Fault(`item ${item.id} changed since it was shown`, {
		code: "outdated",
		hint: `Look at it again with \`spar questions ${item.id}\`, then answer.`,
	});
}

/**
 * Stores an answer and, the first time, what it adds to a budget; see `Records.answer`. Acknowledging keeps no answer.
 *
 * @throws Fault `item-not-found`; `outdated`; `answer-invalid`
 */
export function* answerItem(
	itemId: string,
	status: Exclude<HumanItem["status"], "PENDING">,
	answer: Answer | null,
	{ grant, by = "program", version }: AnswerTerms = {},
): Query<HumanItem> {
	const item = yield* knownItem(itemId);
	yield* requireVersion(item, version);
	const kept = status === "ACKED" ? null : answer;
	if (status !== "ACKED" && kept === null) {
		throw new Fault(`item ${itemId} cannot be ${status} without an answer`, {
			code: "answer-invalid",
			hint: "Give an answer: see `spar answer --help`.",
		});
	}
	if (isClosed(item)) {
		if (item.status === status && saysTheSame(item.answer, kept)) return item;
		throw new Fault(`item ${itemId} already has an answer, and keeps it`, {
			code: "answer-invalid",
			hint: `See it with \`spar questions ${itemId}\`.`,
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

function refuse(item: HumanItem, message: string): never {
	throw new Fault(message, {
		code: "answer-invalid",
		hint: `See it with \`spar questions ${item.id}\`.`,
	});
}

const isRepeat = (item: HumanItem, finding: string, part: FindingAnswer): boolean =>
	saysTheSame(answerFor(item, finding) ?? null, part);

/**
 * Stores an answer to all of the named findings or to none; see `Records.answerFindings`.
 *
 * @throws Fault `item-not-found`; `outdated`; `answer-invalid`
 */
export function* answerFindings(
	itemId: string,
	findings: readonly string[],
	part: FindingAnswer,
	{ by = "program", version }: Omit<AnswerTerms, "grant"> = {},
): Query<HumanItem> {
	const item = yield* knownItem(itemId);
	yield* requireVersion(item, version);
	const asked = conflictsInQuestion(item)?.findings ?? [];
	if (findings.length === 0) refuse(item, `the answer to item ${itemId} names no finding`);
	for (const finding of findings) {
		if (!asked.includes(finding)) refuse(item, `item ${itemId} does not ask about ${finding}`);
	}
	if (isClosed(item)) {
		const isSame = findings.every((finding) => isRepeat(item, finding, part));
		if (item.status === "RESOLVED" && isSame) return item;
		refuse(item, `item ${itemId} already has an answer, and keeps it`);
	}
	for (const finding of findings) {
		const isNew = answerFor(item, finding) === undefined;
		if (isNew || isRepeat(item, finding, part)) continue;
		refuse(item, `${finding} of item ${itemId} already has another answer`);
	}
	const isNew = findings.some((finding) => answerFor(item, finding) === undefined);
	if (!isNew) return item;
	const next = yield* store(item, findings, part);
	yield* insertEvent(item.runId, answeredEvent(item, next, by));
	yield* announce(item.runId);
	return next;
}

// Answers that were given before stay as they are, with their time.
function* store(
	item: HumanItem,
	findings: readonly string[],
	part: FindingAnswer,
): Query<HumanItem> {
	const fresh = findings.filter((finding) => answerFor(item, finding) === undefined);
	const given = Object.fromEntries(fresh.map((finding) => [finding, part]));
	const answered: HumanItem = { ...item, parts: { ...item.parts, ...given } };
	const answer = mergeParts(answered);
	const next: HumanItem = answer !== null ? { ...answered, status: "RESOLVED", answer } : answered;
	yield* change(
		"UPDATE items SET status = ?, answer = ?, parts = ? WHERE item_id = ?",
		next.status,
		next.answer === null ? null : JSON.stringify(next.answer),
		JSON.stringify(next.parts),
		item.id,
	);
	return next;
}

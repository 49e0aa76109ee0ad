import type { Answer, HumanItem } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { Grant } from "../records.ts";
import type { Database } from "./database.ts";
import { rowCodec } from "./row-codec.ts";
import { addGrant } from "./spending.ts";

/** A row decodes to an item: its context is of its trigger, since both are written together. */
const codec = rowCodec<HumanItem>({
	id: ["item_id", "text"],
	runId: ["run_id", "text"],
	taskId: ["task_id", "text"],
	trigger: ["trigger", "text"],
	reason: ["reason", "text"],
	status: ["status", "text"],
	choices: ["choices", "json"],
	context: ["context", "json"],
	createdAt: ["created_at", "text"],
	answer: ["answer", "json"],
	parts: ["parts", "json?"],
	consumed: ["consumed", "flag"],
});

type AnswerStatus = Exclude<HumanItem["status"], "PENDING">;

/** True once an item has its final status. */
export const isClosed = (item: HumanItem): boolean =>
	item.status === "RESOLVED" || item.status === "REJECTED";

/**
 * Stores an item. One that is stored already is updated only while it is open, and an acknowledged one stays
 * acknowledged: a node that runs twice must not take a person's answer back.
 */
export function upsertItem(db: Database, item: HumanItem): void {
	const stored = selectItem(db, item.id);
	if (stored === undefined) {
		db.run(`INSERT INTO items (${codec.list}) VALUES (${codec.marks})`, ...codec.encode(item));
		return;
	}
	if (isClosed(stored)) return;
	const status = item.status === "PENDING" ? stored.status : item.status;
	const { id: _id, runId: _run, taskId: _task, createdAt: _at, parts: _parts, ...rest } = item;
	const assigned = codec.assign({ ...rest, status });
	if (assigned === undefined) return;
	db.run(`UPDATE items SET ${assigned.sql} WHERE item_id = ?`, ...assigned.values, item.id);
}

/** All items, newest first as they were stored; of one run when it is named. */
export function selectItems(db: Database, runId?: string): readonly HumanItem[] {
	const order = "ORDER BY seq DESC";
	const rows =
		runId === undefined
			? db.all(`SELECT ${codec.list} FROM items ${order}`)
			: db.all(`SELECT ${codec.list} FROM items WHERE run_id = ? ${order}`, runId);
	return rows.map(codec.decode);
}

export function selectItem(db: Database, itemId: string): HumanItem | undefined {
	const row = db.get(`SELECT ${codec.list} FROM items WHERE item_id = ?`, itemId);
	return row && codec.decode(row);
}

/** @throws Fault `item-not-found` */
export function knownItem(db: Database, itemId: string): HumanItem {
	const item = selectItem(db, itemId);
	if (item !== undefined) return item;
	throw new Fault(`there is no item ${itemId}`, {
		code: "item-not-found",
		hint: "List the items with `spar hil list`.",
	});
}

/** Marks an answered item as acted on; again is no change. */
export function consumeItem(db: Database, runId: string, itemId: string): void {
	const { changes } = db.run(
		"UPDATE items SET consumed = 1 WHERE item_id = ? AND run_id = ? AND status IN ('RESOLVED', 'REJECTED')",
		itemId,
		runId,
	);
	if (changes === 0) throw new Error(`item ${itemId} of run ${runId} has no answer to act on`);
}

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
 * Stores an answer and, the first time, what it adds to a budget; see `Records.answer`. Acknowledging keeps no answer.
 *
 * @throws Fault `item-not-found`; `answer-invalid` when the item is closed with another answer, or when a final
 * status comes without one
 */
export function answerItem(
	db: Database,
	itemId: string,
	status: AnswerStatus,
	answer: Answer | null,
	grant?: Grant,
): HumanItem {
	const item = knownItem(db, itemId);
	const kept = status === "ACKED" ? null : answer;
	if (status !== "ACKED" && kept === null) {
		throw new Fault(`item ${itemId} cannot be ${status} without an answer`, {
			code: "answer-invalid",
			hint: "Give an answer: see `spar hil resolve --help`.",
		});
	}
	if (isClosed(item)) {
		if (item.status === status && saysTheSame(item.answer, kept)) return item;
		throw new Fault(`item ${itemId} is already ${item.status}, with another answer`, {
			code: "answer-invalid",
			hint: `See it with \`spar hil show ${itemId}\`.`,
		});
	}
	const next: HumanItem = { ...item, status, answer: kept };
	const sql = "UPDATE items SET status = ?, answer = ? WHERE item_id = ?";
	db.run(sql, status, kept === null ? null : JSON.stringify(kept), itemId);
	if (grant !== undefined && status === "RESOLVED") addGrant(db, item, grant);
	return next;
}

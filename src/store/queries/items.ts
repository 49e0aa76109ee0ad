import type { HumanItem } from "../../human/human-item.ts";
import { Fault } from "../../kernel/fault.ts";
import { all, change, locked, one, type Query } from "./query.ts";
import { items as codec } from "./tables.ts";

const SELECT = `SELECT ${codec.list} FROM items WHERE item_id = ?`;

/** True once an item has its final status. */
export const isClosed = (item: HumanItem): boolean =>
	item.status === "RESOLVED" || item.status === "REJECTED";

/**
 * Stores an item. One that is stored already is updated only while it is open, and an acknowledged one stays
 * acknowledged: a node that runs twice must not take a person's answer back.
 */
export function* upsertItem(item: HumanItem): Query<void> {
	const stored = yield* selectItemToChange(item.id);
	if (stored === undefined) {
		yield* change(
			`INSERT INTO items (${codec.list}) VALUES (${codec.marks})`,
			...codec.encode(item),
		);
		return;
	}
	if (isClosed(stored)) return;
	const status = item.status === "PENDING" ? stored.status : item.status;
	const { id: _id, runId: _run, taskId: _task, createdAt: _at, parts: _parts, ...rest } = item;
	const assigned = codec.assign({ ...rest, status });
	if (assigned === undefined) return;
	yield* change(`UPDATE items SET ${assigned.sql} WHERE item_id = ?`, ...assigned.values, item.id);
}

/** All items, newest first as they were stored; of one run when it is named. */
export function* selectItems(runId?: string): Query<readonly HumanItem[]> {
	const order = "ORDER BY seq DESC";
	const rows =
		runId === undefined
			? yield* all(`SELECT ${codec.list} FROM items ${order}`)
			: yield* all(`SELECT ${codec.list} FROM items WHERE run_id = ? ${order}`, runId);
	return rows.map(codec.decode);
}

/** See `Overviews.openItems`. The condition is, word for word, that of the index. */
export function* selectOpenItems(): Query<readonly HumanItem[]> {
	const rows = yield* all(
		`SELECT ${codec.list} FROM items WHERE status IN ('PENDING', 'ACKED') ORDER BY seq DESC`,
	);
	return rows.map(codec.decode);
}

export function* selectItem(itemId: string): Query<HumanItem | undefined> {
	const row = yield* one(SELECT, itemId);
	return row && codec.decode(row);
}

/** The same, which nobody else changes until the transaction ends: of two answers at once one is the second. */
function* selectItemToChange(itemId: string): Query<HumanItem | undefined> {
	const row = yield* one(locked(SELECT), itemId);
	return row && codec.decode(row);
}

/** The item, which nobody else changes until the transaction ends. @throws Fault `item-not-found` */
export function* knownItem(itemId: string): Query<HumanItem> {
	const item = yield* selectItemToChange(itemId);
	if (item !== undefined) return item;
	throw new Fault(`there is no item ${itemId}`, {
		code: "item-not-found",
		hint: "List the items with `spar hil list`.",
	});
}

/** Marks an answered item as acted on; again is no change. @returns whether it was the first time */
export function* consumeItem(runId: string, itemId: string): Query<boolean> {
	const before = yield* selectItemToChange(itemId);
	const changes = yield* change(
		"UPDATE items SET consumed = 1 WHERE item_id = ? AND run_id = ? AND status IN ('RESOLVED', 'REJECTED')",
		itemId,
		runId,
	);
	if (changes === 0) throw new Error(`item ${itemId} of run ${runId} has no answer to act on`);
	return before?.consumed === false;
}

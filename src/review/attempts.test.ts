import { expect, test } from "vitest";
import { attemptsOf } from "./criteria.ts";

const attempt = { what: "a burst of 0", command: "node try.js 0", outcome: "RangeError" };

test("attempts are kept in order, each text on one line", () => {
	const wrapped = { what: "a burst\nof -1", command: "", outcome: " throws\n" };
	expect(attemptsOf({ attempts: [attempt, wrapped] })).toEqual([
		attempt,
		{ what: "a burst of -1", command: "", outcome: "throws" },
	]);
});

test("an entry that names neither what was tried nor a command is not an attempt", () => {
	const empty = { what: " \n", command: "", outcome: "all is well" };
	expect(attemptsOf({ attempts: [empty] })).toEqual([]);
	expect(attemptsOf({ attempts: [{ ...empty, command: "npm test" }] })).toHaveLength(1);
});

test("at most 50 attempts of 500 characters a text are kept", () => {
	const huge = { what: "x".repeat(100_000), command: "y".repeat(501), outcome: "z".repeat(500) };
	const kept = attemptsOf({ attempts: Array.from({ length: 1_000 }, () => huge) });
	expect(kept).toHaveLength(50);
	expect(kept[0]?.what).toHaveLength(500);
	expect(kept[0]?.command.endsWith("…")).toBe(true);
	expect(kept[0]?.outcome).toBe(huge.outcome);
});

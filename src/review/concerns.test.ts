import { expect, test } from "vitest";
import { concernsOf } from "./concerns.ts";

test("concerns are lines of their own, blank ones are none, and there is an end to them", () => {
	const concerns = [
		"is the\nclock monotonic?",
		" \n",
		"x".repeat(1_000),
		...Array.from({ length: 60 }, (_, index) => `slow ${index}`),
	];
	const kept = concernsOf({ concerns });
	expect(kept.slice(0, 2)).toEqual(["is the clock monotonic?", `${"x".repeat(499)}…`]);
	expect(kept).toHaveLength(50);
	expect(concernsOf({ concerns: [] })).toEqual([]);
});

test("a concern that is said twice is told once", () => {
	const concerns = ["is it\nslow?", "is it slow?", "is it safe?", "is it slow?"];
	expect(concernsOf({ concerns })).toEqual(["is it slow?", "is it safe?"]);
});

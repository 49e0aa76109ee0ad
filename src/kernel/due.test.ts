import { expect, test } from "vitest";
import { Due } from "./due.ts";

test("a thing is due at once, and then not before its time has passed, whatever else is due", () => {
	let now = 5;
	const due = new Due(() => now);
	expect([due.is("beat", 10), due.is("beat", 10)]).toEqual([true, false]);
	now = 14;
	expect([due.is("beat", 10), due.is("sweep", 10)]).toEqual([false, true]);
	now = 15;
	expect([due.is("beat", 10), due.is("sweep", 10)]).toEqual([true, false]);
});

test("by default the clock is the process's, in which no time is over at once", () => {
	const due = new Due();
	expect([due.is("beat", 60_000), due.is("beat", 60_000)]).toEqual([true, false]);
});

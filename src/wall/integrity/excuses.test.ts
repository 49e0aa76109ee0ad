import { describe, expect, test } from "vitest";
import type { TestCase } from "../../evidence/evidence.ts";
import { bySkipAlone, groupsOf, skippedIn } from "./excuses.ts";

const cases = (...texts: readonly string[]): TestCase[] =>
	texts.map((text) => ({
		id: text.replace(/^-/, ""),
		status: text.startsWith("-") ? "skipped" : "passed",
	}));

test("groups of a case are told from the outermost, as runners write them", () => {
	expect(groupsOf("a > b > c")).toEqual(["a", "a > b"]);
	expect(groupsOf("t::A::b")).toEqual(["t", "t::A"]);
	expect(groupsOf("alone")).toEqual([]);
});

test("a file goes by skips alone where no other kind of allowance is for it", () => {
	const skip = { path: "test/**", change: "skip", reason: "x" } as const;
	const edit = { path: "test/b.js", change: "edit", reason: "x" } as const;
	const isBySkip = bySkipAlone([skip, edit]);
	expect(["test/a.js", "test/b.js", "src/c.js"].map(isBySkip)).toEqual([true, false, false]);
	expect(bySkipAlone([])("test/a.js")).toBe(false);
});

describe("skipped in a run", () => {
	test("are cases by their own name, and groups whose cases are all skipped", () => {
		const isSkipped = skippedIn(cases("-all > one", "-all > two", "-some > one", "some > three"));
		expect(["one", "two", "all", "some", "three", "four"].map(isSkipped)).toEqual([
			true,
			true,
			true,
			false,
			false,
			false,
		]);
	});

	test("is any case where a run names none, and none where it ran none", () => {
		expect(skippedIn(null)("one")).toBe(true);
		expect(skippedIn([])("one")).toBe(false);
	});
});

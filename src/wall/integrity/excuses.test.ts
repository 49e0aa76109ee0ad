import { describe, expect, test } from "vitest";
import type { TestCase } from "../../evidence/evidence.ts";
import { bySkipAlone, skippedIn } from "./excuses.ts";

const cases = (...texts: readonly string[]): TestCase[] =>
	texts.map((text) => ({
		id: text.replace(/^-/, ""),
		status: text.startsWith("-") ? "skipped" : "passed",
	}));

test("a file goes by skips alone where no other kind of allowance is for it", () => {
	const skip = { path: "test/**", change: "skip", reason: "x" } as const;
	const edit = { path: "test/b.js", change: "edit", reason: "x" } as const;
	const isBySkip = bySkipAlone([skip, edit]);
	expect(["test/a.js", "test/b.js", "src/c.js"].map(isBySkip)).toEqual([true, false, false]);
	expect(bySkipAlone([])("test/a.js")).toBe(false);
});

describe("skipped in the work", () => {
	const FILE = "test/a.js";

	test("is a name if all that have it are skipped, in its own file where ids name files", () => {
		const isSkipped = skippedIn(cases("-one", "two", "-g > twice", "h > twice"));
		const asked = ["one", "two", "twice", "none"];
		expect(asked.map((name) => isSkipped(FILE, name))).toEqual([true, false, false, false]);
		const byFile = skippedIn(cases("-test/a.js > one", "test/b.js > one"));
		expect([byFile(FILE, "one"), byFile("test/b.js", "one")]).toEqual([true, false]);
	});

	test("is any case where a run names none, and none where it ran none", () => {
		expect(skippedIn(null)(FILE, "one")).toBe(true);
		expect(skippedIn([])(FILE, "one")).toBe(false);
	});
});

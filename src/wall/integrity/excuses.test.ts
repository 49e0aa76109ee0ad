import { describe, expect, test } from "vitest";
import type { TestCase } from "../../evidence/evidence.ts";
import { caseHomes } from "./case-homes.ts";
import { bySkipAlone, emptyIn, excusesIn, excusesOf, skippedIn } from "./excuses.ts";

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

const FILES = ["test/a.js", "test/b.js"];
const noTexts = new Map<string, string>();

describe("skipped in the work", () => {
	const fates = (run: readonly TestCase[], names: readonly string[], path = "test/a.js") => {
		const fateOf = skippedIn(run, caseHomes(FILES, noTexts))(path, names);
		return names.map((name) => Object.values(fateOf(name)).join(" of "));
	};

	test("are those of a file by its names, in its own file where ids name files", () => {
		const run = cases("-one", "two", "-g > twice", "h > twice");
		expect(fates(run, ["one", "two", "twice", "none"])).toEqual([
			"1 of 1",
			"1 of 0",
			"2 of 1",
			"0 of 0",
		]);
		const byFile = cases("-test/a.js > one", "test/b.js > one");
		expect(fates(byFile, ["one"])).toEqual(["1 of 1"]);
		expect(fates(byFile, ["one"], "test/b.js")).toEqual(["1 of 0"]);
	});

	test("is no case with a longer name that the file has as well", () => {
		const run = cases("-adds", "adds (negative)", "adds[1]");
		expect(fates(run, ["adds", "adds (negative)"])).toEqual(["2 of 1", "1 of 0"]);
	});

	test("is none where it ran none", () => {
		expect(fates([], ["one"])).toEqual(["0 of 0"]);
	});
});

describe("an excuse", () => {
	const A = { path: "test/a.js", text: 'test("works", f); // adds is tested elsewhere' };
	const B = { path: "test/b.js", text: 'test("works", f); test("adds", f);' };
	const DATA = { path: "test/data.json", text: '["alpha"]' };
	const homes = caseHomes(
		[...FILES, DATA.path],
		new Map([A, B, DATA].map(({ path, text }) => [path, text])),
	);

	test("of a file is for the cases that name it, and for no other's of the same name", () => {
		const { isExcused } = excusesIn([A], homes);
		const asked = ["test/a.js > works", "test/b.js > works", "test/b.js > adds", "works"];
		expect(asked.map(isExcused)).toEqual([true, false, false, false]);
	});

	test("of a file is for no case that another changed file declares, whatever a comment says", () => {
		expect(excusesIn([A], homes).isExcused("test > adds")).toBe(false);
		expect(excusesIn([A, B], homes).isExcused("test > adds")).toBe(true);
		expect(excusesIn([A, B], homes).isExcused("test > works")).toBe(true);
	});

	test("of data is for the cases that are made of it, in whatever file", () => {
		const { isExcused } = excusesIn([DATA], homes);
		expect(
			["test/b.js > case[alpha]", "test/b.js > alpha", "test/b.js > adds"].map(isExcused),
		).toEqual([false, true, false]);
	});

	test("of a name is for its own file, where nothing else has it", () => {
		const of = (path: string, names: readonly string[], others: readonly string[] = []) =>
			excusesOf([{ path, names, others }], homes).isExcused;
		const byFile = of(A.path, ["works"]);
		expect(["test/a.js > works", "test/b.js > works", "works"].map(byFile)).toEqual([
			true,
			false,
			false,
		]);
		const shorter = of(A.path, ["alone"], ["alone (at night)"]);
		expect(["alone", "alone[1]", "alone (at night)"].map(shorter)).toEqual([true, true, false]);
	});

	test("of cases that stand empty counts as many of a shared name as are empty", () => {
		const file = { path: A.path, names: ["one"], others: ["works"] };
		const emptied = new Map([
			["one", 1],
			["works", 1],
		]);
		const found = emptyIn([{ ...file, emptied }], homes);
		const run = cases("one[1]", "one[2]", "works", "works", "-one[3]");
		expect([...found(run).cases].map(({ id }) => id)).toEqual(["one[1]", "one[2]", "works"]);
		const named = cases("test/b.js > works", "test/a.js > one");
		expect([...found(named).cases].map(({ id }) => id)).toEqual(["test/a.js > one"]);
		expect(found(null)).toEqual({ cases: new Set(), count: 2 });
	});
});

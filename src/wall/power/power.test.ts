import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { TestCase } from "../../evidence/evidence.ts";
import { changedTests, type TestPair } from "./changed-tests.ts";
import { someOf } from "./choose-mutants.ts";
import {
	greenOnBase,
	lostPower,
	lostPowerText,
	noticing,
	passing,
	type Trial,
	turnedGreen,
	weakerCases,
} from "./judge-power.ts";
import { targetsOf, tiersOf } from "./targets.ts";

const modified = (path: string, base: string, head: string): TestPair => {
	return { kind: "modified", path, base, head };
};
const changedIn = (...pairs: readonly TestPair[]): string[] =>
	changedTests(pairs, new Map([["test/a.test.js", 'import { a } from "../src/a.js";\n']])).map(
		({ path }) => path,
	);

describe("changes by which tests may notice less", () => {
	const base = 'import { a } from "../src/a.js";\ntest("a", () => { equal(a(1), 2); });\n';
	const more = 'test("b", () => { equal(a(2), 4); });\n';
	test.each<[string, string, boolean]>([
		["another test is none", base + more, false],
		["formatting and comments are none", `// why\n${base.replaceAll('"', "'")}`, false],
		["an assertion that is rewritten", base.replace("equal(a(1), 2)", "ok(a(1))"), true],
		["what it tests comes from elsewhere", base.replace("../src/a.js", "./a.js"), true],
		["a test that becomes a comment", base.replace("test(", "/*\ntest(").concat("*/\n"), true],
		["the name has another meaning", `${base}const a = () => 2;\n`, true],
	])("%s", (_, head, isChanged) => {
		expect(changedIn(modified("test/a.test.js", base, head)).length > 0).toBe(isChanged);
	});

	test("data that is rewritten, and a file that is gone, are", () => {
		expect(changedIn(modified("test/a.txt", "1\n", "2\n"))).toEqual(["test/a.txt"]);
		expect(changedIn(modified("test/a.txt", "1\n", "1\n2\n"))).toEqual([]);
		const twice = modified("test/a.json", '{"a": 1}\n', '{"a": 1,\n"a": 2}\n');
		expect(changedIn(twice)).toEqual(["test/a.json"]);
		expect(changedIn({ kind: "deleted", path: "test/b.test.js", base, head: "" })).toHaveLength(1);
	});

	test("a new file is one if the base's tests would load it", () => {
		const added = (path: string): TestPair => ({ kind: "added", path, base: "", head: "x\n" });
		expect(changedIn(added("src/a.js"))).toHaveLength(1);
		expect(changedIn(added("tests/conftest.py"))).toHaveLength(1);
		expect(changedIn(added("test/helper.js"))).toEqual([]);
	});
});

describe("what changed tests look at", () => {
	const texts = new Map([
		["src/a.js", 'import "./deep.js";\n'],
		["src/deep.js", "\n"],
		["src/b.js", "\n"],
		["src/types.d.ts", "\n"],
		["test/a.test.js", 'import "../src/a.js";\nimport "./help.js";\n'],
		["test/b.test.js", 'import "../src/b.js";\n'],
		["test/help.js", "\n"],
	]);
	const targets = (...changed: readonly string[]): string[] =>
		targetsOf(changed, { texts, isTest: (file) => file.startsWith("test/") });

	test("is what they import, nearest first", () => {
		expect(targets("test/a.test.js")).toEqual(["src/a.js", "src/deep.js"]);
	});

	test("of a helper is what its users import, then what all tests import", () => {
		expect(targets("test/help.js")).toEqual(["src/a.js", "src/deep.js", "src/b.js"]);
	});

	test("is all of the product where no import tells", () => {
		const alone = new Map([
			["a.go", "\n"],
			["a_test.go", "\n"],
		]);
		const isTest = (file: string): boolean => file === "a_test.go";
		expect(targetsOf(["a_test.go"], { texts: alone, isTest })).toEqual(["a.go"]);
	});
});

test("lines are sorted by what the changed lines of tests name", () => {
	const text = [
		"RATE = 2", // 1
		"class Book:",
		"    def take(self):",
		"        return helped(self)", // 4
		"    def rest(", // 5
		"        self,",
		"    ):",
		"        return 1", // 8
		"def helped(book):",
		"    return 3", // 10
		"def other():",
		"    return take(1)", // 12
		"def fresh():",
	].join("\n");
	const base = text.replace("def fresh():", "").replace("RATE = 2", "RATE = 1");
	const words = [new Set(["take", "Book"]), new Set<string>(), new Set<string>()];
	const tiers = tiersOf([{ path: "a.py", text, base }], [{ path: "test_a.py", words }]);
	expect(tiers.map((tier) => tier.flatMap(({ lines }) => lines)).filter((all) => all[0])).toEqual([
		[3, 4],
		[2, 12],
		[9, 10],
		[5, 6, 7, 8],
		[1, 11],
		[13],
	]);
	expect(tiersOf([], [])).toEqual([[], []]);
});

test("few of many mutants are spread over functions and operators", () => {
	const text = "def a():\n    x\n    y\ndef b():\n    z\n1\n";
	const mutant = (line: number, operator: string, file = "a.py") => ({ file, line, operator });
	const all = [
		mutant(2, "logical"),
		mutant(2, "arithmetic"),
		mutant(3, "arithmetic"),
		mutant(5, "number"),
		mutant(9, "return", "b.py"),
	];
	expect(someOf(all, [{ path: "a.py", text }], 4)).toEqual([all[1], all[3], all[4], all[0]]);
});

const cases = (all: Readonly<Record<string, TestCase["status"]>>): TestCase[] =>
	Object.entries(all).map(([id, status]) => ({ id, status }));
const run = (all: Readonly<Record<string, TestCase["status"]>>, status: "pass" | "fail" = "fail") =>
	evidence({ status, cases: cases(all) });
const plain = (status: "pass" | "fail", failed: number | null = null, exitCode = 0) =>
	evidence({
		status,
		cases: null,
		exitCode,
		counts:
			failed === null
				? null
				: { total: 3, passed: 3 - failed, failed, skipped: 0, knownFailing: 0 },
	});

describe("a mutant is noticed", () => {
	test("by the cases that fail on it alone", () => {
		const own = run({ a: "passed", b: "failed" });
		expect(noticing(run({ a: "failed", b: "failed", c: "failed" }), own)).toEqual(["a", "c"]);
		expect(noticing(run({ a: "passed", b: "failed" }), own)).toBeNull();
		expect(passing(["a", "b"], own)).toEqual(["a"]);
		expect(passing(["a"], plain("pass"))).toEqual([]);
	});

	test("by more failures, or by the exit code", () => {
		expect(noticing(plain("fail", 2), plain("fail", 1))).toEqual([]);
		expect(noticing(plain("fail", 1), plain("fail", 1))).toBeNull();
		expect(noticing(plain("fail"), plain("pass"))).toEqual([]);
		expect(noticing(plain("fail"), plain("pass", null, 1))).toBeNull();
	});
});

describe("what was red on the base and is green in the turn", () => {
	test("must stay red there with the changed tests", () => {
		const turned = turnedGreen(run({ a: "failed", b: "failed", c: "passed" }), {
			...run({ a: "passed", b: "failed", c: "passed" }),
			status: "pass",
		});
		expect(turned).toEqual(["a"]);
		expect(greenOnBase(["a"], run({ a: "passed" }))).toEqual(["a"]);
		expect(greenOnBase(["a"], run({ a: "failed" }))).toBeNull();
		expect(greenOnBase(["a"], plain("fail"))).toBeNull();
	});

	test("is the whole check where it names no cases", () => {
		expect(turnedGreen(plain("fail"), plain("pass"))).toEqual([]);
		expect(turnedGreen(plain("pass"), plain("pass"))).toBeNull();
		expect(turnedGreen(undefined, plain("pass"))).toBeNull();
		expect(turnedGreen(run({ a: "passed" }), run({ a: "passed" }, "pass"))).toBeNull();
		expect(greenOnBase([], plain("pass"))).toEqual([]);
		expect(greenOnBase([], plain("fail"))).toBeNull();
	});
});

describe("power is lost", () => {
	const mutant = { file: "a.js", line: 1, operator: "number", old: "1", fresh: "2" };
	const trial = (more: Partial<Trial>): Trial => {
		return { mutant, noticedBy: ["a", "b"], red: ["b"], missedBy: ["a"], ...more };
	};

	test("where no changed test notices a mutant", () => {
		expect(lostPower([trial({ red: null })])).toMatchObject({ noticedBy: ["a", "b"] });
		expect(lostPower([])).toBeNull();
	});

	test("where a case notices none of several that it noticed", () => {
		expect(lostPower([trial({}), trial({})])).toMatchObject({ noticedBy: ["a"], mutant });
		expect(lostPower([trial({})])).toBeNull();
		expect(weakerCases([trial({})])).toEqual([
			"a no longer notices a.js:1 (number): 1 -> 2, which others do",
		]);
	});

	test("not where it still notices another, or as many new ones took its place", () => {
		const other = trial({ red: ["a", "b"], missedBy: [] });
		expect(lostPower([trial({}), trial({}), other])).toBeNull();
		const replaced = trial({ red: ["b", "new"] });
		expect(lostPower([replaced, replaced])).toBeNull();
		expect(lostPower([replaced, trial({})])).toMatchObject({ noticedBy: ["a"] });
		const two = trial({ red: ["new"], missedBy: ["a", "b"] });
		expect(lostPower([two, two])).toMatchObject({ noticedBy: ["a"] });
	});

	test("and the sentence names the file of the case", () => {
		const suspects = [
			{ path: "test/x.js", base: "" },
			{ path: "test/y.js", base: 'test("adds")' },
		] as const;
		expect(lostPowerText({ noticedBy: ["adds"], mutant }, suspects)).toBe(
			"test/y.js: this test file was weakened, its tests notice less: they do not notice a.js:1 (number): 1 -> 2, and the original ones do (adds); restore what was removed",
		);
		expect(lostPowerText({ noticedBy: [], mutant: null }, suspects)).toBe(
			"test/x.js: this test file was weakened, its tests notice less: they pass without the turn's work, and the original ones do not; restore what was removed",
		);
	});
});

import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Evidence, TestCase } from "../../evidence/evidence.ts";
import {
	asOtherwise,
	lateOtherwise,
	mayBeOfOthers,
	otherwiseFiles,
	otherwiseOf,
	redForOtherTests,
	withoutEmpty,
} from "./otherwise.ts";
import { ALL_EXCUSED, isVoidReplay } from "./void-replay.ts";

const run = (word: string): TestCase[] =>
	word.split(" ").map((one): TestCase => {
		const id = `test > ${one.slice(0, -1)}`;
		return { id, status: one.endsWith("+") ? "passed" : "failed" };
	});
const piece = (word: string, more: Partial<Evidence> = {}): Evidence =>
	evidence({ check: "replay:tests", kind: "replay", cases: run(word), ...more });
const countsOf = (failed: number) => {
	return { total: 2, passed: 2 - failed, failed, skipped: 0, knownFailing: 0 };
};
const red = (before: string, own: string, now: string, more: Partial<Evidence> = {}) =>
	redForOtherTests(
		{ before: piece(before), own: piece(own, more), isExcused: () => false },
		piece(now, { status: "fail" }),
	);
const home = (text: string, more = {}) => ({
	path: "test/a.test.js",
	text,
	gone: [],
	isGone: false,
	...more,
});

describe("a red replay", () => {
	test("is of other tests where they were green on the base, and the work's own are", () => {
		expect(red("a+ b+", "a+ b+", "a- b+")).toEqual(["test > a"]);
		expect(red("a+ b+", "b+", "a- b+")).toEqual(["test > a"]);
	});

	test("is not where a red case was red before, or the work's own tests are red", () => {
		expect(red("a- b+", "a+ b+", "a- b-")).toEqual([]);
		expect(red("a+ b+", "a+ b+", "a- b+", { status: "fail" })).toEqual([]);
	});

	test("may be of other tests where no case has a name, if nothing failed on the base", () => {
		const green = piece("a+", { cases: null, counts: countsOf(0) });
		const red = piece("a+", { cases: null, status: "fail" });
		expect(mayBeOfOthers({ before: green, own: green }, red)).toBe(true);
		const was = { ...green, counts: countsOf(1) };
		expect(mayBeOfOthers({ before: was, own: green }, red)).toBe(false);
		expect(mayBeOfOthers({ before: green, own: red }, red)).toBe(false);
		expect(mayBeOfOthers({ before: piece("a+"), own: green }, piece("a-"))).toBe(false);
	});

	test("is explained by the files whose cases are red, else also by helpers and data", () => {
		const own = home('test("a", () => {});');
		const other = home('test("b", () => {});', { path: "test/b.test.js" });
		const data = home("1", { path: "test/a.json" });
		const helper = home("export const x = 1;", { path: "test/help.js" });
		const all = [own, other, data, helper];
		expect(otherwiseFiles(["test > a"], all)).toEqual([own]);
		expect(otherwiseFiles(["test > c"], all)).toEqual([data, helper]);
		expect(otherwiseFiles([], all)).toEqual([]);
	});
});

const none = () => ({ cases: new Set<TestCase>(), count: 0 });

describe("without the changed tests", () => {
	test("a green one passes, counts what was left out apart, and names it", () => {
		const again = piece("a+ b+", {
			counts: { total: 2, passed: 2, failed: 0, skipped: 0, knownFailing: 0 },
		});
		const found = asOtherwise(again, ["test > a"], none);
		expect(found).toMatchObject({
			status: "pass",
			reason:
				"1 test of the base left out: the work changed what they expect, or has them no longer",
			counts: { total: 1, passed: 1 },
			details: ["test > a: expects something else now"],
		});
		const files = [home('test("a", () => {});', { gone: ["a"] })];
		const { files: told, isGone, gone } = otherwiseOf(found === null ? [] : [found], files);
		expect([...told]).toEqual([["test/a.test.js", ["test > a"]]]);
		expect([isGone("test > a"), isGone("test > b"), gone]).toEqual([true, false, 1]);
	});

	test("one that leaves nothing out is a plain pass, and what no file explains is laid at all that changed", () => {
		const again = piece("a+ b+");
		expect(asOtherwise(again, [], none)).toBe(again);
		const found = asOtherwise(again, ["test > nowhere"], none);
		const files = [home('test("a", () => {});'), home('test("b", () => {});', { path: "b.js" })];
		const { files: told } = otherwiseOf(found === null ? [] : [found], files);
		expect([...told.keys()]).toEqual(["test/a.test.js", "b.js"]);
	});

	test("cases that stand empty in it are no passed ones, also where nothing else is left out", () => {
		const again = piece("a+ b+ c+", {
			counts: { total: 3, passed: 3, failed: 0, skipped: 0, knownFailing: 0 },
		});
		const emptyIn = (cases: readonly TestCase[] | null) => {
			const found = new Set(cases?.filter(({ id }) => id !== "test > c"));
			return { cases: found, count: cases === null ? 5 : found.size };
		};
		expect(asOtherwise(again, ["test > a"], emptyIn)).toMatchObject({
			reason:
				"2 tests of the base left out: the work changed what they expect, or has them no longer",
			counts: { total: 1, passed: 1 },
			cases: [{ id: "test > c" }],
		});
		expect(withoutEmpty(again, emptyIn)).toMatchObject({
			reason: "2 tests of the base left out, as the task allows",
			counts: { total: 1, passed: 1 },
			cases: [{ id: "test > c" }],
		});
		expect(withoutEmpty(again, none)).toBe(again);
		const unnamed = { ...again, cases: null };
		expect(withoutEmpty(unnamed, none)).toBe(unnamed);
		expect(withoutEmpty(unnamed, emptyIn)).toMatchObject({
			reason: "3 tests of the base left out, as the task allows",
			counts: { total: 0, passed: 0 },
			cases: null,
		});
	});

	test("one of which nothing is left stands in nobody's way, and is no pass", () => {
		const found = asOtherwise(
			piece("a+", { status: "absent", reason: ALL_EXCUSED }),
			["test > a"],
			none,
		);
		expect(found !== null && isVoidReplay(found)).toBe(true);
	});

	test("a case that the cold run alone leaves out is asked about", () => {
		const of = (id: string, purpose: Evidence["purpose"]) => ({
			...piece("c+"),
			...asOtherwise(piece("a+ b+"), [id], none),
			purpose,
		});
		const [turn, cold, other] = [of("a", "turn"), of("a", "assembled"), of("b", "assembled")];
		expect(lateOtherwise([cold], [turn])).toEqual([]);
		expect(lateOtherwise([cold, other], [turn])).toMatchObject([
			{ rule: "other_expected", text: "= b" },
		]);
	});

	test("a red one is what it was, and a word of it in another piece says nothing", () => {
		expect(asOtherwise(piece("a-", { status: "fail" }), ["test > a"], none)).toBeNull();
		const forged = piece("a+", { details: ["test > a: expects something else now"] });
		expect(otherwiseOf([forged], [home('test("a", () => {});')]).files.size).toBe(0);
	});
});

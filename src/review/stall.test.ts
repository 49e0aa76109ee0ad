import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allSameIssues, detectStall as detect, type StallTurn } from "./stall.ts";

/** Turns given oldest first, for reading; newest first for the function. */
const history = (...turns: Partial<StallTurn>[]): StallTurn[] =>
	turns
		.map((over, index) => ({
			turn: index + 1,
			tree: `t${index + 1}`,
			openIssues: [`issue ${index + 1}`],
			exempt: false,
			restarted: false,
			...over,
		}))
		.reverse();
const detectStall = (turns: readonly StallTurn[]) => detect(turns, ["F1 (a)", "F2 (b)"]);
const same = { openIssues: ["a", "b"] };
const exempt = { exempt: true };

describe("the same findings", () => {
	test("in three turns running are a stall, whatever their order", () => {
		expect(detectStall(history(same, { openIssues: ["b", "a", "a"] }, same))).toEqual({
			reason: "after turns 1, 2, 3 this is still open: F1 (a), F2 (b)",
		});
	});

	test("in two turns are none, nor are three empty sets", () => {
		expect(detectStall(history(same, same))).toBeNull();
		expect(
			detectStall(history({ openIssues: [] }, { openIssues: [] }, { openIssues: [] })),
		).toBeNull();
	});

	test("an exempt turn between neither counts nor breaks the streak", () => {
		expect(detectStall(history(same, same, { ...exempt, ...same }))).toBeNull();
		expect(detectStall(history(same, { ...exempt, openIssues: ["other"] }, same))).toBeNull();
		expect(detectStall(history(same, same, exempt, same))?.reason).toContain("1, 2, 4");
	});

	test("a turn with other findings breaks it", () => {
		expect(detectStall(history(same, same, {}, same))).toBeNull();
	});

	test("a person's answer starts the count again", () => {
		expect(detectStall(history(same, { ...same, restarted: true }, same, same))).toBeNull();
		expect(detectStall(history(same, same, { ...same, restarted: true }))).toBeNull();
		expect(detectStall(history({ ...same, restarted: true }, same, same, same))).not.toBeNull();
	});
});

describe("trees", () => {
	test("coming back to a tree older than the previous turn's is a stall", () => {
		expect(detectStall(history({ tree: "a" }, { tree: "b" }, { tree: "a" }))).toEqual({
			reason: "turn 3 came back to the tree of turn 1",
		});
	});

	test("so it is when the turn itself changed nothing more", () => {
		expect(
			detectStall(history({ tree: "a" }, { tree: "b" }, { tree: "a" }, { tree: "a" }))?.reason,
		).toContain("turn 1");
	});

	test("an exempt tree is neither the old one nor the one between", () => {
		expect(detectStall(history({ tree: "a", ...exempt }, { tree: "b" }, { tree: "a" }))).toBeNull();
		expect(detectStall(history({ tree: "a" }, { tree: "b", ...exempt }, { tree: "a" }))).toBeNull();
	});

	test("two turns in a row that changed nothing are a stall, one is not", () => {
		expect(detectStall(history({ tree: "a" }, { tree: "a" }, { tree: "a" }))).toEqual({
			reason: "turns 2 and 3 changed nothing",
		});
		expect(detectStall(history({ tree: "a" }, { tree: "a" }))).toBeNull();
		expect(detectStall(history({}))).toBeNull();
	});

	test("the first turn changed nothing when it left the tree that it began on", () => {
		expect(detectStall(history({ tree: "a", startTree: "a" }, { tree: "a" }))?.reason).toBe(
			"turns 1 and 2 changed nothing",
		);
	});

	test("what a turn changed is measured against the turn really before it, exempt or before a restart", () => {
		const turns = history({ tree: "a", restarted: true }, { tree: "a" }, { tree: "a" });
		expect(detectStall(turns)?.reason).toBe("turns 2 and 3 changed nothing");
		expect(
			detectStall(history({ tree: "a" }, { tree: "a" }, { tree: "b", ...exempt }, { tree: "a" })),
		).toBeNull();
	});
});

test("no turns, and an exempt newest turn, are no stall", () => {
	expect(detectStall([])).toBeNull();
	expect(detectStall(history(same, same, same, { ...same, exempt: true }))).toBeNull();
});

test("turns with ever new trees and findings never stall", () => {
	fc.assert(
		fc.property(fc.array(fc.record({ exempt: fc.boolean(), restarted: fc.boolean() })), (turns) => {
			expect(detectStall(history(...turns))).toBeNull();
		}),
	);
});

describe("allSameIssues", () => {
	const feedback = (...issues: string[]) => ({
		feedback_items: issues.map((issue) => ({ issue })),
	});

	test("three equal entries are the same, whatever the wording's case and order", () => {
		expect(allSameIssues([feedback("a", "b"), feedback("B.", "A"), feedback("b", "a")])).toBe(true);
	});

	test("so are two, one, and rounds that name nothing", () => {
		expect(allSameIssues([feedback("a"), feedback("a")])).toBe(true);
		expect(allSameIssues([feedback("a")])).toBe(true);
		expect(allSameIssues([feedback(), {}])).toBe(true);
	});

	test("no round at all and rounds with different issues are not", () => {
		expect(allSameIssues([])).toBe(false);
		expect(allSameIssues([feedback("a"), feedback("a"), feedback("b")])).toBe(false);
		expect(allSameIssues([feedback("a"), feedback("a", "b")])).toBe(false);
		expect(allSameIssues([feedback("a"), feedback()])).toBe(false);
	});
});

import { expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { isUnsteady, judgedTwice, unsteadyIn } from "./unsteady.ts";

const BASE = evidence({ cases: cases("a+ b+ known-") });
const SIDES = {
	before: BASE,
	own: evidence({ cases: cases("a+ b+ known-") }),
	isExcused: () => false,
};

const replay = (text: string | null) => {
	const isRed = text === null || /[ab]-|^b/.test(text);
	return evidence({
		check: "replay:tests",
		kind: "replay",
		cases: text === null ? null : cases(text),
		status: isRed ? "fail" : "pass",
		reason: isRed ? "red" : null,
	});
};
const GREEN = "a+ b+ known-";

test.each([
	["red in both", ["a- b+ known-", "a- b- known-"], null],
	["lost in both, for want of a run", ["b+ known-", "b+ known-"], null],
	["red, then green", ["a- b+ known-", GREEN], "- a"],
	["not there, then green", ["b+ known-", GREEN], "- a"],
	["red in one, and another in the other", ["a- b+ known-", "a+ b- known-"], "- a\n- b"],
] as const)("%s", (_name, [first, second], text) => {
	const judged = judgedTwice(SIDES, replay(first), replay(second));
	expect(judged.status).toBe(text === null ? "fail" : "pass");
	expect(isUnsteady(judged)).toBe(text !== null);
	expect(unsteadyIn([judged, judged]).map((one) => one.text)).toEqual(text === null ? [] : [text]);
});

test("without names the check is asked about", () => {
	const green = { ...replay(null), status: "pass", reason: null } as const;
	const judged = judgedTwice(SIDES, replay(null), green);
	expect(unsteadyIn([judged])).toMatchObject([{ rule: "flaky", file: "tests", text: "- tests" }]);
});

test("a second run without a result clears nobody", () => {
	const spoilt = { ...replay(GREEN), status: "error", reason: "timed out" } as const;
	expect(judgedTwice(SIDES, replay("a- b+ known-"), spoilt).status).toBe("fail");
});

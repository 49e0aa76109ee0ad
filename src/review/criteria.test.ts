import fc from "fast-check";
import { expect, test } from "vitest";
import { criteriaStatus, matchCriterion } from "./criteria.ts";

const entry = (criterion: string, met: boolean, evidence?: string, tests: string[] = []) => ({
	criterion,
	met,
	tests,
	...(evidence === undefined ? {} : { evidence }),
});
const status = (criteria: string[], ...requirements_status: ReturnType<typeof entry>[]) =>
	criteriaStatus(criteria, { requirements_status });

test("a criterion that the coach calls met is met, with its evidence and tests", () => {
	expect(
		status(["refuses  a call"], entry("refuses a call", true, " ran it ", ["t1", "t1"])),
	).toEqual([{ criterion: "refuses  a call", met: true, evidence: "ran it", tests: ["t1"] }]);
});

test("a criterion that is not mentioned is unmet", () => {
	expect(status(["a", "b"], entry("a", true))).toEqual([
		{ criterion: "a", met: true, evidence: null, tests: [] },
		{ criterion: "b", met: false, evidence: null, tests: [] },
	]);
});

test("contradictory entries leave a criterion unmet, with the words against it", () => {
	const [judged] = status(
		["a"],
		entry("a", true, "yes"),
		entry("A.", false, "no"),
		entry("a", true),
	);
	expect(judged).toMatchObject({ met: false, evidence: "no" });
});

test("statuses for unknown criteria are ignored", () => {
	expect(status(["a"], entry("b", true))).toMatchObject([{ criterion: "a", met: false }]);
});

test("an entry whose text is exactly another criterion's is not taken for this one", () => {
	const judged = status(["Returns A", "returns a"], entry("returns a", true));
	expect(judged.map(({ met }) => met)).toEqual([false, true]);
});

test("a text matches a criterion but for case and punctuation, else none", () => {
	expect(matchCriterion(["Refills at the rate"], "refills at the rate.")).toBe(
		"Refills at the rate",
	);
	expect(matchCriterion(["Refills at the rate"], "refills")).toBeNull();
});

test("every criterion has one status, and none is met that no entry calls met", () => {
	const texts = fc.constantFrom("a", "A", "b", " b ", "c!", "d");
	fc.assert(
		fc.property(
			fc.array(texts),
			fc.array(fc.record({ criterion: texts, met: fc.boolean(), tests: fc.constant([]) })),
			(criteria, requirements_status) => {
				const judged = criteriaStatus(criteria, { requirements_status });
				expect(judged.map(({ criterion }) => criterion)).toEqual(criteria);
				if (requirements_status.every(({ met }) => !met))
					expect(judged.every(({ met }) => !met)).toBe(true);
			},
		),
	);
});

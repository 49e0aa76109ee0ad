import { expect, test } from "vitest";
import { coachReason } from "./criteria.ts";

type Subject = Parameters<typeof coachReason>[0];
type Words = Parameters<typeof coachReason>[1]["findings_status"];
const subject = (over: Partial<Subject> = {}): Subject => ({
	id: "F1",
	state: "upheld",
	source: "coach",
	criterion: null,
	issue: "no burst",
	...over,
});
const said = (over: Partial<Subject>, ...findings_status: Words) =>
	coachReason(subject(over), { findings_status }, [
		{ criterion: "refuses", met: false, evidence: "the 11th call passes", tests: [] },
	]);

test("the reason beside the word for the finding's state is given", () => {
	expect(said({}, { id: " f1", status: "open", reason: " it is refused late\n" })).toBe(
		"it is refused late",
	);
	expect(said({ state: "withdrawn" }, { id: "F1", status: "withdrawn", reason: "right" })).toBe(
		"right",
	);
});

test("the reason of a fixed finding is given, and a status without one gives none", () => {
	const reason = "the 11th is refused now";
	expect(said({ state: "fixed" }, { id: "F1", status: "fixed", reason })).toBe(reason);
	expect(said({ state: "fixed" }, { id: "F1", status: "fixed" })).toBeNull();
});

test("a reason beside another word, a blank one, or one for another finding is none", () => {
	expect(said({}, { id: "F1", status: "fixed", reason: "it is gone" })).toBeNull();
	expect(said({}, { id: "F1", status: "open", reason: " " })).toBeNull();
	expect(said({}, { id: "F2", status: "open", reason: "why" })).toBeNull();
	expect(said({})).toBeNull();
	expect(said({ state: "disputed" }, { id: "F1", status: "open", reason: "why" })).toBeNull();
});

test("for a finding that Sparring made, what the coach says of the criterion is given, unless the issue holds it", () => {
	const own = { source: "criterion", criterion: "refuses" } as const;
	expect(said(own)).toBe("the 11th call passes");
	expect(said(own, { id: "F1", status: "open", reason: "why" })).toBe("why");
	expect(said({ ...own, issue: "Criterion not met: refuses\nthe 11th call passes" })).toBeNull();
	expect(said({ ...own, criterion: "refills" })).toBeNull();
	expect(said({ ...own, state: "overruled" })).toBeNull();
});

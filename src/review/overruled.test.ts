import { describe, expect, test } from "vitest";
import type { Finding, Ruling } from "./finding.ts";
import { aFinding } from "./finding-builder.fixture.ts";
import { overruledFindings, overruledIn, remainder } from "./ledger.ts";

const finding = (over: Partial<Finding> = {}): Finding =>
	aFinding({
		state: "overruled",
		criterion: "refuses",
		ruling: { by: "tie_breaker", decision: "PASS", rationale: "it does", turn: 3 },
		changedTurn: 3,
		...over,
	});

test("only findings that were ruled out are overruled, of the subtask in hand", () => {
	const all = [
		finding(),
		finding({ id: "F2", ruling: null }),
		finding({ id: "F3", state: "reopened" }),
		finding({ id: "F4", subtask: "core" }),
	];
	expect(overruledFindings(all, null).map(({ id }) => id)).toEqual(["F1"]);
	expect(overruledFindings(all, "core").map(({ id }) => id)).toEqual(["F4"]);
});

const ruling = (over: Partial<Ruling> = {}): Ruling => ({
	by: "tie_breaker",
	decision: "PASS",
	rationale: "it does",
	turn: 3,
	...over,
});

test("overruled in a turn is what was ruled on in it, for the player", () => {
	const all = [
		finding(),
		finding({ id: "F2", ruling: ruling({ turn: 2 }) }),
		finding({ id: "F3", state: "upheld", ruling: ruling({ decision: "FAIL" }) }),
	];
	expect(overruledIn(all, 3).map(({ id }) => id)).toEqual(["F1"]);
	// What a verifier's test found is no word of the coach, whose verdict stays as it is.
	expect(overruledIn([finding({ source: "verification" })], 3)).toEqual([]);
});

describe("what is left of a round", () => {
	const own = (over: Partial<Finding> = {}) =>
		aFinding({ id: "F2", source: "criterion", criterion: "refuses", ...over });

	test("the criterion of an overruled finding counts as met, and Sparring's finding for it is overruled too", () => {
		expect(remainder([finding()], [own()])).toEqual({
			met: new Set(["refuses"]),
			open: [],
			closed: [own({ state: "overruled", ruling: ruling() })],
			isAllThatStood: true,
		});
	});

	test.each([
		["another finding of the coach on it", own({ source: "coach" })],
		["Sparring's finding, upheld after a dispute of its own", own({ state: "upheld" })],
		[
			"Sparring's finding, on which a person ruled for the coach",
			own({ state: "upheld", ruling: ruling({ by: "person", decision: "FAIL" }) }),
		],
	])("the criterion stays unmet while %s stands", (_what, other) => {
		expect(remainder([finding()], [other])).toEqual({
			met: new Set(),
			open: [other],
			closed: [],
			isAllThatStood: false,
		});
	});

	test("a finding about no criterion settles none", () => {
		const { met, open } = remainder([finding({ criterion: null })], [own()]);
		expect([met, open]).toEqual([new Set(), [own()]]);
	});

	test("what is minor hinders no approval, but a grave finding that came late may be why the coach refused", () => {
		const minor = aFinding({ id: "F3", severity: "minor" });
		const late = aFinding({ id: "F4", late: true });
		expect(remainder([finding()], [minor]).isAllThatStood).toBe(true);
		expect(remainder([finding()], [minor, late]).isAllThatStood).toBe(false);
	});

	test("where only a minor finding was overruled the refusal rested on it only if nothing else is open", () => {
		const overruled = finding({ severity: "minor", criterion: null });
		expect(remainder([overruled], []).isAllThatStood).toBe(true);
		expect(remainder([overruled], [aFinding({ severity: "minor" })]).isAllThatStood).toBe(false);
	});
});

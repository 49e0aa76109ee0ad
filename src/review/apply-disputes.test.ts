import { expect, test } from "vitest";
import { applyDisputes } from "./apply-disputes.ts";
import type { Finding } from "./finding.ts";

const finding = (id: string, state: Finding["state"] = "open"): Finding => ({
	id,
	issue: `issue of ${id}`,
	severity: "major",
	state,
	file: null,
	line: null,
	criterion: null,
	suggestion: null,
	dispute: null,
	source: "coach",
	late: false,
	subtask: null,
	raisedTurn: 1,
	changedTurn: 1,
});

test("a dispute with a reason makes a finding disputed", () => {
	const [changed] = applyDisputes(
		[finding("F1"), finding("F2", "upheld")],
		[{ finding: " f2", reason: "no" }],
		4,
	);
	expect(changed).toEqual({
		...finding("F2"),
		state: "disputed",
		dispute: { reason: "no", evidence: null, turn: 4 },
		changedTurn: 4,
	});
});

test("of several disputes of one finding the last counts", () => {
	const disputes = [
		{ finding: "F1", reason: "first" },
		{ finding: "F1", reason: "second", evidence: "npm test" },
	];
	expect(applyDisputes([finding("F1")], disputes, 2)).toMatchObject([
		{ dispute: { reason: "second", evidence: "npm test" } },
	]);
});

test("unknown ids, closed findings and disputes without a reason are ignored", () => {
	const disputes = [
		{ finding: "F9", reason: "no" },
		{ finding: "F1", reason: " \n" },
		{ finding: "F2", reason: "no" },
	];
	expect(applyDisputes([finding("F1"), finding("F2", "fixed")], disputes, 2)).toEqual([]);
});

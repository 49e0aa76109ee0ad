import { expect, test } from "vitest";
import type { Finding } from "./finding.ts";
import { aFinding } from "./finding-builder.contract.ts";
import { overruledFindings, settledCriteria } from "./overruled.ts";

const finding = (over: Partial<Finding> = {}): Finding =>
	aFinding({
		state: "overruled",
		criterion: "refuses",
		ruling: { by: "tie_breaker", decision: "PASS", rationale: "it does", turn: 3 },
		changedTurn: 3,
		...over,
	});
const settled = (...all: Finding[]) => [...settledCriteria(all, null)];

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

test("the criterion of an overruled finding is settled, whoever raised it", () => {
	expect(settled(finding())).toEqual(["refuses"]);
	expect(settled(finding({ source: "criterion" }))).toEqual(["refuses"]);
	expect(settled(finding({ criterion: null }))).toEqual([]);
	expect(settled(finding({ subtask: "core" }))).toEqual([]);
});

test("what was raised on the criterion after the ruling ends that, what stood beside it does not", () => {
	const other = (over: Partial<Finding>) =>
		settled(finding(), finding({ id: "F2", state: "fixed", ruling: null, ...over }));
	expect(other({ raisedTurn: 4 })).toEqual([]);
	expect(other({ raisedTurn: 4, state: "open" })).toEqual([]);
	expect(other({ raisedTurn: 3, changedTurn: 5 })).toEqual(["refuses"]);
	expect(other({ raisedTurn: 4, criterion: "refills" })).toEqual(["refuses"]);
	expect(other({ raisedTurn: 4, state: "withdrawn" })).toEqual(["refuses"]);
	expect(other({ raisedTurn: 4, subtask: "core" })).toEqual(["refuses"]);
});

test("a later ruling settles it again", () => {
	const later = { by: "person", decision: "PASS", rationale: "", turn: 6 } as const;
	const all = [
		finding(),
		finding({ id: "F2", state: "fixed", ruling: null, raisedTurn: 4 }),
		finding({ id: "F3", raisedTurn: 5, ruling: later }),
	];
	expect(settled(...all)).toEqual(["refuses"]);
});

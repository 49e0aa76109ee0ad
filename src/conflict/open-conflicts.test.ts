import { expect, test } from "vitest";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.contract.ts";
import { nextAttempt, openConflicts, upheldDisputes, waitingConflicts } from "./open-conflicts.ts";

const finding = (id: string, changes: Partial<Finding> = {}): Finding =>
	aFinding({
		...{ id, state: "upheld", changedTurn: 2 },
		dispute: { reason: "it holds", evidence: "test output", turn: 2 },
		...changes,
	});

test("only an upheld, disputed finding is a conflict", () => {
	const open = [
		finding("F1"),
		finding("F2", { state: "disputed" }),
		finding("F3", { state: "open", dispute: null }),
		finding("F4", { dispute: null }),
		finding("F5", { state: "reopened" }),
	];
	expect(openConflicts(upheldDisputes(open), []).map(({ id }) => id)).toEqual(["F1"]);
});

test("a dispute is taken up once, and a new one of the same finding again", () => {
	const upheld = upheldDisputes([finding("F1")]);
	expect(openConflicts(upheld, [{ finding: "F1", disputeTurn: 2 }])).toEqual([]);
	expect(openConflicts(upheld, [{ finding: "F2", disputeTurn: 2 }])).toHaveLength(1);
	expect(openConflicts(upheld, [{ finding: "F1", disputeTurn: 1 }])).toHaveLength(1);
});

test("attempts count by finding, from 1", () => {
	const known = [{ finding: "F1" }, { finding: "F2" }, { finding: "F1" }];
	expect(["F1", "F2", "F3"].map((id) => nextAttempt(known, id))).toEqual([3, 2, 1]);
});

test("what waits for a person is escalated in this turn, about an open finding that nobody ruled on", () => {
	const attempt = (id: string, changes = {}) => ({
		...{ finding: id, turn: 2, resolution: "ESCALATE" },
		...changes,
	});
	const open = [
		finding("F1"),
		finding("F2"),
		finding("F3"),
		finding("F4", { ruling: { by: "person", decision: "FAIL", rationale: "", turn: 2 } }),
		finding("F5", { ruling: { by: "tie_breaker", decision: "FAIL", rationale: "", turn: 1 } }),
	];
	const known = [
		attempt("F1"),
		attempt("F2", { turn: 1 }),
		attempt("F3", { resolution: "AUTO" }),
		attempt("F4"),
		attempt("F5"),
		attempt("F9"),
	];
	expect(waitingConflicts(known, open, 2).map((each) => each.finding)).toEqual(["F1", "F5"]);
});

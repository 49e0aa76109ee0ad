import { expect, test } from "vitest";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import {
	type ConflictGround,
	nextAttempt,
	openConflicts,
	upholderOf,
	waitingConflicts,
} from "./conflict.ts";

const finding = (id: string, changes: Partial<Finding> = {}): Finding =>
	aFinding({
		id,
		state: "upheld",
		changedTurn: 2,
		dispute: { reason: "it holds", evidence: "test output", turn: 2 },
		...changes,
	});

const ids = (ground: Partial<ConflictGround>): string[] =>
	openConflicts({ open: [], known: [], needsApproval: false, ...ground }).map(({ id }) => id);

test("only an upheld, disputed finding is a conflict", () => {
	const open = [
		finding("F1"),
		finding("F2", { state: "disputed" }),
		finding("F3", { state: "open", dispute: null }),
		finding("F4", { dispute: null }),
		finding("F5", { state: "reopened" }),
	];
	expect(ids({ open })).toEqual(["F1"]);
});

test("a dispute is taken up once, and a new one of the same finding again", () => {
	const open = [finding("F1")];
	expect(ids({ open, known: [{ finding: "F1", disputeTurn: 2 }] })).toEqual([]);
	expect(ids({ open, known: [{ finding: "F2", disputeTurn: 2 }] })).toEqual(["F1"]);
	expect(ids({ open, known: [{ finding: "F1", disputeTurn: 1 }] })).toEqual(["F1"]);
});

test("what does not block is a conflict only where the coach's refusal rests on it alone", () => {
	const minor = finding("F1", { severity: "minor" });
	const late = finding("F2", { late: true });
	const fixed = finding("F3", { state: "open", dispute: null });
	expect(ids({ open: [minor, late], needsApproval: true })).toEqual(["F1", "F2"]);
	expect(ids({ open: [minor, late], needsApproval: false })).toEqual([]);
	expect(ids({ open: [minor, late, fixed], needsApproval: true })).toEqual([]);
	expect(ids({ open: [finding("F4", { severity: "minor", criterion: "refills" })] })).toEqual([
		"F4",
	]);
});

test("attempts count by finding, from 1", () => {
	const known = [{ finding: "F1" }, { finding: "F2" }, { finding: "F1" }];
	expect(["F1", "F2", "F3"].map((id) => nextAttempt(known, id))).toEqual([3, 2, 1]);
});

test("what waits for a person is escalated in this turn, about a finding that is open", () => {
	const attempt = (id: string, changes = {}) => ({
		finding: id,
		turn: 2,
		resolution: "ESCALATE",
		...changes,
	});
	const open = [finding("F1"), finding("F2"), finding("F3")];
	const known = [
		attempt("F1"),
		attempt("F2", { turn: 1 }),
		attempt("F3", { resolution: "AUTO" }),
		attempt("F9"),
	];
	expect(waitingConflicts(known, open, 2).map((each) => each.finding)).toEqual(["F1"]);
});

test("a finding of a test was upheld by the verifier, any other by the coach", () => {
	expect(upholderOf({ source: "verification" })).toBe("verifier");
	expect(upholderOf({ source: "coach" })).toBe("coach");
});

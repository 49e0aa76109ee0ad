import { expect, test } from "vitest";
import type { FindingConflict } from "../../conflict/conflict.ts";
import { ResolutionInterrupted } from "../../conflict/conflict-resolution-engine.ts";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import { turn } from "../../store/record-builders.contract.ts";
import { BudgetSpent } from "../admission/budget.ts";
import { scene, theFacts } from "../scene.contract.ts";
import { resolveConflict } from "./resolve-conflict.ts";

const facts = theFacts({ task: { pair: { challenger: "eve" } } });
const upheld = aFinding({
	state: "upheld",
	dispute: { reason: "it does", evidence: null, turn: 2 },
	changedTurn: 2,
});
const refused = turn({ turn: 2, raw: "feedback", effective: "feedback" });
const green = [evidence(), evidence({ check: "integrity", kind: "integrity" })];
const read = {
	turn: () => Promise.resolve(refused),
	open: () => Promise.resolve([upheld]),
	evidence: () => Promise.resolve(green),
};

test("without a pair nobody upholds a finding", async () => {
	expect((await resolveConflict(scene().input)).passedThrough).toContain("no pair");
});

test("a disputed finding that was upheld is put to the tie-breaker", async () => {
	const { input, done } = scene({ facts, read });
	expect((await resolveConflict(input)).update).toEqual({ next: "go" });
	expect(done).toEqual(["tie-breaker"]);
});

test("an approved turn has no conflict", async () => {
	const approved = turn({ turn: 2, raw: "approve", effective: "approve" });
	const { input, done } = scene({
		facts,
		read: { ...read, turn: () => Promise.resolve(approved) },
	});
	expect((await resolveConflict(input)).passedThrough).toContain("no disputed finding");
	expect(done).toEqual([]);
});

test("opinions wait while required evidence is red", async () => {
	const red = [evidence({ status: "fail" })];
	const { input, done } = scene({ facts, read: { ...read, evidence: () => Promise.resolve(red) } });
	expect((await resolveConflict(input)).passedThrough).toBe(
		"disputes wait, since required evidence did not pass: tests, integrity",
	);
	expect(done).toEqual([]);
});

test("a spent budget stops it; anything else that interrupts is thrown", async () => {
	const failing = (cause: unknown) => ({
		tieBreaker: () => Promise.reject(new ResolutionInterrupted(cause)),
	});
	const spent = scene({ facts, read, seats: failing(new BudgetSpent("$10 of $10")) });
	expect((await resolveConflict(spent.input)).update).toMatchObject({
		trigger: "budget",
		reason: { kind: "budget_spent", why: "$10 of $10" },
	});
	const lost = new Error("lease lost");
	const broken = scene({ facts, read, seats: failing(lost) });
	await expect(resolveConflict(broken.input)).rejects.toBe(lost);
});

test("an escalated conflict pauses the task once, and not where nobody is asked", async () => {
	const attempt: FindingConflict = {
		conflictId: "c1",
		threadId: "t",
		taskId: "limiter",
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		resolution: "ESCALATE",
		tieBreakerDecision: null,
		rationale: null,
		escalationReason: "enough",
		attemptCount: 3,
		resolvedAt: "t",
		finding: "F1",
		turn: 2,
		disputeTurn: 2,
		tieBreaker: "arbiter",
	};
	const pauses = async (part: { readonly human: boolean; readonly paused?: true }) => {
		const known = part.paused === true ? { ...attempt, paused: true as const } : attempt;
		const task = { pair: { challenger: "eve" }, human: part.human };
		const { input } = scene({
			facts: theFacts({ task }),
			read: { ...read, conflicts: () => Promise.resolve([known]) },
		});
		const { writes = [] } = await resolveConflict(input);
		return writes.filter(({ kind }) => kind === "conflict-paused").length;
	};
	expect(await pauses({ human: true })).toBe(1);
	expect(await pauses({ human: true, paused: true })).toBe(0);
	expect(await pauses({ human: false })).toBe(0);
});

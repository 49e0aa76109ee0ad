import { describe, expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { reasonText } from "../human/reason.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import { turn } from "../store/record-builders.contract.ts";
import { suspicion } from "../wall/suspicion.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import { decideTurn, type TurnFacts } from "./decide-turn.ts";
import { theFacts } from "./scene.contract.ts";

const GREEN = [evidence(), evidence({ check: "integrity", kind: "integrity" })];

/** Turn 2 of 5 with green evidence of its tree, and whatever else is said. */
const facts = (part: Partial<TurnFacts> = {}, task: Partial<TaskDefinition> = {}): TurnFacts => ({
	facts: theFacts({ task }),
	state: { turn: 2, bound: 5, refusals: 0, taken: false, critical: false },
	turn: turn({ turn: 2, raw: null, effective: null, reasons: [], route: null }),
	tree: "t1",
	evidence: GREEN,
	open: [],
	verification: null,
	score: null,
	conflicts: [],
	items: [],
	older: [],
	isUnchanged: false,
	reportProblem: null,
	subtaskStart: 0,
	startTree: "t0",
	allowed: [],
	suspicions: [],
	now: "1970-01-01T00:00:00.000Z",
	...part,
});

const PAIR = { pair: { challenger: "eve" } };
const judged = (effective: "approve" | "feedback") =>
	turn({ turn: 2, raw: effective, effective, reasons: [], route: null });
const route = (given: TurnFacts) => {
	const { route: way, reason } = decideTurn(given);
	return [way, reasonText(reason)];
};

describe("a single agent", () => {
	test("leaves when its required evidence passed, whatever its gate is", () => {
		expect(route(facts())).toEqual(["approve", "required evidence passed"]);
		expect(decideTurn(facts()).report).toBeNull();
	});

	test.each([
		[[], "nothing was tested: the workflow has no checks"],
		[["lint"], "nothing was tested: the workflow has no acceptance check"],
	] as const)("with %o as its other checks leaves untested work under that name", (kinds, why) => {
		const known = theFacts();
		const checks = kinds.flatMap((kind) => known.workflow.checks.map((c) => ({ ...c, kind })));
		const untested = { ...known, workflow: { ...known.workflow, checks } };
		expect(route(facts({ facts: untested }))).toEqual(["approve", why]);
	});

	test("goes back with what is short as its reasons", () => {
		const { route: way, turn: record, update } = decideTurn(facts({ evidence: [] }));
		expect(way).toBe("feedback");
		expect(record.reasons).toEqual([
			{ kind: "check_missing", check: "tests" },
			{ kind: "check_missing", check: "integrity" },
		]);
		expect(update).toEqual({ next: "feedback", taken: false });
	});

	test("evidence of another tree, as after a refused merge, does not belong to this turn", () => {
		expect(route(facts({ tree: "t9" }))[0]).toBe("feedback");
	});

	test("stops for a person at its bound", () => {
		const at = { turn: 2, bound: 2, refusals: 0, taken: false, critical: false };
		expect(decideTurn(facts({ evidence: [], state: at })).update).toEqual({
			next: "max_turns",
			trigger: "loop_exhausted",
			reason: { kind: "max_turns", bound: 2 },
			taken: false,
		});
	});
});

test("a limit that a refused merge has moved says so", () => {
	const state = { turn: 3, bound: 3, refusals: 1, taken: false, critical: false };
	expect(route(facts({ evidence: [], state }))).toEqual([
		"max_turns",
		"Max turns (3) reached without approval, those included that a refused merge granted",
	]);
});

test("a suspicion that a person has to answer is named with its place and what it is", () => {
	const about = { rule: "ends_process", file: "stop.js", line: 2, text: "+ exit" } as const;
	const suspect = { suspicion: suspicion(about, []), state: "open", reason: "", by: null } as const;
	expect(route(facts({ suspicions: [suspect] }))).toEqual([
		"escalate",
		`a suspicion needs an answer: ${suspect.suspicion.id} at stop.js:2 (product code that ends the process was added)`,
	]);
});

describe("a pair", () => {
	test("leaves with the coach's approval and not without", () => {
		expect(route(facts({ turn: judged("approve") }, PAIR))[0]).toBe("approve");
		expect(route(facts({ turn: judged("feedback") }, PAIR))).toEqual([
			"feedback",
			"the coach did not approve",
		]);
	});

	test("asks one question about its conflicts and the critical findings of the turn", () => {
		const attempt = {
			conflictId: "c",
			threadId: "t",
			taskId: "limiter",
			developerVerdict: "PASS",
			reviewerVerdict: "FAIL",
			resolution: "ESCALATE",
			tieBreakerDecision: null,
			rationale: null,
			escalationReason: "the answers\ndiffer",
			attemptCount: 2,
			resolvedAt: "now",
			finding: "F1",
			turn: 2,
			disputeTurn: 2,
			tieBreaker: "arbiter",
		} as const;
		const open = [aFinding(), aFinding({ id: "F2", severity: "critical", issue: "it leaks" })];
		const state = { turn: 2, bound: 5, refusals: 0, taken: false, critical: true };
		const given = facts({ turn: judged("feedback"), conflicts: [attempt], open, state }, PAIR);
		expect(decideTurn(given).update).toMatchObject({ next: "escalate", trigger: "conflict" });
		expect(route(given)[1]).toBe(
			"Conflict about F1 (attempt 2): the answers differ\nCritical: F2: it leaks",
		);
	});

	test("an approval that a ruling made says so", () => {
		const ruled = turn({
			turn: 2,
			raw: "feedback",
			effective: "approve",
			reasons: [{ kind: "overruled", findings: ["F1"] }],
		});
		expect(route(facts({ turn: ruled }, PAIR))).toEqual(["approve", "overruled: F1"]);
	});
});

describe("the developer's output that a person took", () => {
	const taken = { turn: 2, bound: 2, refusals: 0, taken: true, critical: false };
	const open = [aFinding()];

	test("settles what is open, unless conflicts were answered one by one", () => {
		const given = facts({ turn: judged("feedback"), state: taken, open }, PAIR);
		expect(decideTurn(given)).toMatchObject({ route: "approve", overruled: open });
		const items = [{ status: "RESOLVED", trigger: "conflict" }] as const;
		expect(decideTurn({ ...given, items }).overruled).toBeNull();
	});

	test("does not stand above evidence: at the limit the reason says both", () => {
		const given = facts({ turn: judged("feedback"), state: taken, open, evidence: [] }, PAIR);
		const { update, overruled } = decideTurn(given);
		expect(overruled).toBeNull();
		expect(update).toMatchObject({
			reason: { kind: "max_turns", bound: 2, though: "taken" },
		});
	});
});

describe("a gate", () => {
	const gate = { gate: true } as const;

	test("that refuses sends the turn back with what it lacks", () => {
		const { report, turn: record } = decideTurn(facts({ evidence: [] }, gate));
		expect(report?.verdict).toBe("FAIL");
		expect(record.reasons.some((reason) => reason.kind === "gate")).toBe(true);
	});

	test("that passes adds nothing to the reasons", () => {
		const { report, turn: record } = decideTurn(facts({}, gate));
		expect(report?.verdict).toBe("PASS");
		expect(record.reasons).toEqual([]);
	});
});

describe("a subtask", () => {
	const of = (isLast: boolean) => ({
		...facts(),
		facts: theFacts({ subtask: { id: "core", index: 0, isLast } }),
	});

	test("that is approved restarts the stall count and grants the bound of the file", () => {
		expect(decideTurn(of(false))).toMatchObject({
			doneSubtask: { id: "core", isLast: false },
			turn: { restarted: true, route: "approve" },
			update: { next: "feedback", bound: 7, round: 0 },
		});
	});

	test("that is the last one ends the task", () => {
		expect(decideTurn(of(true))).toMatchObject({
			doneSubtask: { id: "core", isLast: true },
			update: { next: "approve" },
		});
	});
});

describe("a formal review", () => {
	test("asks a person at once, in its own words", () => {
		const record = { ...judged("feedback"), rationale: "the docs lie" };
		const given = facts({ turn: record, evidence: [] }, { formalReview: true });
		expect(route(given)).toEqual(["escalate", "the formal review did not approve: the docs lie"]);
	});

	test("needs no evidence: the work was checked when it merged", () => {
		const given = facts({ turn: judged("approve"), evidence: [] }, { formalReview: true });
		expect(route(given)[0]).toBe("approve");
	});
});

test("a turn that brings an older tree back is a stall, measured from the start of the task", () => {
	const older = [turn({ turn: 1, tree: "t1", openIssues: ["a"], exempt: false, restarted: false })];
	const state = { turn: 2, bound: 5, refusals: 0, taken: false, critical: false };
	const record = { ...judged("feedback"), tree: "t1", openIssues: ["b"] };
	const idle = facts({ turn: record, older, startTree: "t1", state }, PAIR);
	expect(decideTurn(idle).update).toMatchObject({ next: "escalate", trigger: "escalation" });
	expect(decideTurn({ ...idle, startTree: "t0" }).route).toBe("feedback");
});

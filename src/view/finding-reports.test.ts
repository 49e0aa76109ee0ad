import { expect, test } from "vitest";
import type { FindingConflict } from "../conflict/conflict.ts";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import type { EventData, EventType, StoredEvent } from "../trace/event.ts";
import { findingReports } from "./finding-reports.ts";

const TIME = "2026-11-21T22:05:09.000Z";

function event<Type extends EventType>(type: Type, data: EventData[Type], turn = 2): StoredEvent {
	const place = { task: "limiter", turn, node: null, timestamp: TIME, id: 1, run: "r1" };
	// Type and data belong together by the signature, which the compiler does not follow into the union.
	return { ...place, type, data } as unknown as StoredEvent;
}

const changed = (state: string, argument?: EventData["finding-changed"]["argument"]) =>
	event("finding-changed", {
		finding: "F1",
		state,
		severity: "major",
		issue: "burst",
		blocking: true,
		...(argument === undefined ? {} : { argument }),
	});
const settled: EventData["conflict-resolved"] = {
	conflict: "c1",
	finding: "F1",
	attempt: 1,
	resolution: "AUTO",
	tie_breaker: "arbiter",
	decision: "PASS",
	rationale: "it does",
	escalation_reason: null,
};
const conflict = (over: Partial<FindingConflict> = {}): FindingConflict => ({
	conflictId: "c1",
	threadId: "t",
	taskId: "limiter",
	finding: "F1",
	turn: 2,
	disputeTurn: 2,
	tieBreaker: "arbiter",
	...({ developerVerdict: "PASS", reviewerVerdict: "FAIL", resolution: "AUTO" } as const),
	...({ tieBreakerDecision: "PASS", rationale: "it does", escalationReason: null } as const),
	attemptCount: 1,
	resolvedAt: TIME,
	...over,
});
const reports = (
	findings: Finding[],
	{ events = [], conflicts = [] }: { events?: StoredEvent[]; conflicts?: FindingConflict[] } = {},
) => findingReports(findings, conflicts, events);

test("a finding's life is told in order: changes, disputes that had no effect, settlements, answers", () => {
	const argument = { by: "player", text: "it does", evidence: "npm test" } as const;
	const [report] = reports([aFinding()], {
		events: [
			changed("open"),
			changed("disputed", argument),
			event("check-ran", {
				check: "tests",
				kind: "acceptance",
				purpose: "turn",
				status: "pass",
				reason: null,
				tree: "t",
				ms: 1,
				counts: null,
			}),
			event("dispute-ignored", { finding: "F1", reason: "no new evidence" }),
			event("conflict-resolved", settled),
			event("conflict-resolved", {
				...settled,
				resolution: "ESCALATE",
				tie_breaker: "arbiter",
				decision: null,
				rationale: null,
				escalation_reason: "no agreement",
			}),
			event("item-answered", {
				item: "H1",
				status: "RESOLVED",
				choice: "directive",
				findings: { F1: "take_developer" },
			}),
			changed("overruled", { by: "person", text: "agreed", evidence: null }),
		],
	});
	const at = { turn: 2, timestamp: TIME, evidence: null };
	expect(report?.history).toEqual([
		{ ...at, state: "open", by: "coach", text: null },
		{ ...at, state: "disputed", ...argument },
		{ ...at, state: "dispute_ignored", by: "player", text: "no new evidence" },
		{ ...at, state: "conflict_settled", by: "tie_breaker", text: "it does" },
		{ ...at, state: "conflict_escalated", by: null, text: "no agreement" },
		{ ...at, state: "answered", by: "person", text: "take_developer" },
		{ ...at, state: "overruled", by: "person", text: "agreed" },
	]);
});

test("a change without words names nobody, and is told by its state", () => {
	const events = [changed("disputed"), changed("upheld"), changed("overruled")];
	const [report] = reports([aFinding()], { events });
	expect(report?.history.map(({ by }) => by)).toEqual(["player", "coach", null]);
});

test("each finding has its own history and attempts, and its ruling or null", () => {
	const ruling = { by: "tie_breaker", decision: "PASS", rationale: "it does", turn: 2 } as const;
	const second = aFinding({ id: "F2", state: "overruled", ruling });
	const all = reports([aFinding(), second], {
		events: [changed("open"), event("conflict-resolved", { ...settled, finding: "F2" })],
		conflicts: [
			conflict({ finding: "F2" }),
			conflict({
				finding: "F2",
				conflictId: "c2",
				attemptCount: 2,
				resolution: "ESCALATE",
				tieBreaker: null,
				turn: 3,
				tieBreakerDecision: null,
				rationale: null,
				escalationReason: "no agreement",
			}),
		],
	});
	expect(all.map((one) => [one.id, one.blocking, one.ruling, one.history.length])).toEqual([
		["F1", true, null, 1],
		["F2", false, ruling, 1],
	]);
	expect(all.map(({ conflicts }) => conflicts)).toEqual([
		[],
		[
			{
				conflict_id: "c1",
				turn: 2,
				attempt: 1,
				resolution: "AUTO",
				tie_breaker: "arbiter",
				decision: "PASS",
				rationale: "it does",
				escalation_reason: null,
			},
			{
				conflict_id: "c2",
				turn: 3,
				attempt: 2,
				resolution: "ESCALATE",
				tie_breaker: null,
				decision: null,
				rationale: null,
				escalation_reason: "no agreement",
			},
		],
	]);
});

test("what was ignored before a finding was raised is not part of its history", () => {
	const ignored = (reason: string) => event("dispute-ignored", { finding: "F1", reason });
	const [report] = reports([aFinding()], {
		events: [ignored("none open"), ignored("none open"), changed("open"), ignored("no reason")],
	});
	expect(report?.history.map(({ state, text }) => [state, text])).toEqual([
		["open", null],
		["dispute_ignored", "no reason"],
	]);
});

test("events about findings that are not known change nothing, whatever their names", () => {
	const names = ["F9", "__proto__", ""];
	const events = names.map((name) => event("dispute-ignored", { finding: name, reason: "?" }));
	expect(reports([aFinding()], { events })[0]?.history).toEqual([]);
	expect(reports([], { events })).toEqual([]);
});

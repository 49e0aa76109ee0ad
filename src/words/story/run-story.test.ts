import { expect, test } from "vitest";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { newStory, tell } from "./run-story.ts";

type Type = StoredEvent["type"];

/** Happens `second` seconds after the start of the run, in `turn` of task `limiter`; -1: in no task. */
function event<Kind extends Type>(
	type: Kind,
	data: Partial<EventData[Kind]>,
	[second, turn, task = "limiter"]: readonly [second: number, turn: number, task?: string],
): StoredEvent {
	const timestamp = new Date(second * 1_000).toISOString();
	const place = turn === -1 ? { task: null, turn: null } : { task, turn: turn === 0 ? null : turn };
	// Type and data belong together by the signature; the fields that a test leaves out are not read.
	return {
		id: 1,
		run: "r1",
		node: null,
		type,
		data,
		timestamp,
		...place,
	} as unknown as StoredEvent;
}

const told = (events: readonly StoredEvent[]): string[] => {
	const story = newStory();
	return events.flatMap((each) =>
		tell(story, each).map(({ label, text, ms }) =>
			[label.padEnd(8), text, ...(ms === undefined ? [] : [`${ms / 1_000} s`])].join(" "),
		),
	);
};

const run = (tasks: string[], more: Partial<EventData["run-started"]> = {}): StoredEvent =>
	event("run-started", { base: "main", base_commit: "e3b0eac4dd", tasks, ...more }, [0, -1]);
const AGENTS = { dev: "claude", reviewer: "codex" };
const STARTED = run(["limiter"], { agents: AGENTS, checks: { tests: "npm test" } });
const begun = (more: Partial<EventData["task-started"]> = {}, task = "limiter"): StoredEvent =>
	event("task-started", { player: "dev", coach: "reviewer", bound: 4, ...more }, [0, 0, task]);
const ran = (
	data: Partial<EventData["check-ran"]>,
	[second, turn]: readonly [number, number] = [30, 1],
): StoredEvent =>
	event(
		"check-ran",
		{
			check: "tests",
			kind: "acceptance",
			purpose: "turn",
			status: "pass",
			counts: null,
			reason: null,
			...data,
		},
		[second, turn],
	);
const counts = (passed: number, total = passed): unknown => ({
	total,
	passed,
	failed: total - passed,
});
const snapshot = (turn: number, changed = 2): StoredEvent =>
	event("snapshot-taken", { changed, empty: changed === 0, lines: { added: 58, removed: 3 } }, [
		10,
		turn,
	]);
const judged = (data: Partial<EventData["turn-judged"]>, turn = 1): StoredEvent =>
	event(
		"turn-judged",
		{ raw: "feedback", effective: "feedback", reasons: [], rationale: "", ...data },
		[60, turn],
	);
const routed = (route: EventData["turn-routed"]["route"], turn = 1, reason = ""): StoredEvent =>
	event("turn-routed", { route, reason }, [75, turn]);
const finding = (data: Partial<EventData["finding-changed"]>, turn = 1): StoredEvent =>
	event(
		"finding-changed",
		{ state: "open", severity: "major", blocking: true, issue: "wrong", ...data },
		[50, turn],
	);
const answered = (costUsd: number | null): StoredEvent =>
	event("agent-answered", { role: "player", agent: "dev", usage: { costUsd } }, [0, 1]);

test("a task is told with what is used, a line for each turn and finding, and the merge", () => {
	const events = [
		STARTED,
		begun(),
		ran({ purpose: "baseline", counts: counts(4) }, [5, 0]),
		answered(0.3),
		snapshot(1),
		ran({ counts: counts(6) }),
		ran({ check: "replay:tests", counts: counts(4) }),
		finding({ finding: "F1", file: "src/limiter.js", line: 18, issue: "holds too much" }),
		finding({ finding: "F2", severity: "minor", blocking: false, issue: "a name" }),
		judged({}),
		event("gate-evaluated", { verdict: "PASS", rule: "", risk_tier: "T0" }, [60, 1]),
		routed("feedback"),
		answered(0.12),
		snapshot(2),
		ran({ counts: counts(8) }, [90, 2]),
		finding({ finding: "F1", state: "fixed" }, 2),
		finding({ finding: "F2", state: "withdrawn" }, 2),
		judged({ raw: "approve", effective: "approve" }, 2),
		routed("approve", 2),
		ran({ purpose: "assembled", counts: counts(8) }, [140, 2]),
		ran({ purpose: "assembled", check: "replay:tests", counts: counts(4) }, [141, 2]),
		event("task-merged", { into: "sparring/r1/integration" }, [146, 2]),
		event("task-ended", { status: "completed", merged: true, flags: [], reason: null }, [146, 2]),
		event("run-ended", { status: "completed" }, [146, -1]),
	];
	expect(told(events)).toEqual([
		"limiter: player dev (claude), coach reviewer (codex), check npm test, up to 4 turns, from main e3b0eac",
		"turn 1   2 files +58 -3   tests 6/6   coach: 2 findings 75 s",
		"         F1 major  src/limiter.js:18  holds too much",
		"         F2 minor  a name (does not block)",
		"turn 2   2 files +58 -3   tests 8/8   F1 fixed   F2 withdrawn   coach approves 65 s",
		"merged   tests 8/8 and the base's 4/4 on the merged tree; $0.42, 2:26",
	]);
});

const turn = (...events: readonly StoredEvent[]): string[] => told([...events, routed("approve")]);

const REPORT = {
	files_modified: [],
	files_created: [],
	tests_written: [],
	checks_passed: [],
	implementation_notes: "",
};

test.each<[string, StoredEvent, readonly string[]]>([
	["nothing changed", snapshot(1, 0), ["turn 1   nothing changed"]],
	["a check without counts", ran({ check: "lint" }), ["turn 1   lint pass"]],
	[
		"cases that are not counted",
		ran({ counts: { total: 4, passed: 2, skipped: 1, known_failing: 1 } }),
		["turn 1   tests 2/4, 1 skipped, 1 known failing"],
	],
	[
		"a check that fails, with its reason",
		ran({ status: "fail", counts: counts(1, 2), reason: "1 of 2 tests failed: burst" }),
		["turn 1   tests 1/2", "         check tests: fail: 1 of 2 tests failed: burst"],
	],
	[
		"the base's tests only where they do not pass",
		ran({ check: "replay:tests", status: "absent", reason: "nothing passed on the base" }),
		["         the base's tests on the work: absent: nothing passed on the base"],
	],
	[
		"a checklist in numbers",
		ran({ check: "checklist/1", item: "README" }),
		["turn 1   checklist 1/1"],
	],
	[
		"a failed item of a checklist",
		ran({ check: "checklist/1", item: "README", status: "fail" }),
		["turn 1   checklist 0/1"],
	],
	[
		"mutants",
		ran({ check: "mutation", mutants: { detected: 3, undetected: 1, pending: 0, survivors: [] } }),
		["turn 1   mutation pass   mutants 3/4"],
	],
	[
		"a verification that was required",
		event(
			"verification-decided",
			{ required: true, verdict: "failed", reasons: ["it is red"], tests: [], attempts: 1 },
			[40, 1],
		),
		["turn 1   verification failed", "         verification failed: it is red"],
	],
	[
		"one that passed",
		event(
			"verification-decided",
			{ required: true, verdict: "passed", reasons: [], tests: [], attempts: 0 },
			[40, 1],
		),
		["turn 1   verification passed"],
	],
	["one that nobody asked for", event("verification-decided", { required: false }, [40, 1]), []],
	[
		"what the wall refused and what the task allows",
		event(
			"integrity-checked",
			{
				violations: ["test a is gone"],
				notes: ["2 of 3 files are gone"],
				weakened: [
					{
						file: "a.test.js",
						line: 5,
						before: ["\tequal(fee(200), 20);"],
						after: ["ok(fee(200));"],
					},
				],
				allowed: [{ path: "b", change: "edit", reason: "old" }],
			},
			[40, 1],
		),
		[
			"         test a is gone",
			"         weakened: a.test.js:5",
			"           - equal(fee(200), 20);",
			"           + ok(fee(200));",
			"         note: 2 of 3 files are gone",
			"         allowed: edit of b (old)",
		],
	],
	[
		"a score with its warnings",
		event("confidence-scored", { score: 0.689, warnings: ["judge has no value"] }, [40, 1]),
		["turn 1   score 0.68", "         warning: judge has no value"],
	],
	["an approval", judged({ raw: "approve", effective: "approve" }), ["turn 1   coach approves"]],
	[
		"an approval without an attempt",
		judged({ raw: "approve", effective: "approve", attempts: [] }),
		["turn 1   coach approves, without any attempt to break the work"],
	],
	[
		"an approval that does not count",
		judged({ raw: "approve", reasons: ["criterion not met: burst"] }),
		["turn 1   coach approves, overruled", "         criterion not met: burst"],
	],
	[
		"feedback without a finding",
		judged({ rationale: "the docs lack" }),
		["turn 1   coach: feedback", "         the coach says: the docs lack"],
	],
	[
		"feedback for a reason alone",
		judged({ reasons: ["unmet"] }),
		["turn 1   coach: feedback", "         the coach says: unmet"],
	],
	["feedback without a word", judged({}), ["turn 1   coach: feedback"]],
	[
		"a gate that refuses",
		event("gate-evaluated", { verdict: "FAIL", rule: "no evidence", risk_tier: "T0" }, [40, 1]),
		["         gate FAIL: no evidence"],
	],
	[
		"a finding that is open again",
		finding({ finding: "F1", state: "reopened" }),
		["         F1 major, open again  wrong"],
	],
	[
		"a dispute with what is said for it",
		finding({
			finding: "F1",
			state: "disputed",
			argument: { by: "player", text: "it is counted", evidence: null },
		}),
		["turn 1   F1 disputed", "         the player disputes F1: it is counted"],
	],
	[
		"what the player is unsure of",
		event("player-reported", { ...REPORT, concerns: ["the clock"] }, [40, 1]),
		["         the player is unsure: the clock"],
	],
	["a report without concerns", event("player-reported", { ...REPORT, concerns: [] }, [40, 1]), []],
])("a turn tells %s", (_name, each, lines) => {
	expect(turn(each).map((line) => line.replace(/ \d+ s$/, ""))).toEqual(lines);
});

test("a suspicion is counted where the coach accepted it, and told where nobody did", () => {
	const at = { rule: "ends_process", kind: "acts_on_tests", file: "a.js", line: 3 };
	const raised = event(
		"integrity-checked",
		{
			violations: [],
			notes: [],
			suspicions: [1, 2, 3].map((nth) => ({ ...at, id: `s-${nth}`, text: "exits" })),
		},
		[40, 1],
	);
	const says = [true, false, null].map((ok, nth) => ({
		...at,
		id: `s-${nth + 1}`,
		ok,
		by: "coach" as const,
		reason: "x",
	}));
	expect(turn(raised, event("suspicions-answered", { suspicions: says }, [50, 1]))).toEqual([
		"turn 1   1 suspicion accepted 35 s",
		"         s-2 at a.js:3 (ends_process): not accepted by the coach: x",
		"         suspicion s-3: a.js:3: exits",
	]);
});

test("of many findings the first ten are told", () => {
	const many = Array.from({ length: 12 }, (_, nth) => finding({ finding: `F${nth}` }));
	expect(turn(...many).slice(-2)).toEqual([
		"         F9 major  wrong",
		"         and 2 more findings: spar findings",
	]);
});

test("a turn that goes back without a coach's word says why", () => {
	const events = [
		snapshot(1),
		judged({ raw: null, effective: null }),
		routed("feedback", 1, "score below 0.8"),
	];
	expect(told(events).at(-1)).toBe("         again: score below 0.8");
	expect(told([snapshot(1), routed("feedback")])).toHaveLength(1);
	expect(told([snapshot(1), judged({}), routed("feedback")]).at(-1)).toBe(
		"turn 1   2 files +58 -3   coach: feedback 65 s",
	);
});

test("failures, warnings and questions are told at once, and none of the calls that go well", () => {
	const failed = {
		role: "coach",
		agent: "rev",
		failure: "timeout",
		message: "30m",
		usage: null,
	} as const;
	const events = [
		event("agent-called", { role: "coach", agent: "rev", call: 1 }, [20, 1]),
		event("agent-failed", failed, [25, 1]),
		event(
			"budget-warned",
			{ scope: "run", kind: "usd", limit: 10, spent: 9, unknown_cost_calls: 0 },
			[26, -1],
		),
		ran({ purpose: "baseline", status: "absent", reason: "no tests ran" }, [27, 0]),
		event("item-opened", { item: "n07a4w", trigger: "sign_off", reason: "says yes?" }, [30, 1]),
		event("PAUSED_FOR_USER_ESCALATION", { conflict: "c", reason: "" }, [30, 1]),
		event(
			"task-ended",
			{ status: "paused_for_human", merged: false, flags: [], reason: null },
			[30, 1],
		),
	];
	expect(told(events)).toEqual([
		"         coach rev failed (timeout): 30m",
		"         90 % of the budget of the run is spent: $9.00 of $10.00",
		"         check tests (baseline): absent: no tests ran",
		"asks     sign-off: says yes?",
		"         see your choices: spar questions n07a4w",
	]);
});

test("of a player's reports that cannot be used the first is told, since each quotes another text", () => {
	const rejected = (role: "player" | "coach", reason: string, turn: number) =>
		event("report-rejected", { role, agent: "dev", call: 1, reason }, [turn * 10, turn]);
	const player =
		"         the report of player dev cannot be used, and its work counts all the same: ";
	const coach = "         coach dev: the report of call 1 cannot be used: no JSON";
	expect(
		told([
			rejected("player", "no report was handed in", 1),
			rejected("coach", "no JSON", 2),
			rejected("player", "no JSON", 3),
			rejected("coach", "no JSON", 3),
		]),
	).toEqual([`${player}no report was handed in`, coach, coach]);
});

test.each<[Partial<EventData["task-ended"]>, string]>([
	[
		{ status: "failed", turns: 2, reason: "Max turns (2) reached" },
		"failed   after 2 turns: Max turns (2) reached; 0:30",
	],
	[{ status: "blocked", turns: 0, reason: "docs failed" }, "blocked  docs failed; 0:30"],
	[
		{ status: "completed", turns: 1, flags: ["already_done"] },
		"completed after 1 turn, nothing to merge; 0:30",
	],
	[{ status: "cancelled", turns: 0 }, "cancelled 0:30"],
])("an end without a merge is told in a line: %j", (end, line) => {
	const data = { merged: false, flags: [], reason: null, ...end };
	expect(told([begun({ coach: null }), event("task-ended", data, [30, 0])]).at(-1)).toBe(line);
});

test("a refused merge is told at once, what was tested for it is not told of the next, and a branch of the user's is named", () => {
	const events = [
		ran({ purpose: "assembled", counts: counts(8) }, [10, 1]),
		event("merge-refused", { reason: "the branch moved", attempt: 1 }, [11, 1]),
		ran({ purpose: "assembled", item: "README" }, [12, 1]),
		event("task-merged", { into: "main" }, [20, 1]),
	];
	expect(told(events)).toEqual([
		"         not merged: the branch moved",
		"merged   into main; 0:10",
	]);
	expect(
		told([
			ran({ purpose: "assembled", check: "lint" }),
			event("task-merged", { into: "main" }, [90, 1]),
		]),
	).toEqual(["merged   lint pass on the merged tree; into main; 1:00"]);
});

test("tasks of a run are named once, what all use too, and many are counted", () => {
	const two = run(["a", "b"], { checks: { tests: "npm test", lint: "biome" } });
	expect(told([two, begun({ coach: null }, "a")])).toEqual([
		"         2 tasks from main e3b0eac, checks npm test, biome: a, b",
		"         player dev, no coach, up to 4 turns",
	]);
	const many = run(Array.from({ length: 13 }, (_, nth) => `t${nth}`));
	expect(told([many])).toEqual(["         13 tasks from main e3b0eac"]);
});

test("a turn that never came to its end is told before the next", () => {
	expect(told([snapshot(1), answered(null), snapshot(2), routed("approve", 2)])).toEqual([
		"turn 1   2 files +58 -3 0 s",
		"turn 2   2 files +58 -3 65 s",
	]);
});

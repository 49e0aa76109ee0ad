import { expect, test } from "vitest";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { runEvent } from "../fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { renderLine } from "./story-layout.ts";

const line = (event: StoredEvent): string | undefined => renderLine(event, noPaint);
const counts = { total: 2, passed: 1, failed: 1 };

test("a check says what it is, its value, its counts and its reason", () => {
	const data = { check: "tests", kind: "acceptance", tree: "t", ms: 3, counts } as const;
	expect(
		line(runEvent("check-ran", { ...data, purpose: "turn", status: "fail", reason: "1 failed" })),
	).toBe("limiter, turn 1: check tests: fail, 1 of 2 passed, 1 failed: 1 failed");
	expect(
		line(
			runEvent(
				"check-ran",
				{ ...data, purpose: "baseline", status: "pass", reason: null, counts: null },
				{ turn: 0 },
			),
		),
	).toBe("limiter: check tests (baseline): pass");
	const none = { ...data, counts: null, purpose: "turn", status: "absent" } as const;
	const said = ["python: No module named pytest"];
	expect(line(runEvent("check-ran", { ...none, said, reason: "no tests ran" }))).toBe(
		'limiter, turn 1: check tests: absent: "python: No module named pytest" (no tests ran)',
	);
	expect(line(runEvent("check-ran", { ...none, said, reason: null }))).toBe(
		'limiter, turn 1: check tests: absent: "python: No module named pytest"',
	);
	const item = { ...data, check: "checklist/1", item: "log \u001b[2Jnames it", kind: "checklist" };
	expect(
		line(runEvent("check-ran", { ...item, purpose: "turn", status: "pass", reason: null })),
	).toBe('limiter, turn 1: checklist item "log \\x1b[2Jnames it": pass, 1 of 2 passed, 1 failed');
});

test("an approval that does not count says so, with the reasons", () => {
	const event = runEvent("turn-judged", {
		raw: "approve",
		effective: "feedback",
		rationale: "fine",
		reasons: ["tests failed", "F1 is open"],
	});
	expect(line(event)).toBe(
		"limiter, turn 1: verdict feedback (the coach said approve): tests failed; F1 is open",
	);
	const none = { raw: null, effective: null, reasons: [], rationale: "", attempts: [] };
	expect(line(runEvent("turn-judged", none))).toBe("limiter, turn 1: verdict none");
});

test("an approval without any attempt to break the work is told as such", () => {
	const told = (data: Partial<EventData["turn-judged"]>): string | undefined =>
		line(
			runEvent("turn-judged", {
				raw: "approve",
				effective: "approve",
				reasons: [],
				rationale: "fine",
				attempts: [],
				...data,
			}),
		);
	const attempt = { what: "a burst of 0", command: "node try.js 0", outcome: "throws" };
	const untried = "without any attempt to break the work";
	expect(told({})).toBe(`limiter, turn 1: verdict approve, ${untried}; the coach says: fine`);
	expect(told({ effective: "feedback", reasons: ["F1 is open"] })).toBe(
		`limiter, turn 1: verdict feedback (the coach said approve, ${untried}): F1 is open`,
	);
	expect(told({ attempts: [attempt] })).toBe(
		"limiter, turn 1: verdict approve; the coach says: fine",
	);
	expect(told({ raw: "feedback", effective: "feedback" })).not.toContain(untried);
});

test("a finding is told when it is made, with severity, place and text, and then what becomes of it", () => {
	const told = (data: Partial<EventData["finding-changed"]>): string | undefined =>
		line(
			runEvent("finding-changed", {
				finding: "F1",
				state: "open",
				severity: "major",
				issue: "never\u001b[2J refilled",
				blocking: true,
				...data,
			}),
		)?.replace("limiter, turn 1: ", "");
	const [by, evidence] = ["player", null] as const;
	const said = { argument: { by, text: "take() refills it", evidence } };
	const place = { file: "src/limiter.js", line: 12 };
	expect([
		told(place),
		told({ file: "src/limiter.js", severity: "minor", blocking: false }),
		told({}),
		told({ ...place, state: "reopened" }),
		told({ ...said, state: "disputed" }),
		told({ state: "upheld" }),
		told({ state: "fixed" }),
		told({ ...said, state: "overruled" }),
	]).toEqual([
		"finding F1, major, src/limiter.js:12: never\\x1b[2J refilled",
		"finding F1, minor, src/limiter.js, does not block: never\\x1b[2J refilled",
		"finding F1, major: never\\x1b[2J refilled",
		"F1 is open again, major, src/limiter.js:12: never\\x1b[2J refilled",
		"the player disputes F1: take() refills it",
		"F1 is upheld",
		"F1 is fixed",
		"F1 is overruled: take() refills it",
	]);
});

test("a verdict has the coach's words; reasons where it gave none, or where they make another verdict", () => {
	const told = (data: Partial<EventData["turn-judged"]>): string | undefined =>
		line(
			runEvent("turn-judged", {
				raw: "feedback",
				effective: "feedback",
				reasons: ["F1 is open"],
				rationale: "No limit.",
				...data,
			}),
		)?.replace("limiter, turn 1: ", "");
	expect([told({}), told({ rationale: " " }), told({ raw: "approve" })]).toEqual([
		"verdict feedback; the coach says: No limit.",
		"verdict feedback: F1 is open",
		"verdict feedback (the coach said approve): F1 is open",
	]);
});

test("a repeated call is told with its number", () => {
	const told = { role: "coach", agent: "rev", ms: 3_200, output_length: 1, usage: null } as const;
	const answered = (call: number): string | undefined =>
		line(runEvent("agent-answered", { ...told, call, transcript: null }));
	const again = line(runEvent("agent-called", { role: "coach", agent: "rev", call: 2 }));
	expect([answered(1), again, answered(2)]).toEqual([
		"limiter, turn 1: coach rev answered (3.2s)",
		"limiter, turn 1: coach rev is called again (call 2)",
		"limiter, turn 1: coach rev answered, call 2 (3.2s)",
	]);
});

test("a call that waits says for what", () => {
	const queued = (why: "max_parallel" | "requests_per_minute" | "budget", limit: number | null) =>
		line(runEvent("call-queued", { role: "coach", agent: "rev", why, limit }));
	expect([
		queued("max_parallel", 4),
		queued("requests_per_minute", 1),
		queued("budget", null),
	]).toEqual([
		"limiter, turn 1: coach rev waits: 4 calls of rev at once are allowed (max_parallel)",
		"limiter, turn 1: coach rev waits: 1 call of rev a minute is allowed (requests_per_minute)",
		"limiter, turn 1: coach rev waits: the calls under way may use up the budget",
	]);
});

test("a call whose program tries again says what it prints", () => {
	const said = "Reconnecting... 2/5\n(offline)";
	const data = { role: "player", agent: "dev", call: 1, ms: 15_200, said } as const;
	expect(line(runEvent("call-retrying", data))).toBe(
		"limiter, turn 1: no progress of player dev for 15s; it says: Reconnecting... 2/5 (offline)",
	);
});

test("a waiting task names its question and the command that tells the choices", () => {
	const opened = line(
		runEvent("item-opened", { item: "H1", trigger: "escalation", reason: "stall" }),
	);
	expect(opened).toContain("spar questions H1");
});

test("several conflicts are one line, with how many more there are", () => {
	const conflicts = {
		kind: "conflicts",
		conflicts: [
			{ finding: "F1", attempt: 1, why: "a." },
			{ finding: "F2", attempt: 3, why: "b." },
		],
		critical: [{ finding: "F3", issue: "c" }],
	} as const;
	const reason = "in words";
	const said = "Conflict about F1 (attempt 1): a; and 1 more; critical: F3";
	expect(
		line(runEvent("item-opened", { item: "H1", trigger: "conflict", reason, conflicts })),
	).toContain(
		`waiting for a person: H1 (conflict): ${said}; see your choices with: spar questions H1`,
	);
});

test.each(["escalate", "max_turns"] as const)(
	"the reason of %s is said once, by what follows",
	(route) => {
		expect(line(runEvent("turn-routed", { route, reason: "stall" }))).toBeUndefined();
	},
);

test("what an agent wrote cannot move the terminal", () => {
	const failed = runEvent("agent-failed", {
		role: "player",
		agent: "dev",
		call: 1,
		failure: "tool_error",
		ms: 1,
		output_length: 12,
		usage: null,
		message: "a\u001b[2J\nb",
	});
	expect(line(failed)).toBe("limiter, turn 1: player dev failed (tool error): a\\x1b[2J b");
});

const SETTLED = {
	...({ conflict: "c1", finding: "F1", attempt: 1, resolution: "AUTO" } as const),
	decision: null,
	rationale: null,
	escalation_reason: null,
};

test("every other noteworthy event has its line", () => {
	const sent = { outcome: "sent", reason: null } as const;
	const unsent = { outcome: "failed", reason: "no answer" } as const;
	const lines = [
		runEvent("task-started", {
			branch: "b",
			start_commit: "c",
			bound: 3,
			player: "dev",
			coach: null,
			feature_id: null,
			checkout: null,
		}),
		runEvent("task-reopened", { bound: 5 }),
		runEvent("task-stopped", { code: null, message: "a bug", hint: null }),
		runEvent("task-stopped", { code: null, message: "a bug", hint: null, others_go_on: false }),
		runEvent("task-stopped", { code: null, message: "a bug", hint: null, others_go_on: true }),
		runEvent("task-ended", {
			status: "failed",
			reason: "no",
			turns: 1,
			merged: false,
			flags: [],
			checkout: null,
		}),
		runEvent("setup-ran", {
			checkout: "player",
			status: "error",
			ms: 1,
			reason: "npm",
			said: ["ENOTFOUND"],
		}),
		runEvent("agent-answered", {
			role: "coach",
			agent: "rev",
			call: 1,
			ms: 3_200,
			output_length: 12,
			transcript: null,
			usage: null,
		}),
		runEvent("report-rejected", { role: "coach", agent: "rev", call: 1, reason: "no JSON" }),
		runEvent("snapshot-taken", { commit: "c", tree: "t", changed: 1, empty: false }),
		runEvent("snapshot-taken", { commit: "c", tree: "t", changed: 0, empty: true }),
		runEvent("claims-compared", { honest: 0, discrepancies: ["b.js: no"], in_a_row: 1 }),
		runEvent("integrity-checked", { status: "fail", violations: ["test/a removed"], notes: [] }),
		runEvent("gate-evaluated", { verdict: "FAIL", rule: "tests", risk_tier: "T0" }),
		runEvent("turn-routed", { route: "feedback", reason: "gate" }),
		runEvent("subtask-completed", { subtask: "core", turn: 1 }),
		runEvent("seats-switched", { player: "rev", coach: "dev", after: "core" }),
		runEvent("review-decided", { decision: "approve", rationale: "" }),
		runEvent("person-notified", { item: "H1", target: "command say", ...sent }),
		runEvent("person-notified", { item: "H1", target: "webhook", ...unsent }),
		runEvent("finding-ignored", { finding: "F1", reason: "it was\u001b[2J settled" }),
		runEvent("dispute-ignored", { finding: "F1", reason: "no new evidence" }),
		runEvent("conflict-detected", { conflict: "c1", finding: "F1", attempt: 1 }),
		runEvent("conflict-detected", {
			conflict: "c2",
			finding: "F2",
			attempt: 1,
			upheld_by: "verifier",
		}),
		runEvent("conflict-resolved", {
			...SETTLED,
			upheld_by: "verifier",
			tie_breaker: null,
			decision: "FAIL",
			rationale: "",
		}),
		runEvent("conflict-resolved", {
			...SETTLED,
			tie_breaker: "arbiter",
			decision: "PASS",
			rationale: "it does",
		}),
		runEvent("conflict-resolved", {
			...SETTLED,
			tie_breaker: null,
			decision: "FAIL",
			rationale: "",
		}),
		runEvent("conflict-resolved", {
			...SETTLED,
			resolution: "ESCALATE",
			tie_breaker: "arbiter",
			escalation_reason: "no agreement",
		}),
		runEvent("PAUSED_FOR_USER_ESCALATION", { conflict: "c1", reason: "no agreement" }),
		runEvent("item-answered", { item: "H1", status: "RESOLVED", choice: "continue" }),
		runEvent("item-answered", {
			item: "H1",
			status: "RESOLVED",
			choice: "directive",
			findings: { F1: "take_developer", F2: "directive" },
		}),
		runEvent("merge-forecast", { clean: false, conflicts: ["a.js"] }),
		runEvent("merge-forecast", { clean: false, conflicts: ["a.js"], against: "cache" }),
		runEvent("merge-forecast", { clean: false, conflicts: ["a.js"], against: null }),
		runEvent("tests-left-out", { files: ["b.test.js"] }),
		runEvent("merge-refused", { reason: "red", attempt: 1 }),
		runEvent("task-merged", {
			commit: "0123456789abcdef",
			into: "sparring/r1/integration",
			onto: "tip",
			turn_commit: "turn",
		}),
	].map(line);
	expect(lines.map((each) => each?.replace("limiter, turn 1: ", ""))).toEqual([
		"started, at most 3 turns, player dev, no coach",
		"reopened, at most 5 turns",
		"stopped: a bug",
		"stopped: a bug",
		"stopped: a bug. The other tasks go on",
		"failed after 1 turn: no",
		'setup of the player checkout: error: "ENOTFOUND" (npm)',
		"coach rev answered (3.2s)",
		"coach rev: the report of call 1 cannot be used: no JSON",
		"1 file changed",
		"the player changed nothing",
		"the player's report is not borne out: b.js: no",
		"integrity: fail: test/a removed",
		"gate T0 FAIL: tests",
		"next: feedback: gate",
		"subtask core is done",
		"seats change after subtask core: player rev, coach dev",
		"review: approve",
		"told of H1: command say",
		"not told of H1: webhook failed: no answer",
		"F1 is raised again and stays closed: it was\\x1b[2J settled",
		"the dispute of F1 has no effect: no new evidence",
		"conflict over F1: the player disputes it, the coach upholds it (attempt 1)",
		"conflict over F2: the player disputes it, the verifier upholds it (attempt 1)",
		"conflict over F1, attempt 1: FAIL, the tie-breaker takes the verifier's side",
		"conflict over F1, attempt 1: PASS, the tie-breaker arbiter takes the player's side: it does",
		"conflict over F1, attempt 1: FAIL, the tie-breaker takes the coach's side",
		"conflict over F1, attempt 1: a person has to decide: no agreement",
		"paused for a person to settle a conflict: no agreement",
		"H1 answered (yes)",
		"H1 answered (a directive): F1 the player's side, F2 a directive",
		"does not merge cleanly: a.js",
		"would not merge with the present work of cache: a.js",
		"would not merge with what others have merged: a.js",
		"the verifier's tests do not land where another task's stand: b.test.js",
		"not merged: red",
		"merged into sparring/r1/integration (0123456789)",
	]);
});

test("events of the run have no task before them", () => {
	const at = { task: null, turn: null };
	const lines = [
		runEvent(
			"run-started",
			{ workflow: "w", base: "main", base_commit: "abc", branch: "b", tasks: ["a", "b"] },
			at,
		),
		runEvent("run-resumed", { owner: "me" }, at),
		runEvent("run-ended", { status: "completed" }, at),
		runEvent("base-merged", { base: "main", into: "work", commit: "abc" }, at),
		runEvent("run-landed", { branch: "main", commit: "abc" }, at),
		runEvent("landing-refused", { branch: "main", reason: "it conflicts" }, at),
	].map(line);
	expect(lines).toEqual([
		"run r1 of w on main (abc): a, b",
		"run r1 goes on",
		"run r1: completed",
		"merged main into work (abc)",
		"landed on main (abc)",
		"not landed on main: it conflicts",
	]);
});

test("what says nothing new has no line", () => {
	const silent = [
		runEvent("node-entered", { phase: "coach_validating" }),
		runEvent("node-left", { ms: 1, passed_through: null }),
		runEvent("agent-called", { role: "coach", agent: "rev", call: 1 }),
		runEvent("setup-ran", { checkout: "player", status: "pass", ms: 1, reason: null }),
		runEvent("integrity-checked", { status: "pass", violations: [], notes: [] }),
		runEvent("merge-forecast", { clean: true, conflicts: [] }),
		runEvent("orchestrator:conflict:escalation", {
			conflictId: "c1",
			taskId: "limiter",
			escalationReason: "no agreement",
		}),
		runEvent("claims-compared", { honest: 1, discrepancies: [], in_a_row: 0 }),
	];
	expect(silent.map(line).filter((each) => each !== undefined)).toEqual([]);
});

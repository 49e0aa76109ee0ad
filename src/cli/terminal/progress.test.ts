import { expect, test } from "vitest";
import type { StoredEvent } from "../../trace/event.ts";
import { fakeShell, runEvent } from "../fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { openProgress } from "./progress.ts";
import { newProgress, noteEvent } from "./progress-state.ts";
import { NO_LINES, type ProgressView, renderProgress } from "./render-progress.ts";

const started = runEvent(
	"task-started",
	{
		branch: "b",
		start_commit: "c",
		bound: 3,
		player: "dev",
		coach: "rev",
		feature_id: null,
		checkout: null,
	},
	{ turn: null },
);
const now = Date.parse("2026-11-21T22:06:09.000Z");

const shown = (events: readonly StoredEvent[], view: Partial<ProgressView> = {}): string => {
	const state = newProgress();
	for (const event of events) noteEvent(state, event);
	const usual = { nowMs: now, columns: 80, rows: 24, showsAll: false, lines: NO_LINES };
	return renderProgress(state, { ...usual, ...view }, noPaint);
};

const called = runEvent(
	"agent-called",
	{ role: "coach", agent: "reviewer", call: 1 },
	{ turn: 2, node: "coach_turn", timestamp: "2026-11-21T22:05:36.400Z" },
);
const CALL = { role: "player", agent: "dev", call: 1, ms: 5, output_length: 1 } as const;
const answered = (costUsd: number | null): StoredEvent =>
	runEvent(
		"agent-answered",
		{ ...CALL, transcript: null, usage: { costUsd } },
		{ node: "player_turn" },
	);
const SAYS = new Map([
	["limiter", { line: "Reads src/limiter.js and its tests, then tries a burst of zero", at: now }],
]);

test("a running call has task, turn of bound, seat and agent with its clock, cost and last words", () => {
	const events = [started, answered(0.25), answered(0.17), called];
	expect(shown(events, { lines: SAYS })).toBe(
		"limiter  turn 2/3  coach reviewer 32s  $0.42  Reads src/limiter.js and its...",
	);
});

test("between calls the phase is told with a clock of its own, in words", () => {
	const at = (timestamp: string) => ({ turn: 2, node: "validate_structure", timestamp });
	const checks = [
		runEvent(
			"phase-changed",
			{ from: "player_implementing", to: "validating" },
			at("2026-11-21T22:05:59.000Z"),
		),
		runEvent(
			"phase-changed",
			{ from: "validating", to: "validated" },
			at("2026-11-21T22:06:04.000Z"),
		),
	];
	expect(shown([started, ...checks])).toBe("limiter  turn 2/3  checks 10s");
	expect(shown([started, called, answered(null)])).toBe("limiter  turn 1/3  baseline 1m 0s");
});

test.each([40, 50, 60, 80, 200])(
	"at %d columns nothing is wider, and no word is cut",
	(columns) => {
		const line = shown([started, answered(0.42), called], { columns, lines: SAYS });
		expect(line.length).toBeLessThan(columns);
		const whole =
			"limiter  turn 2/3  coach reviewer 32s  $0.42  Reads src/limiter.js and its tests, then tries a burst of zero";
		const told = new Set(whole.split(/\s+/));
		expect(
			line
				.replace(/\.\.\.$/, "")
				.split(/\s+/)
				.filter((word) => !told.has(word)),
		).toEqual([]);
		expect(line).toContain("coach reviewer 32s");
	},
);

test("a task that ended has no line, one that waits says how to see its question, and one that goes on has", () => {
	const ended = runEvent("task-ended", {
		status: "completed",
		reason: null,
		turns: 1,
		merged: true,
		flags: [],
		checkout: null,
	});
	const waits = runEvent("item-opened", { item: "H1", trigger: "escalation", reason: "" });
	const waiting = "limiter  turn 1/3  waiting for you 1m 0s  spar questions H1";
	expect([shown([started, ended]), shown([started, waits])]).toEqual(["", waiting]);
	const told = runEvent("person-notified", {
		item: "H1",
		target: "x",
		outcome: "sent",
		reason: null,
	});
	expect(shown([started, waits, told])).toBe(waiting);
	expect(shown([started, waits, called])).toContain("coach reviewer");
});

test("after a resume turns and cost count on, and what was under way is not", () => {
	const resumed = runEvent("run-resumed", { owner: "me" }, { task: null, turn: null });
	const before = [started, answered(0.42), called, resumed];
	expect(shown(before)).toBe("");
	const entered = runEvent(
		"node-entered",
		{ phase: "gating" },
		{ turn: 2, node: "policy_gate", timestamp: "2026-11-21T22:06:04.000Z" },
	);
	expect(shown([...before, entered])).toBe("limiter  turn 2/3  gate 5s  $0.42");
	const reopened = runEvent("task-reopened", { bound: 9 });
	expect(shown([...before, reopened, entered])).toContain("turn 2/9");
});

test("a bound that a refused merge, an answer or a subtask changed is the one that is shown from the next node on", () => {
	const enters = (bound: number | undefined, turn: number) =>
		runEvent(
			"node-entered",
			{ phase: "gating", ...(bound === undefined ? {} : { bound }) },
			{ turn, node: "policy_gate" },
		);
	expect(shown([started, enters(3, 3)])).toContain("turn 3/3");
	expect(shown([started, enters(3, 3), enters(4, 4)])).toContain("turn 4/4");
	// As older versions stored it.
	expect(shown([started, enters(undefined, 2)])).toContain("turn 2/3");
});

test("a task heard of in the middle has no bound, and the end of the run changes nothing", () => {
	const state = [
		runEvent("node-entered", { phase: "validating" }, { node: "new_node" }),
		runEvent("run-ended", { status: "completed" }, { task: null }),
	];
	expect(shown(state)).toBe("limiter  turn 1  checks 1m 0s");
});

test("without a terminal, and in CI, each noteworthy event is a line", async () => {
	for (const options of [{}, { terminal: true, env: { CI: "true", NO_COLOR: "1" } }]) {
		const shell = fakeShell(options);
		const progress = await openProgress(shell, { isVerbose: true });
		progress.onEvent(started);
		progress.onNotice("uncommitted changes are not part of the run");
		progress.stop();
		progress.onHistory([started]);
		expect(shell.printed.err).toBe(
			"limiter: started, at most 3 turns, player dev, coach rev\n" +
				"note: uncommitted changes are not part of the run\n",
		);
	}
});

test("events on the same terminal and a dumb one get plain lines", async () => {
	const shell = fakeShell({ terminal: true, env: { NO_COLOR: "1" } });
	(await openProgress(shell, { printsEvents: true, isVerbose: true })).onEvent(started);
	expect(shell.printed.err).toContain("started");
	const dumb = fakeShell({ terminal: true, env: { TERM: "dumb" } });
	(await openProgress(dumb, { isVerbose: true })).onEvent(started);
	expect(dumb.printed.err).toContain("started");
});

test("on a terminal every line of a pipe stays, below it running calls are drawn, and nothing ticks afterwards", async () => {
	const shell = fakeShell({ terminal: true, env: { NO_COLOR: "1", CI: "false" } });
	const progress = await openProgress(shell, { isVerbose: true });
	shell.tick();
	expect(shell.area.shown).toBe("");
	progress.onHistory([started]);
	progress.onEvent(called);
	progress.onEvent(answered(null));
	progress.onNotice("a remark");
	shell.tick();
	expect(shell.area.shown).toContain("limiter  turn 1/3");
	progress.onEvent(
		runEvent("task-merged", { commit: "abc", into: "b", onto: "tip", turn_commit: "turn" }),
	);
	expect(shell.area.persisted).toEqual([
		"limiter, turn 1: player dev answered (0.0s)",
		"note: a remark",
		"limiter, turn 1: merged into b (abc)",
	]);
	shell.tick();
	progress.stop();
	expect([shell.area.shown, shell.listeners(), shell.printed.err]).toEqual(["", 0, ""]);
});

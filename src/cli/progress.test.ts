import { expect, test } from "vitest";
import { fakeShell, runEvent } from "./fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { openProgress } from "./progress.ts";
import { afterEvent, NO_PROGRESS, renderProgress } from "./progress-state.ts";

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
const judged = runEvent("turn-judged", {
	raw: "feedback",
	effective: "feedback",
	reasons: [],
	rationale: "",
} as const);
const now = Date.parse("2026-11-21T22:06:09.000Z");

test("a task's line has turn, bound, phase, elapsed time and the last verdict", () => {
	const entered = runEvent(
		"node-entered",
		{ phase: "coach_validating" },
		{ turn: 2, node: "coach_turn" },
	);
	const state = [started, judged, entered].reduce(afterEvent, NO_PROGRESS);
	expect(renderProgress(state, now, 80, noPaint)).toBe(
		"limiter  turn 2/3  coach_validating  1m 0s  last verdict: feedback",
	);
	expect(renderProgress(state, now, 12, noPaint)).toBe("limiter  tur");
});

test("a task that ended stands still", () => {
	const ended = runEvent(
		"task-ended",
		{ status: "completed", reason: null, turns: 1, merged: true, flags: [], checkout: null },
		{ timestamp: "2026-11-21T22:05:19.000Z" },
	);
	const state = [started, ended].reduce(afterEvent, NO_PROGRESS);
	expect(renderProgress(state, now, 80, noPaint)).toBe("limiter  turn 1/3  completed  10.0s");
});

test("a task heard of in the middle has no bound", () => {
	const state = [
		runEvent("node-entered", { phase: "validating" }, { node: "new_node" }),
		runEvent("item-opened", { item: "H1", trigger: "escalation", reason: "" }),
		runEvent("run-ended", { status: "completed" }, { task: null }),
	].reduce(afterEvent, NO_PROGRESS);
	expect(renderProgress(state, now, 80, noPaint)).toBe("limiter  turn 1  awaiting_human  1m 0s");
	const reopened = afterEvent(state, runEvent("task-reopened", { bound: 9 }));
	expect(renderProgress(reopened, now, 80, noPaint)).toContain("turn 1/9");
});

test("without a terminal, and in CI, each noteworthy event is a line", async () => {
	for (const options of [{}, { terminal: true, env: { CI: "true", NO_COLOR: "1" } }]) {
		const shell = fakeShell(options);
		const progress = await openProgress(shell, false);
		progress.onEvent(started);
		progress.onNotice("uncommitted changes are not part of the run");
		progress.stop();
		expect(shell.printed.err).toBe(
			"limiter, turn 1: started, at most 3 turns, player dev, coach rev\n".replace(", turn 1", "") +
				"note: uncommitted changes are not part of the run\n",
		);
	}
});

test("events on the same terminal and a dumb one get plain lines", async () => {
	const shell = fakeShell({ terminal: true, env: { NO_COLOR: "1" } });
	(await openProgress(shell, true)).onEvent(started);
	expect(shell.printed.err).toContain("started");
	const dumb = fakeShell({ terminal: true, env: { TERM: "dumb" } });
	(await openProgress(dumb, false)).onEvent(started);
	expect(dumb.printed.err).toContain("started");
});

test("on a terminal lines are drawn over, lasting ones stay, and nothing ticks afterwards", async () => {
	const shell = fakeShell({ terminal: true, env: { NO_COLOR: "1", CI: "false" } });
	const progress = await openProgress(shell, false);
	shell.tick();
	expect(shell.area.shown).toBe("");
	progress.onEvent(started);
	progress.onEvent(judged);
	progress.onNotice("a remark");
	progress.onEvent(
		runEvent("task-merged", { commit: "abc", into: "b", onto: "tip", turn_commit: "turn" }),
	);
	expect(shell.area.shown).toContain("last verdict: feedback");
	expect(shell.area.persisted).toEqual(["note: a remark", "limiter, turn 1: merged into b (abc)"]);
	shell.tick();
	progress.stop();
	expect([shell.area.shown, shell.listeners(), shell.printed.err]).toEqual(["", 0, ""]);
});

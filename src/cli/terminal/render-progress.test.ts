import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { screenOf, textOf } from "../../../test/support/screen.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { fakeShell, runEvent } from "../fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { openProgress } from "./progress.ts";
import { newProgress, noteEvent } from "./progress-state.ts";
import { type LastLines, NO_LINES, type ProgressView, renderProgress } from "./render-progress.ts";

const NOW = Date.parse("2026-11-21T22:06:09.000Z");

const runOf = (tasks: string[]): StoredEvent =>
	runEvent(
		"run-started",
		{ workflow: "demo", base: "main", base_commit: "c0ffee", branch: "b", tasks },
		{ task: null, turn: null },
	);
const started = (task: string, bound = 4): StoredEvent =>
	runEvent(
		"task-started",
		{
			branch: "b",
			start_commit: "c",
			player: "dev",
			coach: "rev",
			bound,
			feature_id: null,
			checkout: null,
		},
		{ task, turn: null },
	);
const called = (task: string, turn: number, timestamp: string, agent = "claude"): StoredEvent =>
	runEvent(
		"agent-called",
		{ role: "player", agent, call: 1 },
		{ task, turn, node: "player_turn", timestamp },
	);
const ended = (task: string, status: "completed" | "failed" | "blocked"): StoredEvent =>
	runEvent(
		"task-ended",
		{
			status,
			reason: status === "completed" ? null : "no tests",
			turns: 1,
			merged: status === "completed",
			flags: [],
			checkout: null,
		},
		{ task },
	);
const asks = (task: string): StoredEvent =>
	runEvent("item-opened", { item: `H-${task}`, trigger: "escalation", reason: "" }, { task });

function shown(events: readonly StoredEvent[], view: Partial<ProgressView> = {}): string[] {
	const state = newProgress();
	for (const event of events) noteEvent(state, event);
	const usual = { nowMs: NOW, columns: 80, rows: 24, showsAll: false, lines: NO_LINES };
	return renderProgress(state, { ...usual, ...view }, noPaint).split("\n");
}

const THREE = [
	runOf(["api", "billing", "docs", "release"]),
	started("api"),
	started("billing"),
	called("api", 1, "2026-11-21T22:05:36.400Z"),
	called("billing", 12, "2026-11-21T21:05:36.400Z", "codex"),
	started("docs"),
	asks("docs"),
];
const SAYS: LastLines = new Map([["api", { line: "Reads src/api.js and its tests", at: NOW }]]);

test("tasks in work or waiting have a line each, their cells below each other, and the others are counted", () => {
	expect(shown(THREE, { lines: SAYS })).toEqual([
		"api      turn 1/4   player claude   32s      Reads src/api.js and its tests",
		"billing  turn 12/4  player codex    1h 0m    started, at most 4 turns,...",
		"docs     turn 1/4   waiting for you 1m 0s    spar questions H-docs",
		"... and 1 more: 1 to do",
	]);
});

test("every standing is counted in words, and an answered question is to do again", () => {
	const ids = ["a", "b", "c", "d", "e", "f"];
	const answer = { item: "H-d", status: "RESOLVED", choice: null };
	const events = [
		runOf(ids),
		started("a"),
		ended("b", "completed"),
		ended("c", "failed"),
		asks("d"),
		runEvent("item-answered", answer, { task: "d" }),
		ended("e", "blocked"),
	];
	expect(shown(events).at(-1)).toBe("... and 5 more: 1 failed, 1 blocked, 2 to do, 1 merged");
	const resumed = runEvent("run-resumed", { owner: "me" }, { task: null, turn: null });
	expect(shown([...events, resumed])).toEqual([""]);
	const reopened = runEvent("task-reopened", { bound: 9 }, { task: "c", node: "initialize" });
	expect(shown([...events, reopened]).at(-1)).toBe("... and 4 more: 3 to do, 1 merged");
});

test.each([40, 60, 80, 120, 200])(
	"at %d columns no line is wider, and ids stay whole",
	(columns) => {
		const lines = shown(THREE, { columns, lines: SAYS });
		expect(lines.filter((line) => line.length >= columns)).toEqual([]);
		expect(lines.map((line) => line.split(" ")[0])).toEqual(["api", "billing", "docs", "..."]);
		expect(lines[0]).toMatch(columns === 40 ? /player claude +32s$/ : /player claude +32s/);
	},
);

test("where not even the agent has room its seat stands alone, and a long id ends behind a word", () => {
	const long = "a-task-with-a-very-long-name-of-its-own";
	const events = [
		runOf([long, "api"]),
		started("api"),
		called("api", 1, "2026-11-21T22:05:36.400Z"),
		called(long, 1, "2026-11-21T22:05:36.400Z"),
	];
	expect(shown(events, { columns: 40 })).toEqual([
		"a-task-with-a-...  player 32s",
		"api                player 32s",
	]);
	expect(shown(events, { columns: 80 })[1]).toContain("player claude 32s");
});

test.each([
	[
		"日本語",
		"限流器の実装を読んで、テストを書いています。バーストがゼロの場合も確認します。".repeat(2),
	],
	["wide signs", "🙂🙂 tries ".repeat(12)],
	["한국어", "제한기의 구현을 읽고 테스트를 작성합니다 ".repeat(4)],
])("what is said in %s is cut at the width that it takes on the screen", async (_name, line) => {
	for (const columns of [40, 80, 200]) {
		const lines: LastLines = new Map([["api", { line, at: NOW }]]);
		const [first = ""] = shown(THREE.slice(0, 4), { columns, lines });
		const rows = await screenOf(first, columns);
		expect(rows).toHaveLength(1);
		expect(rows[0]).toHaveLength(1);
		if (columns > 40) expect(textOf(rows[0]?.[0] ?? [])).toContain(`  ${line.slice(0, 8)}`);
	}
});

const many = (count: number): string[] =>
	Array.from({ length: count }, (_, nth) => `task-${String(nth).padStart(4, "0")}`);

test.each([10, 24, 50])(
	"2,000 tasks take at most the %d lines of the terminal, less four",
	(rows) => {
		const ids = many(2_000);
		const events = [runOf(ids), ...ids.slice(0, 200).map((id) => started(id))];
		const lines = shown([...events, ...ids.slice(0, 5).map((id) => ended(id, "completed"))], {
			rows,
		});
		expect(lines).toHaveLength(rows - 4);
		expect(lines[0]).toContain("task-0005");
		const hidden = 2_000 - (rows - 5);
		expect(lines.at(-1)).toBe(
			`... and ${hidden} more: ${195 - (rows - 5)} in work, 1800 to do, 5 merged`,
		);
	},
);

test("the smallest terminal shows a task and counts the others, as far as there is room", () => {
	const ids = many(2_000);
	const events = [runOf(ids), ...ids.slice(0, 200).map((id) => started(id)), asks("task-0000")];
	expect(shown(events, { rows: 2, columns: 40 })).toEqual([
		"task-0001  baseline 1m 0s",
		"... and 1999 more: 198 in work",
	]);
});

test("in a crowd those in which something happens come before those that wait, and a view of all has room for the rest", () => {
	const events = [runOf(["a", "b", "c", "d"]), asks("a"), started("c"), ended("b", "failed")];
	expect(shown(events, { rows: 6 })).toEqual([
		"c  baseline 1m 0s  started, at most 4 turns, player dev, coach rev",
		"... and 3 more: 1 waiting for you, 1 failed, 1 to do",
	]);
	expect(shown(events, { rows: 24, showsAll: true })).toEqual([
		"a  turn 1  waiting for you 1m 0s    spar questions H-a",
		"b  turn 1  failed                   no tests",
		"c          baseline        1m 0s    started, at most 4 turns, player dev,...",
		"d          to do",
	]);
});

test("a table never scrolls its terminal, however many events come, and leaves nothing behind", async () => {
	const ids = many(2_000);
	const shell = fakeShell({ terminal: true, rows: 24, env: { NO_COLOR: "1" } });
	const progress = await openProgress(shell, { isVerbose: true });
	progress.onEvent(runOf(ids));
	for (const id of ids.slice(0, 300)) {
		progress.onEvent(started(id));
		expect(shell.area.shown.split("\n").length).toBeLessThanOrEqual(20);
	}
	shell.tick();
	expect(shell.area.shown).toContain("... and 1981 more: 281 in work, 1700 to do");
	expect(shell.area.persisted).toHaveLength(301);
	progress.stop();
	expect([shell.area.shown, shell.listeners()]).toEqual(["", 0]);
});

test("however fast events come, a picture is made ten times a second at most", async () => {
	const shell = fakeShell({ terminal: true, env: { NO_COLOR: "1" } });
	const progress = await openProgress(shell, { isVerbose: true });
	progress.onEvent(runOf(["a", "b"]));
	progress.onEvent(started("a"));
	const first = shell.area.shown;
	progress.onEvent(called("a", 3, "2026-11-21T22:06:09.000Z"));
	progress.onEvent(started("b"));
	expect(shell.area.shown).toBe(first);
	shell.tick();
	expect(shell.area.shown).toContain("a  turn 3/4  player claude");
	progress.stop();
});

test("only the shown tasks in work are asked for what they said", async () => {
	const asked: (readonly string[])[] = [];
	const shell = fakeShell({ terminal: true, rows: 8 });
	const progress = await openProgress(shell, {
		isVerbose: true,
		readLines: (tasks) => {
			asked.push(tasks);
			return Promise.resolve(NO_LINES);
		},
	});
	progress.onEvent(runOf(many(50)));
	for (const id of many(50)) progress.onEvent(started(id));
	shell.tick();
	expect(asked).toEqual([["task-0000", "task-0001", "task-0002"]]);
	progress.stop();
});

test("in a pipe the lines of several tasks begin with their names, and their texts at one place", async () => {
	const shell = fakeShell();
	const progress = await openProgress(shell, { isVerbose: true });
	const merged = (task: string, turn: number): StoredEvent =>
		runEvent(
			"task-merged",
			{ commit: "abc", into: "b", onto: "t", turn_commit: "c" },
			{ task, turn },
		);
	for (const event of [runOf(["a", "limiter"]), started("a"), merged("a", 1), started("limiter")])
		progress.onEvent(event);
	for (const event of [merged("a", 2), merged("limiter", 11)]) progress.onEvent(event);
	expect(shell.printed.err.split("\n").slice(1)).toEqual([
		"a: started, at most 4 turns, player dev, coach rev",
		"a, turn 1: merged into b (abc)",
		"limiter:          started, at most 4 turns, player dev, coach rev",
		"a, turn 2:        merged into b (abc)",
		"limiter, turn 11: merged into b (abc)",
		"",
	]);
});

thorough("2,000 tasks with their history are taken in without a copy for each event", () => {
	const ids = many(2_000);
	const state = newProgress();
	noteEvent(state, runOf(ids));
	const { tasks } = state;
	for (const id of ids)
		for (let turn = 1; turn <= 10; turn += 1) noteEvent(state, called(id, turn, ""));
	expect(state.tasks).toBe(tasks);
	expect(state.inWork).toBe(2_000);
});

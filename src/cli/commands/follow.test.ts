import { expect, test } from "vitest";
import type { Sparring } from "../../library/sparring.ts";
import type { TaskLog } from "../../library/task-logs.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import { fakeShell, runEvent, runReport, spar } from "../fakes.contract.ts";
import { runCli } from "../run-cli.ts";

const started = runEvent("task-started", {
	branch: "b",
	start_commit: "c",
	bound: 3,
	player: "claude",
	coach: "gemini",
	feature_id: null,
	checkout: null,
});
const called = runEvent("agent-called", { role: "coach", agent: "gemini", call: 1 });
const merged = runEvent("task-merged", { commit: "a", into: "b", onto: "t", turn_commit: "c" });

/** A run whose process ends after `rounds` looks; in each one an event is stored. */
function running(events: readonly StoredEvent[], rounds: number): Partial<Sparring> {
	let looks = 0;
	const report = (): RunReport => {
		looks += 1;
		const isOver = looks > rounds;
		const now = runReport(isOver ? "completed" : "running", {
			status: isOver ? "completed" : "running",
		});
		return { ...now, holder: isOver ? null : "here:1" };
	};
	return {
		status: () => Promise.resolve(report()),
		events: (_run, after = 0) =>
			Promise.resolve(events.slice(0, looks).filter(({ id }) => id > after)),
		trace: () =>
			Promise.resolve({
				schema_version: 1,
				run_id: "r1",
				task_id: "limiter",
				feature_id: null,
				status: "running",
				started_at: null,
				ended_at: null,
				turns: 1,
				verification_result: null,
				agent_invocations: {},
				events: [started, called],
			}),
	};
}

test("watch tells what happened and what happens, each once, and ends with the run", async () => {
	const { code, err, out } = await spar(["watch"], {
		sparring: running([started, called, merged], 2),
	});
	expect(code).toBe(0);
	expect(err.split("\n")).toEqual([
		"limiter: player claude, coach gemini, up to 3 turns",
		"merged   into b; 0:00",
		"",
	]);
	expect(out).toContain("next: spar land    (spar diff, spar trace)\n");
	const verbose = await spar(["watch", "--verbose"], {
		sparring: running([started, called, merged], 2),
	});
	expect(verbose.err).toContain("limiter, turn 1: merged into b (a)\n");
	expect(verbose.out).toContain("run r1 of demo on main: completed");
});

test("watch prints events as lines of JSON, and nothing else", async () => {
	const { code, err, out } = await spar(["watch", "r1", "--json"], {
		sparring: running([started, called, merged], 2),
	});
	expect([code, err]).toEqual([0, ""]);
	const lines = out.trimEnd().split("\n");
	expect(lines.map((line): unknown => JSON.parse(line))).toEqual([started, called, merged]);
});

test("a run that nobody works on is shown as it stands, and Ctrl-C ends the view alone", async () => {
	const waits = { ...runReport("paused_for_user_escalation", { human_item: "H1" }), holder: null };
	const shown = await spar(["watch"], {
		sparring: { status: () => Promise.resolve(waits), events: () => Promise.resolve([started]) },
	});
	expect(shown.code).toBe(0);
	expect(shown.out).toContain("spar questions H1");
	const shell = fakeShell({ sparring: running([started], 99), onPause: () => shell.interrupt() });
	expect(await runCli(["watch"], shell)).toBe(130);
	expect(shell.printed.out).toBe("");
	expect(shell.listeners()).toBe(0);
});

const log = (path: string, about: Partial<TaskLog>): TaskLog => ({
	path,
	turn: 1,
	source: "player",
	name: "1",
	changedMs: 0,
	bytes: 0,
	...about,
});
const PLAYER = log("t/turn-1-player-1.log", {});
const COACH = log("t/turn-1-coach-1.log", { source: "coach" });
const TESTS = log("r/turn-0/baseline-tests.log", {
	turn: 0,
	source: "check",
	name: "baseline-tests",
});
const SETUP = log("r/setup-player.log", { turn: null, source: "setup", name: "player" });

/** Logs of a task whose texts grow by a part in each look. */
function printing(parts: ReadonlyMap<TaskLog, readonly string[]>, rounds = 0): Partial<Sparring> {
	let looks = 0;
	return {
		...running([], rounds + 1),
		logs: () => {
			looks += 1;
			return Promise.resolve([...parts.keys()]);
		},
		readLog: (of, from = 0) => {
			const texts = [...parts].find(([each]) => each.path === of.path)?.[1] ?? [];
			return Promise.resolve(Buffer.from(texts.slice(0, looks).join("")).subarray(from).toString());
		},
	};
}

const ALL = new Map([
	[SETUP, ["added 300 packages\n"]],
	[TESTS, ["ok 1\n"]],
	[PLAYER, ["é reads\nwrites"]],
	[COACH, ["tries\n"]],
]);

test("logs print each log under its heading, an unfinished line too", async () => {
	const { code, out } = await spar(["logs", "limiter"], { sparring: printing(ALL) });
	expect(code).toBe(0);
	expect(out).toBe(
		"==> setup of player\nadded 300 packages\n\n==> before turn 1, check tests (baseline)\nok 1\n\n" +
			"==> turn 1, player, call 1\né reads\n\n==> turn 1, coach, call 1\ntries\n\n" +
			"==> turn 1, player, call 1\nwrites\n",
	);
});

test.each<[string, readonly string[]]>([
	["--role coach", ["tries"]],
	["--role reviewer", ["tries"]],
	["--role gemini", ["tries"]],
	["--role checks", ["ok 1"]],
	["--role setup", ["added 300 packages"]],
	["--turn 0", ["ok 1"]],
	["--role developer --turn 1", ["é reads", "writes"]],
	["--role claude", []],
])("logs %s print no others", async (flags, lines) => {
	const { code, out, err } = await spar(["logs", "limiter", "--json", ...flags.split(" ")], {
		sparring: printing(ALL),
	});
	expect([code, err]).toEqual([0, ""]);
	const printed = out.split("\n").filter((line) => line !== "");
	expect(printed.map((line): unknown => Reflect.get(Object(JSON.parse(line)), "line"))).toEqual(
		lines,
	);
});

test("of an agent's events it is told what the agent said and did, and --raw shows them", async () => {
	const piece = (content: string) =>
		JSON.stringify({ type: "message", role: "assistant", content, delta: true });
	const events = [
		JSON.stringify({ type: "init" }),
		piece("I look"),
		piece(" around.\nThen I write."),
		JSON.stringify({ type: "tool_use", tool_name: "read_file", parameters: { path: "a.js" } }),
		"npm warn old",
	];
	const logs = new Map([[PLAYER, [`${events.join("\n")}\n`]]]);
	const told = await spar(["logs", "limiter"], { sparring: printing(logs) });
	expect(told.out).toBe(
		"==> turn 1, player, call 1\nsays   I look around.\n       Then I write.\nreads  a.js\nnpm warn old\n",
	);
	const raw = await spar(["logs", "limiter", "--raw"], { sparring: printing(logs) });
	expect(raw.out).toContain('{"type":"init"}\n');
});

test("a line of JSON says where it comes from", async () => {
	const { out } = await spar(["logs", "limiter", "--json", "--turn", "0"], {
		sparring: printing(ALL),
	});
	expect(JSON.parse(out)).toEqual({
		task_id: "limiter",
		turn: 0,
		source: "check",
		name: "baseline-tests",
		path: ".sparring/r/turn-0/baseline-tests.log",
		line: "ok 1",
	});
});

test("a role that nobody has is wrong usage", async () => {
	const { code, err } = await spar(["logs", "limiter", "--role", "boss"], {
		sparring: printing(ALL),
	});
	expect(code).toBe(2);
	expect(err).toContain("--role boss is no role, and no agent of limiter");
});

test("following prints what comes, once, until the task is over", async () => {
	const grows = new Map([[PLAYER, ["é re", "ads\nwr", "", "ites\n"]]]);
	const { code, out } = await spar(["logs", "limiter", "--follow"], {
		sparring: printing(grows, 4),
	});
	expect(code).toBe(0);
	expect(out).toBe("==> turn 1, player, call 1\né reads\nwrites\n");
});

test("without a log one is told so, and a terminal gets no control characters", async () => {
	const none = await spar(["logs", "limiter"], { sparring: printing(new Map()) });
	expect([none.code, none.out, none.err]).toEqual([0, "", "nothing was printed yet\n"]);
	const hostile = printing(new Map([[PLAYER, ["a\u001b[2J\n"]]]));
	expect((await spar(["logs", "limiter"], { sparring: hostile, terminal: true })).out).toContain(
		"a\\x1b[2J\n",
	);
});

test("a turn that the task does not have is wrong usage, with --follow once it cannot come any more", async () => {
	for (const flags of [[], ["--json"], ["--role", "coach"], ["--follow"]]) {
		const refused = await spar(["logs", "limiter", "--turn", "3", ...flags], {
			sparring: printing(ALL, 2),
		});
		expect([refused.code, refused.out]).toEqual([2, ""]);
		expect(refused.err).toContain("task limiter has no turn 3");
		expect(refused.err).toContain("It has 2 turns: spar logs limiter --turn N");
	}
	const begun = await spar(["logs", "limiter", "--turn", "2"], { sparring: printing(ALL) });
	expect([begun.code, begun.err]).toEqual([0, "nothing was printed yet\n"]);
	const later = new Map([[log("t/turn-3-player-1.log", { turn: 3 }), ["", "", "reads\n"]]]);
	const followed = await spar(["logs", "limiter", "--turn", "3", "--follow"], {
		sparring: printing(later, 3),
	});
	expect([followed.code, followed.out]).toEqual([0, "==> turn 3, player, call 1\nreads\n"]);
});

import { expect, test } from "vitest";
import type { Sparring } from "../../library/sparring.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport, TaskReport } from "../../view/report.ts";
import { fakeShell, runEvent, runReport, spar, taskReport } from "../fakes.contract.ts";
import { runCli } from "../run-cli.ts";

const runStarted = runEvent(
	"run-started",
	{ workflow: "demo", base: "main", base_commit: "c0", branch: "b", tasks: ["api", "docs"] },
	{ task: null, turn: null },
);
const node = (
	task: string,
	turn: number,
	phase: "player_implementing" | "validating",
): StoredEvent => runEvent("node-entered", { phase }, { task, turn, node: "node" });
const asks = (): StoredEvent =>
	runEvent("item-opened", { item: "H1", trigger: "budget", reason: "" }, { task: "docs" });
const merged = (): StoredEvent =>
	runEvent(
		"task-ended",
		{ status: "completed", reason: null, turns: 1, merged: true, flags: [], checkout: null },
		{ task: "api" },
	);

interface Look {
	readonly events: readonly StoredEvent[];
	readonly tasks?: Readonly<Record<string, Partial<TaskReport>>>;
	readonly ms?: number;
}

/** A run on which a process works until the last look. */
function following(looks: readonly Look[]): { sparring: Partial<Sparring>; next: () => void } {
	let now = 0;
	const report = (): RunReport => {
		const isOver = now >= looks.length - 1;
		const tasks = Object.fromEntries(
			["api", "docs"].map((id) => {
				const usage = { ...taskReport().usage, ms: looks[now]?.ms ?? 0 };
				let part: Partial<TaskReport> = { status: "running", merged: false };
				for (const look of looks.slice(0, now + 1)) part = { ...part, ...look.tasks?.[id] };
				return [id, taskReport({ ...part, usage })];
			}),
		);
		const status = isOver ? "paused_for_user_escalation" : "running";
		return { ...runReport(status), holder: isOver ? null : "here:1", tasks };
	};
	const sparring: Partial<Sparring> = {
		status: () => Promise.resolve(report()),
		events: (_run, after = 0) =>
			Promise.resolve(
				looks.slice(0, now + 1).flatMap(({ events }) => events.filter(({ id }) => id > after)),
			),
	};
	const next = (): void => {
		now = Math.min(now + 1, looks.length - 1);
	};
	return { sparring, next };
}

const LOOKS: readonly Look[] = [
	{ events: [runStarted, node("api", 1, "player_implementing")] },
	{ events: [node("docs", 1, "validating")], tasks: { docs: { phase: "validating" } } },
	{ events: [], ms: 5_000 },
	{ events: [asks()], tasks: { docs: { status: "paused_for_human", human_item: "H1" } } },
	{ events: [merged()], tasks: { api: { status: "completed", merged: true } } },
];

test("in a pipe each change of a task is a line, and the report follows when the run waits", async () => {
	const { sparring, next } = following(LOOKS);
	const { code, out, err } = await spar(["status", "--watch"], { sparring, onPause: next });
	const [heading, ...lines] = out.split("\n");
	expect([code, err, heading]).toEqual([0, "", "run r1 of demo on main: running"]);
	expect(lines.slice(0, 5)).toEqual([
		"api, turn 1: player",
		"docs, turn 1: checks",
		"docs, turn 1: waiting for you (spar questions H1)",
		"api, turn 1: merged",
		"run r1 of demo on main: waiting for you",
	]);
	expect(out).toContain("spar questions H1  ");
});

test("as JSON the first line holds every task and each later one those that changed; time alone is no change", async () => {
	const { sparring, next } = following(LOOKS);
	const line = ["status", "--watch", "--json"];
	const { code, out, err } = await spar(line, { sparring, onPause: next });
	expect([code, err]).toEqual([0, ""]);
	const reports = out
		.trimEnd()
		.split("\n")
		.map((text) => JSON.parse(text) as RunReport);
	expect(reports.map(({ tasks }) => Object.keys(tasks))).toEqual([
		["api", "docs"],
		["docs"],
		["docs"],
		["api"],
	]);
	expect(reports.at(-1)).toMatchObject({ status: "paused_for_user_escalation", holder: null });
});

test("on a terminal every task has a line that is drawn over and over, and none stays", async () => {
	const { sparring, next } = following(LOOKS);
	const shown: string[] = [];
	const shell = fakeShell({
		sparring,
		terminal: true,
		env: { NO_COLOR: "1" },
		onPause: () => {
			shell.tick();
			shown.push(shell.area.shown);
			next();
		},
	});
	expect(await runCli(["status", "--watch"], shell)).toBe(0);
	expect(shown[0]?.split("\n")).toEqual([
		expect.stringMatching(/^api {3}turn 1 {2}player 1m 1s/),
		"docs          to do",
	]);
	expect(shown.at(-1)).toContain("docs  turn 1  waiting for you");
	expect([shell.area.shown, shell.area.persisted, shell.listeners()]).toEqual(["", [], 0]);
	expect(shell.printed.out).toContain("run r1 of demo on main: waiting for you\n");
});

test("Ctrl-C ends the watching alone, with 130 and without a report", async () => {
	const { sparring } = following(LOOKS);
	const shell = fakeShell({ sparring, onPause: () => shell.interrupt() });
	expect(await runCli(["status", "--watch"], shell)).toBe(130);
	expect(shell.printed.out).toBe("run r1 of demo on main: running\napi, turn 1: player\n");
	expect(shell.listeners()).toBe(0);
});

test("a run on which nobody works is shown once, and without a run there is nothing to watch", async () => {
	const status = () => Promise.resolve(runReport());
	const shown = await spar(["status", "--watch"], { sparring: { status } });
	expect(shown.out.match(/run r1 of/g)).toHaveLength(1);
	expect(shown.out).toMatch(/^run r1 of demo on main: completed\n/);
	const events = () => Promise.resolve([]);
	const json = await spar(["status", "--watch", "--json"], { sparring: { status, events } });
	expect(JSON.parse(json.out)).toEqual(runReport());
});

test("a process that is killed is noticed without an event of it", async () => {
	let looks = 0;
	const status = (): Promise<RunReport> => {
		looks += 1;
		return Promise.resolve({ ...runReport("running"), holder: looks > 2 ? null : "here:1" });
	};
	let pauses = 0;
	const { code, out } = await spar(["status", "--watch"], {
		sparring: { status, events: () => Promise.resolve([]) },
		onPause: () => {
			pauses += 1;
		},
	});
	expect([code, pauses]).toEqual([0, 20]);
	expect(out).toContain("running (no process works on it)");
});

test.each([
	["a worker that is to land it", { landing_awaited: true }],
	["a worker that is to schedule its next task", { shared: true, status: "running" as const }],
])("a run without a holder is watched on for %s", async (_whom, part) => {
	const landed = { ...runReport("completed"), landed: true };
	const states: RunReport[] = [{ ...landed, landed: false, ...part }, landed];
	const sparring: Partial<Sparring> = {
		status: () => Promise.resolve(states[0] ?? landed),
		events: () => Promise.resolve([]),
	};
	let pauses = 0;
	const onPause = (): void => {
		pauses += 1;
		if (pauses === 3) states.shift();
	};
	const { code, out } = await spar(["status", "--watch", "--json"], { sparring, onPause });
	expect(code).toBe(0);
	const last = out.trimEnd().split("\n").at(-1) ?? "";
	expect(JSON.parse(last)).toMatchObject({ status: "completed", landed: true, holder: null });
});

test("a run that has completed is watched on while its process lands it", async () => {
	const first = { ...runReport("completed"), holder: "here:1" };
	let now: RunReport = first;
	const sparring: Partial<Sparring> = {
		status: () => Promise.resolve(now),
		events: () => Promise.resolve([]),
	};
	const onPause = (): void => {
		now = { ...runReport("completed"), landed: true };
	};
	const { out } = await spar(["status", "--watch", "--json"], { sparring, onPause });
	expect(out.trimEnd().split("\n")).toHaveLength(2);
});

test("a run of several machines whose task an error stopped is not watched", async () => {
	const stopped = [{ task: "limiter", code: null, message: "no", hint: null }];
	const report = { ...runReport("running"), shared: true, stopped };
	const sparring = { status: () => Promise.resolve(report), events: () => Promise.resolve([]) };
	expect((await spar(["status", "--watch"], { sparring })).code).toBe(0);
});

test("the report of a run that a worker is to land says so", async () => {
	const report = { ...runReport("completed"), landing_awaited: true };
	const sparring = { status: () => Promise.resolve(report) };
	expect((await spar(["status"], { sparring })).out).toContain("not landed: waits for a worker\n");
});

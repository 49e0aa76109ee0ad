import { beforeAll, describe, expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	type Outcome,
	type Play,
	type Stage,
	sendsBack,
	stage,
	textLike,
	WORKS,
} from "../acceptance/stage.ts";
import { killAllOf } from "../support/processes.ts";
import type { TestRepository } from "../support/repository.ts";
import { startSpar } from "../support/spar.ts";
import { stateRows } from "../support/state-rows.ts";
import { waitUntil } from "../support/wait-until.ts";
import { pair } from "../support/workflow.ts";

const MISSING = sendsBack({ issue: "the retry is missing", severity: "major" });
const FIXED = { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] };

interface Played {
	readonly role: "player" | "coach";
	readonly cost?: number | null;
	readonly turn?: number;
	readonly task?: string;
	readonly report?: unknown;
	readonly outcome?: string;
	readonly call?: number;
}

/** A recorded call; a player's changes a file of its turn, a coach's approves unless told otherwise. */
function line(played: Played): string {
	const { role, turn = 1, task = "one", call = 1, cost = null, outcome = "answered" } = played;
	const isPlayer = role === "player";
	return JSON.stringify({
		role,
		agent: isPlayer ? "dev" : "coach",
		task,
		subtask: null,
		turn,
		call,
		outcome,
		report: isPlayer ? null : (played.report ?? APPROVAL),
		files: isPlayer && outcome === "answered" ? { [`${task}-${turn}.txt`]: "work\n" } : {},
		output: "",
		ms: 5,
		usage:
			cost === null
				? null
				: { input_tokens: 100, output_tokens: 20, cost_usd: cost, model: "test-model" },
	});
}

/** A stage on which both seats repeat recorded calls. */
function recorded(calls: readonly Played[], play: Omit<Play, "steps"> = {}): Stage {
	const cassette = { adapter: "cassette", file: "calls.jsonl" };
	return stage({
		steps: [],
		...play,
		files: { "calls.jsonl": `${calls.map(line).join("\n")}\n` },
		workflow: { agents: { dev: cassette, coach: cassette }, ...play.workflow },
	});
}

const task = (keys: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do it.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
	...keys,
});

describe("a run whose budget is spent", () => {
	let set: Stage;
	let paused: Outcome;
	beforeAll(async () => {
		set = recorded(
			[
				{ role: "player", cost: 0.5 },
				{ role: "coach", cost: 0.35, report: MISSING },
				{ role: "player", turn: 2, cost: 0.25 },
				{ role: "coach", turn: 2, cost: 0.1, report: FIXED },
			],
			{ human: true, workflow: { budget: { usd: 1 } } },
		);
		paused = await set.run();
	});
	const item = (outcome: Outcome): string => outcome.task.human_item ?? "";
	const resolve = (id: string, ...args: readonly string[]) =>
		set.spar(["hil", "resolve", id, ...args]);

	test("finishes the call under way, then waits for a person", async () => {
		expect(paused.code).toBe(3);
		expect(paused.task).toMatchObject({ status: "paused_for_human", turns: 2, merged: false });
		expect(set.repo.git("show", `${paused.task.branch}:one-2.txt`)).toBe("work");
		expect(dataOf(set.trace(), "agent-called")).toHaveLength(3);
		expect(paused.report).toMatchObject({
			usage: {
				calls: 3,
				cost_usd: 1.1,
				unknown_cost_calls: 0,
				input_tokens: 300,
				output_tokens: 60,
			},
			budget: { usd: { limit: 1, spent: 1.1 }, wall: null },
		});
	});

	test("warned once at 80 %, on standard error", () => {
		const warnings = paused.stderr.split("\n").filter((each) => each.includes("% of the budget"));
		expect(warnings).toEqual(["85 % of the budget of the run is spent: $0.85 of $1.00"]);
	});

	test("tells what was spent, and what each choice does", async () => {
		expect(await set.json("hil", "show", item(paused))).toMatchObject({
			trigger: "budget",
			reason: "the budget of the run is spent: $1.10 of $1.00",
			choices: ["continue"],
			context: {
				budget: {
					scope: "run",
					usd: { limit: 1, spent: 1.1 },
					wall: null,
					calls: 3,
					unknown_cost_calls: 0,
				},
			},
		});
		const { stdout } = await set.spar(["hil", "show", item(paused)]);
		expect(stdout).toContain("money: $1.10 of $1.00");
		expect(stdout).toContain(`spar answer ${item(paused)} --add-usd N`);
		expect(stdout).not.toContain("--add-wall");
	});

	test("shows cost in the status and by call in the trace", async () => {
		const { stdout } = await set.spar(["status"]);
		expect(stdout).toContain("budget: $1.10 of $1.00");
		const trace = await set.spar(["trace", "one"]);
		expect(trace.stdout).toMatch(/player dev answered \(0\.0s, test-model, \$0\.50\)/);
	});

	test.each([
		["--add-usd", "0", /above 0/],
		["--add-usd", "-1", /above 0/],
		["--add-usd", "lots", /above 0/],
		["--add-wall", "30m", /--add-wall has no limit to raise/],
		["--add-wall", "soon", /--add-wall has no limit to raise/],
	])("refuses %s %s", async (option, value, said) => {
		const { code, stderr } = await resolve(item(paused), `${option}=${value}`);
		expect(code).toBe(2);
		expect(stderr).toMatch(said);
	});

	test("waits again after a bare yes, and goes on with more, without a call made twice", async () => {
		expect((await resolve(item(paused))).code).toBe(0);
		const again = await set.resume();
		expect(again.code).toBe(3);
		expect(item(again)).not.toBe(item(paused));
		expect(dataOf(set.trace(), "agent-called")).toHaveLength(3);
		expect((await resolve(item(again), "--add-usd", "0.50")).code).toBe(0);
		expect((await resolve(item(again), "--add-usd", "0.50")).code).toBe(0);
		expect((await resolve(item(again), "--add-usd", "5")).code).toBe(2);
		expect(await set.json("status")).toMatchObject({ budget: { usd: { limit: 1.5 } } });
		const done = await set.resume();
		expect(done).toMatchObject({ code: 0, task: { turns: 2, merged: true } });
		expect(done.report).toMatchObject({
			usage: { calls: 4, cost_usd: 1.2 },
			budget: { usd: { limit: 1.5, spent: 1.2 } },
		});
		expect(done.stderr).toContain("added to the budget of the run: $0.50");
		expect(done.stderr).not.toContain("% of the budget");
		expect(dataOf(set.trace(), "agent-called")).toHaveLength(4);
		expect(dataOf(set.trace(), "item-answered")).toMatchObject([
			{},
			{ added: { scope: "run", usd: 0.5, wall_ms: 0 } },
		]);
	});
});

test("with nobody to ask the task fails with the flag budget, and the run exits with 4", async () => {
	const { run } = recorded([{ role: "player", cost: 2 }], { workflow: { budget: { usd: 1 } } });
	const { code, task: one } = await run();
	expect(code).toBe(4);
	expect(one).toMatchObject({ status: "failed", flags: ["budget"], merged: false });
	expect(one.failure_reason).toBe("the budget of the run is spent: $2.00 of $1.00");
});

test("a spent budget of the run lets no other task call anybody; one of a task only its own", async () => {
	const calls: Played[] = ["a", "b"].flatMap((name) => [
		{ role: "player", task: name, cost: 0.6 },
		{ role: "coach", task: name, cost: 0.2 },
	]);
	const tasks = { a: task({ budget: { usd: 0.5 } }), b: task() };
	const own = recorded(calls, { human: true, workflow: { tasks } });
	const alone = await own.run();
	expect(alone.code).toBe(3);
	expect(alone.report.tasks["a"]).toMatchObject({ status: "paused_for_human" });
	expect(alone.report.tasks["a"]).toMatchObject({ budget: { usd: { limit: 0.5, spent: 0.6 } } });
	expect(alone.report.tasks["b"]).toMatchObject({ status: "completed", merged: true });

	const shared = recorded(calls, {
		human: true,
		workflow: { budget: { usd: 0.5 }, tasks: { a: task(), b: task() } },
	});
	const both = await shared.run();
	expect(both.code).toBe(3);
	// The tasks work at once: either may be first to ask for the money.
	const ends = ["a", "b"].map((name) => both.report.tasks[name]);
	expect(ends.map((end) => end?.status)).toEqual(["paused_for_human", "paused_for_human"]);
	expect(new Set(ends.map((end) => end?.turns))).toEqual(new Set([0, 1]));
	// Whichever answer enlarges the budget, every task finds it so.
	const [a, b] = ends.map((end) => end?.human_item ?? "");
	await shared.spar(["hil", "resolve", a ?? ""]);
	await shared.spar(["hil", "resolve", b ?? "", "--add-usd", "5"]);
	expect(await shared.resume()).toMatchObject({ code: 0 });
});

test("failed calls cost too, and those of unknown cost are counted, never as nothing", async () => {
	const { run, spar } = recorded(
		[
			{ role: "player", cost: 0.4, outcome: "context_limit" },
			{ role: "player", call: 2, cost: null },
			{ role: "coach", cost: 0.3 },
		],
		{
			human: true,
			workflow: { budget: { usd: 1 } },
		},
	);
	const failed = await run();
	expect(failed.report).toMatchObject({ usage: { calls: 1, cost_usd: 0.4 } });
	await spar(["hil", "resolve", failed.task.human_item ?? ""]);
	const { code, stderr } = await spar(["resume"]);
	expect(code).toBe(0);
	expect(stderr).toContain("$0.70, 1 call of unknown cost");
});

test("a program that never says what it costs is unknown, and the run goes on", async () => {
	const { run, spar } = stage({ steps: [WORKS, APPROVES], workflow: { budget: { usd: 0.01 } } });
	const { code, report } = await run();
	expect(code).toBe(0);
	expect(report).toMatchObject({
		usage: { calls: 2, cost_usd: null, unknown_cost_calls: 2, input_tokens: null },
		budget: { usd: { limit: 0.01, spent: null } },
	});
	expect((await spar(["status"])).stdout).toContain("cost unknown");
});

test("working time is a budget too, and more of it lets the task end", async () => {
	const { run, resume, json, spar } = stage({
		human: true,
		// What comes before the first call takes a part of it.
		steps: [{ ...WORKS, delayMs: 8_100 }, APPROVES],
		task: { budget: { wall: "8s" } },
	});
	const paused = await run();
	expect(paused).toMatchObject({ code: 3, task: { turns: 1, usage: { calls: 1 } } });
	const id = paused.task.human_item ?? "";
	expect(await json("hil", "show", id)).toMatchObject({
		reason: textLike(/^the budget of task one is spent: [\d.]+s of 8\.0s of working time$/),
		context: { budget: { scope: "task", usd: null, wall: { limit_ms: 8_000 } } },
	});
	expect((await spar(["hil", "resolve", id, "--add-usd", "5"])).code).toBe(2);
	expect((await spar(["hil", "resolve", id, "--add-wall", "soon"])).code).toBe(2);
	expect((await spar(["hil", "resolve", id, "--add-wall", "1h"])).code).toBe(0);
	const done = await resume();
	expect(done).toMatchObject({ code: 0, task: { merged: true } });
	expect(done.task).toMatchObject({ budget: { wall: { limit_ms: 3_608_000 } } });
});

const heldMs = (repo: TestRepository): number =>
	Number(stateRows(repo, "SELECT held_ms FROM run_spending")[0]?.["held_ms"] ?? 0);

test("the time of a run that is killed is kept up to a few seconds", async () => {
	const { repo, json, agents, spar } = stage({ steps: [{ role: "player", hang: true }] });
	const { child, ended } = startSpar(repo, ["run"]);
	try {
		await waitUntil("the agent works", () => agents.calls().length > 0);
		const before = heldMs(repo);
		// The call goes on and commits nothing by itself: what grows is what the heartbeat stores.
		await waitUntil("time is stored", () => heldMs(repo) > before + 1_500);
		child.kill("SIGKILL");
		await ended;
	} finally {
		killAllOf(repo);
	}
	expect(await json("status")).toMatchObject({ usage: { calls: 0, cost_usd: null } });
	expect(heldMs(repo)).toBeGreaterThan(1_500);
	expect((await spar(["cancel"])).code).toBe(0);
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allSameIssues, buildGraph, openSparring, type Sparring } from "../../src/index.ts";
import { thorough } from "../support/amount.ts";
import { scriptedAgents } from "../support/scripted-agents.ts";
import { APPROVAL, APPROVES, CRITERION, type Play, sendsBack, stage, WORKS } from "./stage.ts";

const MISSING = sendsBack({ issue: "the retry is missing", severity: "major" });

/** A task of the pair, which adds a file of its own. */
const taskOf = (...dependsOn: readonly string[]) => ({
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	depends_on: dependsOn,
	overlays: {
		paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
	},
});

const OWN_FILE = { role: "player", run: "echo turn $SPAR_TURN >> $SPAR_TASK.txt" } as const;

async function opened(play: Play) {
	const set = stage(play);
	const { root: directory, env } = set.repo;
	const sparring: Sparring = await openSparring({ directory, env });
	onTestFinished(() => sparring.close());
	return { ...set, sparring };
}

thorough("runTask takes a task to its end, and its trace is there when it returns", async () => {
	const { sparring, repo } = await opened({ steps: [WORKS, APPROVES] });
	expect(await sparring.runTask("one")).toEqual({
		taskId: "one",
		success: true,
		turns: 1,
		failureReason: null,
		tracePath: ".sparring/traces/one.json",
	});
	expect(existsSync(join(repo.root, ".sparring/traces/one.json"))).toBe(true);
	expect(await sparring.loadState("one")).toMatchObject({ success: true, turnCount: 1 });
	expect(await sparring.loadState("other")).toBeNull();
	expect((await sparring.result(undefined, ["one"])).tasks).toHaveLength(1);
	await expect(sparring.result(undefined, ["one", "nope"])).rejects.toMatchObject({
		code: "task-not-found",
	});
});

thorough("runTask keeps to maxTurns, and to the workflow's bound where none is given", async () => {
	const coach = { role: "coach", report: MISSING } as const;
	const { sparring } = await opened({ steps: [WORKS, coach], task: { max_turns: 2 } });
	expect(await sparring.runTask("one", { maxTurns: 1 })).toMatchObject({
		success: false,
		turns: 1,
		failureReason: "Max turns (1) reached without approval",
	});
	expect(await sparring.runTask("one")).toMatchObject({ success: false, turns: 2 });
	const { feedbackHistory = [] } = (await sparring.loadState("one")) ?? {};
	expect([feedbackHistory.length, allSameIssues(feedbackHistory)]).toEqual([2, true]);
});

thorough("featureId stands in state, trace and report of its task, and only there", async () => {
	const { sparring } = await opened({
		steps: [OWN_FILE, APPROVES],
		workflow: { tasks: { base: taskOf(), one: taskOf("base") } },
	});
	expect(await sparring.runTask("one", { featureId: "FEAT-7" })).toMatchObject({ success: true });
	expect(await sparring.loadState("one")).toMatchObject({ featureId: "FEAT-7" });
	expect(await sparring.trace("one")).toMatchObject({ feature_id: "FEAT-7" });
	expect((await sparring.status()).tasks).toMatchObject({
		one: { feature_id: "FEAT-7" },
		base: { feature_id: null, merged: true },
	});
	await expect(sparring.runTask("one", { featureId: "two\nlines" })).rejects.toMatchObject({
		code: "usage",
	});
});

thorough(
	"runParallel gives a result for each named task, and a failure blocks its dependants alone",
	async () => {
		const { sparring } = await opened({
			steps: [OWN_FILE, { role: "coach", task: "broken", report: MISSING }, APPROVES],
			workflow: {
				tasks: { broken: taskOf(), after: taskOf("broken"), alone: taskOf(), unasked: taskOf() },
			},
		});
		const results = await sparring.runParallel(["after", "alone", "broken"], { maxTurns: 1 });
		expect(Object.keys(results)).toEqual(["after", "alone", "broken"]);
		expect(results).toMatchObject({
			alone: { success: true, turns: 1, failureReason: null },
			broken: { success: false },
			after: { success: false, turns: 0, failureReason: "depends on broken, which is failed" },
		});
		for (const { tracePath } of Object.values(results)) expect(tracePath).toMatch(/\.json$/);
		expect(Object.keys((await sparring.status()).tasks)).not.toContain("unasked");
	},
);

test("no tasks are no run, and a task that is not there is a fault before anything is made", async () => {
	const { sparring } = await opened({ steps: [] });
	expect(await sparring.runParallel([])).toEqual({});
	const missing = { code: "task-not-found", message: expect.stringContaining("nope") as string };
	await expect(sparring.runParallel(["one", "nope"])).rejects.toMatchObject(missing);
	await expect(sparring.runTask("nope")).rejects.toMatchObject(missing);
	expect(await sparring.runs()).toEqual([]);
});

thorough(
	"an escalated task is neither a success nor a failure; after the answer resume ends it",
	async () => {
		const critical = sendsBack({ issue: "it loses data", severity: "critical" });
		const { sparring, repo } = await opened({
			steps: [WORKS, { role: "coach", turn: 1, report: critical }],
			human: true,
		});
		const waiting = await sparring.runTask("one");
		const [item] = await sparring.items();
		expect(waiting).toMatchObject({
			success: null,
			turns: 1,
			failureReason: `Escalated for human review: question ${item?.id}`,
		});
		expect(await sparring.resume("one")).toEqual(waiting);
		await sparring.resolveItem(item?.id ?? "", { directive: "Write it twice." });
		const approves = { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] };
		scriptedAgents(repo, [WORKS, { role: "coach", report: approves }]);
		expect(await sparring.resume("one")).toMatchObject({ success: true, turns: 2 });
		// It has ended: nothing is left to resume, and its result stays.
		expect(await sparring.resume("one")).toMatchObject({ success: true, turns: 2 });
	},
);

thorough(
	"resume of a failed task gives its result, and with maxTurns takes it up again",
	async () => {
		const { sparring, repo } = await opened({
			steps: [WORKS, { role: "coach", report: MISSING }],
			task: { max_turns: 1 },
		});
		const failed = await sparring.runTask("one");
		expect(failed.success).toBe(false);
		expect(await sparring.resume("one")).toEqual(failed);
		const approves = { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] };
		scriptedAgents(repo, [WORKS, { role: "coach", report: approves }]);
		expect(await sparring.resume("one", { maxTurns: 2 })).toMatchObject({
			success: true,
			turns: 2,
		});
		await expect(sparring.resume("other")).rejects.toMatchObject({ code: "task-not-found" });
	},
);

thorough("the stream of a run tells its events in order and ends with it", async () => {
	const { sparring } = await opened({ steps: [WORKS, APPROVES] });
	const stream = sparring.stream({ source: { kind: "file" } });
	const types: string[] = [];
	for await (const { type } of stream) types.push(type);
	expect([types[0], types.at(-1)]).toEqual(["run-started", "run-ended"]);
	const stored = await sparring.events();
	expect(types).toEqual(stored.map(({ type }) => type));
	expect((await stream.report).status).toBe("completed");
});

thorough(
	"leaving the loop ends the agent that works, and another stream takes the run on",
	async () => {
		const { sparring, agents, repo } = await opened({
			steps: [WORKS, { role: "coach", hang: true, grandchild: true }],
		});
		for await (const event of sparring.stream({ source: { kind: "file" } })) {
			if (event.type === "agent-called" && event.data.role === "coach") break;
		}
		expect((await sparring.status()).holder).toBeNull();
		for (const { pid } of agents.calls()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
		scriptedAgents(repo, [WORKS, APPROVES]);
		const types = new Set<string>();
		for await (const { type } of sparring.stream({})) types.add(type);
		expect(types).toContain("run-resumed");
		expect(await sparring.loadState("one")).toMatchObject({ success: true, turnCount: 1 });
	},
);

test("a run that cannot begin rejects the iteration", async () => {
	const { sparring } = await opened({ steps: [] });
	const stream = sparring.stream({ source: { kind: "file" }, taskIds: ["nope"] });
	await expect(stream.next()).rejects.toMatchObject({ code: "task-not-found" });
});

thorough("the built graph draws the task, and reads the state of one that waits", async () => {
	const critical = sendsBack({ issue: "it loses data", severity: "critical" });
	const { sparring, repo } = await opened({
		steps: [WORKS, { role: "coach", report: critical }],
		human: true,
	});
	await sparring.runTask("one");
	const graph = await buildGraph(join(repo.root, ".sparring/sparring.db"));
	onTestFinished(() => graph.close());
	expect(graph.getGraph().drawMermaid()).toMatch(/player_turn.*coach_turn/s);
	const state = await sparring.loadState("one");
	const thread = { configurable: { thread_id: state?.threadId } };
	expect(await graph.getState(thread)).toMatchObject({
		values: { taskId: "one", turn: 1, critical: true },
		next: ["await_human"],
	});
	let kept = 0;
	for await (const { values } of graph.getStateHistory(thread)) {
		expect(values).toMatchObject({ taskId: "one" });
		kept += 1;
	}
	expect(kept).toBe(2);
	expect((await graph.getState({ configurable: { thread_id: "other" } })).next).toEqual([]);
});

test("before the first run a graph draws and holds no task, and makes no database", async () => {
	const { repo } = stage({ steps: [] });
	const file = join(repo.home, "deep", "graph.db");
	const graph = await buildGraph(file);
	onTestFinished(() => graph.close());
	expect(graph.getGraph().drawMermaid()).toContain("player_turn");
	expect((await graph.getState({ configurable: { thread_id: "r/t" } })).next).toEqual([]);
	expect(existsSync(join(repo.home, "deep"))).toBe(false);
	const notText = 5 as unknown as string;
	await expect(buildGraph(notText)).rejects.toMatchObject({ code: "usage" });
});

thorough("the graph refuses to be invoked", async () => {
	const { sparring, repo } = await opened({ steps: [WORKS, APPROVES] });
	await sparring.runTask("one");
	const graph = await buildGraph(join(repo.root, ".sparring/sparring.db"));
	onTestFinished(() => graph.close());
	const { invoke } = graph as unknown as { invoke: (...args: unknown[]) => Promise<unknown> };
	const thread = { configurable: { thread_id: "t" } };
	await expect(invoke.call(graph, { turn: 0 }, thread)).rejects.toMatchObject({ code: "usage" });
});

test("a run of an invalid workflow tells the first error with its place, and how many more there are", async () => {
	const { sparring, repo } = await opened({ steps: [] });
	const task = { description: "Do it.", agnet: "dev" };
	const value = { version: 1, name: "x", tasks: { one: task, two: { descriptoin: "x" } } } as never;
	await expect(sparring.runTask("one", { source: { kind: "value", value } })).rejects.toMatchObject(
		{
			code: "workflow-invalid",
			message: expect.stringMatching(
				/^workflow:\d+:\d+ task "one" needs an agent.* \(and \d+ more errors\)$/,
			) as string,
			hint: expect.stringContaining("; `sparring.validate(source)` lists all errors") as string,
		},
	);
	repo.write({ "sparring.yaml": "version: 1\nname: 5\n" });
	await expect(sparring.runTask("one")).rejects.toMatchObject({
		code: "workflow-invalid",
		message: expect.stringMatching(/^sparring\.yaml:\d+:\d+ /) as string,
		hint: expect.stringContaining("`spar validate` lists all errors") as string,
	});
});

thorough("close during a run ends it with a fault that says so, and a resume goes on", async () => {
	const { sparring, agents, repo } = await opened({
		steps: [WORKS, { role: "coach", hang: true, grandchild: true }],
	});
	const stream = sparring.stream({ source: { kind: "file" } });
	const closed = { code: "usage", message: "Sparring was closed while it worked" };
	const left = (async () => {
		for await (const event of stream)
			if (event.type === "agent-called" && event.data.role === "coach") sparring.close();
	})();
	await expect(left).rejects.toMatchObject(closed);
	expect((await sparring.status()).holder).toBeNull();
	for (const { pid } of agents.calls()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
	const again = sparring.resume("one", {
		onEvent: ({ type }) => type === "agent-called" && sparring.close(),
	});
	await expect(again).rejects.toMatchObject(closed);
	scriptedAgents(repo, [WORKS, APPROVES]);
	expect(await sparring.resume("one")).toMatchObject({ success: true, turns: 1 });
});

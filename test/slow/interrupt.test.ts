import { hostname } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { processesOf } from "../support/processes.ts";
import { repository, type TestRepository } from "../support/repository.ts";
import { approval, type CallLine, type Step, scriptedAgents } from "../support/scripted-agents.ts";
import {
	type SparProcess,
	type SparResult,
	sparProcess as spar,
	startSpar,
} from "../support/spar.ts";
import { runIds, stateRows } from "../support/state-rows.ts";
import { userState } from "../support/user-state.ts";
import { waitUntil } from "../support/wait-until.ts";
import { pair, workflow } from "../support/workflow.ts";

/** Agents and checks end at once; the rest is what a busy machine needs to take a process down. */
const QUICK_MS = 20_000;

const repositories: TestRepository[] = [];

afterEach(() => {
	for (const repo of repositories.splice(0)) repo.remove();
});

interface Scene {
	readonly repo: TestRepository;
	readonly calls: () => readonly CallLine[];
}

/** One task whose coach approves the first turn, unless `steps` say otherwise. */
function scene(
	steps: readonly Step[],
	check = "console.log('TAP version 13\\nok 1\\n1..1')",
): Scene {
	const repo = repository({ files: { "check.mjs": check } });
	repositories.push(repo);
	const { agents, calls } = scriptedAgents(repo, [
		...steps,
		{ role: "player", files: { "work.txt": "done\n" }, report: {} },
		{ role: "coach", report: approval("it is done") },
	]);
	const tests = { kind: "acceptance", run: "node check.mjs", report: { format: "tap" } };
	const only = { description: "Do it.", acceptance_criteria: ["it is done"], overlays: pair() };
	repo.write({ "sparring.yaml": workflow({ agents, checks: { tests }, tasks: { only } }) });
	repo.commit("A workflow");
	return { repo, calls };
}

/** Hangs in the first player's call, with a process in a session of its own that ignores polite signals. */
const HANGS: Step = { role: "player", turn: 1, call: 1, grandchild: true, hang: true };

/** Starts a run and waits until its agent hangs. */
async function hangingRun(steps: readonly Step[] = [HANGS]): Promise<Scene & { run: SparProcess }> {
	const made = scene(steps);
	const run = startSpar(made.repo, ["run"]);
	await waitUntil("an agent that hangs", () =>
		made.calls().some(({ event }) => event === "grandchild"),
	);
	return { ...made, run };
}

const runOf = (repo: TestRepository): string => runIds(repo)[0] ?? "no run";

const statusesOf = (repo: TestRepository): unknown =>
	stateRows(
		repo,
		"SELECT runs.status AS run, tasks.status AS task FROM runs JOIN tasks USING (run_id)",
	);

async function signalled(
	run: SparProcess,
	signal: NodeJS.Signals,
): Promise<{ readonly result: SparResult; readonly ms: number }> {
	const sentAt = performance.now();
	run.child.kill(signal);
	const result = await run.ended;
	return { result, ms: performance.now() - sentAt };
}

async function expectGoodEnd(repo: TestRepository): Promise<void> {
	const resumed = await spar(repo, ["resume"]);
	expect(resumed.code, resumed.stderr).toBe(0);
	expect(statusesOf(repo)).toEqual([{ run: "completed", task: "completed" }]);
	expect(processesOf(repo)).toEqual([]);
}

describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s", (signal) => {
	test("while an agent with grandchildren runs, ends them all, saves and says how to go on", async () => {
		const { repo, run } = await hangingRun();
		const before = userState(repo);
		const { result, ms } = await signalled(run, signal);
		expect(result.code, result.stderr).toBe(130);
		expect(ms).toBeLessThan(QUICK_MS);
		expect(processesOf(repo)).toEqual([]);
		expect(result.stderr).toContain(`spar resume ${runOf(repo)}`);
		expect(statusesOf(repo)).toEqual([{ run: "running", task: "running" }]);
		expect(userState(repo)).toEqual(before);
		await expectGoodEnd(repo);
	});

	test("while a check with grandchildren runs, leaves no evidence of it behind", async () => {
		const { repo } = scene(
			[],
			`
import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
// No value of this file that a canary could make wrong.
const [top] = process.cwd().split(/.checkouts./);
const isSeen = readdirSync(top).some((name) => /^seen/.test(name));
console.log("TAP version 13\\nok 1\\n1..1");
if (existsSync("work.txt") && !isSeen) {
	spawn(process.execPath, ["-e", "process.on('SIGTERM',()=>{});setInterval(()=>{},1e3)"], {
		detached: true,
		stdio: "ignore",
	});
	writeFileSync(top + "/seen", "");
	setInterval(() => {}, 1000);
}
`,
		);
		const run = startSpar(repo, ["run"]);
		await waitUntil("a check that hangs", () => repo.read("../seen") !== undefined);
		const { result, ms } = await signalled(run, signal);
		expect(result.code, result.stderr).toBe(130);
		expect(ms).toBeLessThan(QUICK_MS);
		expect(processesOf(repo)).toEqual([]);
		expect(
			stateRows(repo, "SELECT turn FROM evidence WHERE turn > 0 AND kind = 'acceptance'"),
		).toEqual([]);
		await expectGoodEnd(repo);
		const calls = stateRows(repo, "SELECT role, outcome FROM calls ORDER BY seq");
		expect(calls.map(({ role, outcome }) => [role, outcome])).toEqual([
			["player", "answered"],
			["coach", "answered"],
		]);
	});
});

test("a second Ctrl-C exits at once, and resuming ends what was left behind", async () => {
	const { repo, run } = await hangingRun();
	run.child.kill("SIGINT");
	run.child.kill("SIGINT");
	expect((await run.ended).code).toBe(130);
	await expectGoodEnd(repo);
});

test("spar cancel from another process ends a run with 4 and itself with 0", async () => {
	const { repo, run } = await hangingRun();
	const [cancelled, ended] = await Promise.all([spar(repo, ["cancel"]), run.ended]);
	expect(cancelled.code, cancelled.stderr).toBe(0);
	expect(ended.code, ended.stderr).toBe(4);
	expect(statusesOf(repo)).toEqual([{ run: "cancelled", task: "cancelled" }]);
	expect(processesOf(repo)).toEqual([]);
	const resumed = await spar(repo, ["resume", runOf(repo)]);
	expect(resumed.code, resumed.stderr).toBe(2);
	const again = await spar(repo, ["cancel", runOf(repo)]);
	expect(again.code, again.stderr).toBe(0);
});

test("spar cancel ends a run that was killed, and nothing of it is left", async () => {
	const { repo, run } = await hangingRun();
	await signalled(run, "SIGKILL");
	const cancelled = await spar(repo, ["cancel"]);
	expect(cancelled.code, cancelled.stderr).toBe(0);
	expect(statusesOf(repo)).toEqual([{ run: "cancelled", task: "cancelled" }]);
	expect(processesOf(repo)).toEqual([]);
});

test("a run that is held is refused at once with its holder's name, and goes on undisturbed", async () => {
	const { repo, run, calls } = await hangingRun([
		HANGS,
		{ role: "player", turn: 1, call: 2, grandchild: true, hang: true },
	]);
	const id = runOf(repo);
	await expectRefused(repo, id, run);
	await signalled(run, "SIGINT");
	const resumed = startSpar(repo, ["resume", id]);
	await waitUntil("the second call", () => calls().some(({ call }) => call === 2));
	await expectRefused(repo, id, resumed);
	expect(resumed.child.exitCode).toBeNull();
	await signalled(resumed, "SIGTERM");
	await expectGoodEnd(repo);
});

async function expectRefused(repo: TestRepository, id: string, holder: SparProcess): Promise<void> {
	for (const args of [["resume", id], ["resume"], ["land", id]]) {
		const { code, stderr, ms } = await spar(repo, args);
		expect(code, stderr).toBe(2);
		expect(stderr).toContain(`${hostname()}:pid ${holder.child.pid}`);
		expect(ms).toBeLessThan(QUICK_MS);
	}
}

test("two resumes of a killed run at once: one goes on, the other is refused", async () => {
	const { repo, run } = await hangingRun();
	await signalled(run, "SIGKILL");
	const id = runOf(repo);
	const both = await Promise.all([spar(repo, ["resume", id]), spar(repo, ["resume", id])]);
	const said = both.map(({ stderr }) => stderr).join("\n---\n");
	expect(new Set(both.map(({ code }) => code)), said).toEqual(new Set([0, 2]));
	expect(statusesOf(repo)).toEqual([{ run: "completed", task: "completed" }]);
	const sql = "SELECT count(*) AS times FROM events WHERE type = 'task-merged'";
	expect(stateRows(repo, sql)).toEqual([{ times: 1 }]);
});

import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
	type Agent,
	type AgentCall,
	type AgentOutcome,
	type AgentValues,
	answer,
	openSparring,
	type Sparring,
	type WorkflowValue,
} from "../../src/index.ts";
import { thorough } from "../support/amount.ts";
import { spar } from "../support/spar.ts";
import { pair } from "../support/workflow.ts";
import { APPROVAL, CRITERION, scratch, TAP_OK, TAP_RED } from "./stage.ts";

/** An agent that does this in each call. */
const does = (call: (call: AgentCall) => Promise<AgentOutcome> | AgentOutcome): Agent => ({
	handsIn: "message",
	call: async (asked, signal) => {
		signal.throwIfAborted();
		return await call(asked);
	},
});

const builds = does(async ({ cwd, task, turn }) => {
	await appendFile(join(cwd, `${task}.txt`), `turn ${turn}\n`);
	return answer({ files_created: [`${task}.txt`] });
});
const approves = does(() => answer(APPROVAL));

const task = (patch: object = {}) => ({
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
	...patch,
});

const content = (
	tasks: WorkflowValue["tasks"],
	more: Partial<WorkflowValue> = {},
): WorkflowValue => ({
	version: 1,
	name: "own",
	checks: {
		tests: { kind: "acceptance", run: "cat results.tap; ! grep -q '^not ok' results.tap" },
	},
	human: { enabled: false },
	tasks,
	...more,
});

async function opened(workflow: WorkflowValue, agents: AgentValues, env = {}) {
	const repo = scratch();
	repo.write({ "results.tap": TAP_OK, "sparring.yaml": JSON.stringify(workflow) });
	repo.commit("First");
	const open = async (served: AgentValues): Promise<Sparring> => {
		const options = { directory: repo.root, env: { ...repo.env, ...env }, agents: served };
		const sparring = await openSparring(options);
		onTestFinished(() => sparring.close());
		return sparring;
	};
	return { repo, open, sparring: await open(agents) };
}

thorough("agents of the program take the seats of a file that does not name them", async () => {
	const { repo, sparring } = await opened(content({ one: task() }), {
		dev: builds,
		coach: approves,
	});
	const { success } = await sparring.runTask("one");
	const { branch, tasks } = await sparring.status();
	expect([success, tasks["one"]?.gate]).toEqual([true, { risk_tier: "T0", verdict: "PASS" }]);
	expect(repo.git("show", `${branch}:one.txt`)).toBe("turn 1");
	expect((await sparring.trace("one")).agent_invocations).toEqual({ dev: 1, coach: 1 });
});

thorough(
	"a value wins over what the file says of its agent, even if that cannot be called",
	async () => {
		const agents = {
			dev: { adapter: "cassette", file: "gone.jsonl", timeout: "1m" },
			coach: { adapter: "command", run: ["no-such-program"] },
		} as const;
		const seen: number[] = [];
		const coach = does(({ timeoutMs }) => {
			seen.push(timeoutMs);
			return answer(APPROVAL);
		});
		const dev = does(async (call) => {
			seen.push(call.timeoutMs);
			return await builds.call(call, new AbortController().signal);
		});
		const { sparring } = await opened(content({ one: task() }, { agents }), { dev, coach });
		expect(await sparring.runTask("one")).toMatchObject({ success: true });
		expect(seen).toEqual([60_000, 1_800_000]);
	},
);

thorough("a workflow can be a value as well, and its mistakes have places", async () => {
	const { repo } = await opened(content({ one: task() }), {});
	repo.write({ "sparring.yaml": null });
	repo.commit("Without a file");
	const agents = { dev: builds, coach: approves };
	const sparring = await openSparring({ directory: repo.root, env: repo.env, agents });
	onTestFinished(() => sparring.close());
	const source = { kind: "value", value: content({ two: task() }) } as const;
	expect(await sparring.runTask("two", { source })).toMatchObject({ success: true });
	const value = content({ two: task({ agent: "nobody" }) });
	const { errors } = await sparring.load({ kind: "value", value });
	expect(errors[0]).toMatchObject({ file: "workflow", line: expect.any(Number) as number });
});

test("its word is no evidence: with a red check nothing merges, whatever player and coach say", async () => {
	const breaks = does(async ({ cwd }) => {
		await writeFile(join(cwd, "results.tap"), TAP_RED);
		return answer({ tests_written: ["all green"] });
	});
	const { sparring } = await opened(content({ one: task() }), { dev: breaks, coach: approves });
	expect(await sparring.runTask("one", { maxTurns: 1 })).toMatchObject({ success: false });
	expect((await sparring.status()).tasks["one"]).toMatchObject({ merged: false });
});

thorough("what it is told and what it says passes the masker", async () => {
	const secret = "sk-planted-4e1f9a7c2b8d";
	const told: string[] = [];
	const dev = does(async (call) => {
		told.push(call.prompt);
		await builds.call(call, new AbortController().signal);
		return answer({ implementation_notes: `used ${secret}` }, { output: `key ${secret}\n` });
	});
	const one = task({ description: `Use ${secret}.` });
	const env = { PLANTED_API_KEY: secret };
	const { sparring, repo } = await opened(content({ one }), { dev, coach: approves }, env);
	await sparring.runTask("one");
	expect(told.join("")).not.toContain(secret);
	expect(JSON.stringify(await sparring.trace("one"))).not.toContain(secret);
	const [transcript] = await sparring.logs("one");
	expect(transcript && (await sparring.readLog(transcript))).not.toContain(secret);
	expect(repo.read(".sparring/traces/one.json")).not.toContain(secret);
});

thorough("one that throws or gives nonsense fails its own task, and nobody else's", async () => {
	const dev = does(async (call) => {
		if (call.task === "throws") throw new Error("no model today");
		// As JavaScript could.
		if (call.task === "nonsense") return "done" as unknown as AgentOutcome;
		return await builds.call(call, new AbortController().signal);
	});
	const tasks = { throws: task(), nonsense: task(), fine: task() };
	const { sparring } = await opened(content(tasks), { dev, coach: approves });
	const results = await sparring.runParallel(Object.keys(tasks));
	expect(results).toMatchObject({
		throws: { success: false, failureReason: expect.stringContaining("no model today") as string },
		nonsense: { success: false, failureReason: expect.stringContaining("in place of") as string },
		fine: { success: true, failureReason: null },
	});
});

thorough("two tasks are called at once, each in a checkout of its own", async () => {
	const both = new Map<string, string>();
	const met = Promise.withResolvers<void>();
	const dev = does(async (call) => {
		both.set(call.task, call.cwd);
		if (both.size === 2) met.resolve();
		await met.promise;
		return await builds.call(call, new AbortController().signal);
	});
	const tasks = { left: task(), right: task() };
	const { sparring, repo } = await opened(content(tasks), { dev, coach: approves });
	expect(await sparring.runParallel(["left", "right"])).toMatchObject({
		left: { success: true },
		right: { success: true },
	});
	expect(both.get("left")).not.toBe(both.get("right"));
	const { branch } = await sparring.status();
	expect(repo.git("ls-tree", "--name-only", branch)).toMatch(/left\.txt.*right\.txt/s);
});

thorough("an error that stops a task is its result and that of its dependants", async () => {
	let moved = false;
	const { sparring, repo } = await opened(
		content({ hit: task(), after: task({ depends_on: ["hit"] }), fine: task() }),
		{
			dev: does(async (call) => {
				const branch = `refs/heads/sparring/${call.run}/hit`;
				if (call.task === "hit" && !moved) {
					repo.git("update-ref", branch, repo.git("commit-tree", "-mby hand", "HEAD^{tree}"));
					moved = true;
				}
				return await builds.call(call, new AbortController().signal);
			}),
			coach: approves,
		},
	);
	const stopped: string[] = [];
	const results = await sparring.runParallel(["hit", "after", "fine"], {
		onStopped: (taskId) => stopped.push(taskId),
	});
	expect(stopped).toEqual(["hit"]);
	expect(results).toMatchObject({
		hit: { success: false, failureReason: expect.stringMatching(/^Stopped: /) as string },
		after: { success: false, failureReason: "depends on hit, which an error stopped" },
		fine: { success: true },
	});
	for (const { tracePath } of Object.values(results))
		expect(repo.read(tracePath ?? "")).toBeDefined();
});

thorough(
	"a value can be the planner, and flags can be set in a file that names no agent",
	async () => {
		const planner = does(() =>
			answer({
				tasks: {
					two: { description: "Write the second part.", acceptance_criteria: ["it is there"] },
				},
			}),
		);
		const more = { planner: "lead", defaults: { overlays: pair() } };
		const { sparring, repo } = await opened(content({ one: task() }, more), {
			dev: builds,
			coach: approves,
			lead: planner,
		});
		repo.write({ "plan.md": "# A second part\n\nIt is needed.\n" });
		const { report } = await sparring.planTasks({ document: "plan.md" });
		expect(report).toMatchObject({ planner: "lead", tasks: [{ id: "two" }] });
		const flagged = await sparring.approve({ tasks: new Map([["two", true]]) });
		expect(flagged.loaded.errors).toEqual([]);
	},
);

thorough(
	"what a cancelled call left in its checkout is kept before pruning removes it",
	async () => {
		const begun = Promise.withResolvers<void>();
		const half: Agent = {
			handsIn: "message",
			call: async ({ cwd }, signal) => {
				await appendFile(join(cwd, "half.txt"), "half of it\n");
				begun.resolve();
				const { promise, reject } = Promise.withResolvers<never>();
				signal.addEventListener("abort", () => reject(new Error("told to end")));
				return await promise;
			},
		};
		const { sparring, repo, open } = await opened(content({ one: task() }), {
			dev: half,
			coach: approves,
		});
		const run = sparring.runTask("one");
		await begun.promise;
		await (await open({})).cancel();
		expect(await run).toMatchObject({ success: false, failureReason: "cancelled" });
		const { run_id: id } = await sparring.status();
		// A ref of this name leaves no room for the ref.
		const inTheWay = `refs/sparring/archive/${id}`;
		repo.git("update-ref", inTheWay, "HEAD");
		expect(await sparring.prune({ force: true })).toMatchObject({
			pruned: [],
			kept: [{ run_id: id, reason: expect.stringContaining("cannot be archived") as string }],
		});
		repo.git("update-ref", "-d", inTheWay);
		const { pruned, archived } = await sparring.prune({});
		expect([pruned.length, archived.length]).toEqual([1, 1]);
		const ref = archived[0]?.ref ?? "";
		expect(ref).toMatch(/^refs\/sparring\/archive\/[^/]+\/one@/);
		expect(repo.git("show", `${ref}:half.txt`)).toBe("half of it");
		expect(repo.git("diff", "--name-only", "HEAD", ref)).toBe("half.txt");
		expect(await sparring.prune({ force: true })).toMatchObject({ pruned: [], archived: [] });
	},
);

thorough("a run with values is resumed only where they are served", async () => {
	const left = new AbortController();
	const leaves = does(() => {
		left.abort(new Error("enough for today"));
		return answer({});
	});
	const { sparring, open } = await opened(content({ one: task() }), {
		dev: leaves,
		coach: approves,
	});
	await expect(sparring.runTask("one", { signal: left.signal })).rejects.toThrow("enough");
	const without = await open({});
	await expect(without.resume("one")).rejects.toMatchObject({
		code: "preflight-refused",
		message: expect.stringContaining("agent dev exists only in the program") as string,
	});
	const again = await open({ dev: builds, coach: approves });
	expect(await again.resume("one")).toMatchObject({ success: true });
});

thorough(
	"without a workflow file a check is reviewed by an agent of the program, or by one on the PATH",
	async () => {
		const repo = scratch({ files: { "results.tap": TAP_OK } });
		repo.write({ "work.js": "export const done = true;\n" });
		const programs = join(repo.home, "programs");
		await mkdir(programs);
		await writeFile(join(programs, "qwen"), "#!/bin/sh\n", { mode: 0o755 });
		let asked = 0;
		const mine = does(() => {
			asked += 1;
			return answer(APPROVAL);
		});
		const env = { ...repo.env, PATH: [programs, repo.env["PATH"]].join(delimiter) };
		const sparring = await openSparring({ directory: repo.root, env, agents: { mine } });
		onTestFinished(() => sparring.close());
		const command = "cat results.tap";
		const criteria = [CRITERION];
		const reviewed = await sparring.check({ command, criteria, coach: "mine" });
		expect([reviewed.verdict, asked]).toEqual(["pass", 1]);
		const shown = await spar(repo, ["check", "--command", command, "--coach", "nobody"], { env });
		expect(shown.stderr).toMatch(/There are: qwen, reviewer, claude, /);
	},
);

import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { fakeShell } from "../../src/cli/fakes.contract.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { openSparring } from "../../src/library/open-sparring.ts";
import { thorough } from "../support/amount.ts";
import { CONFIG_VALUE } from "../support/planted-secrets.ts";
import { startSpar } from "../support/spar.ts";
import { waitUntil } from "../support/wait-until.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	type Outcome,
	outcomeOf,
	type Stage,
	scratch,
	sendsBack,
	stage,
	TESTS,
	textLike,
	WORKS,
} from "./stage.ts";

const one = (more: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do it.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
	...more,
});
const TWO_TURNS = [
	WORKS,
	{
		role: "coach",
		turn: 1,
		report: sendsBack({ issue: "the retry is missing", severity: "major" }),
	},
	{
		role: "coach",
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
] as const;

describe("after a run", () => {
	let set: Stage;
	let outcome: Outcome;
	let events: string[];

	beforeAll(async () => {
		set = stage({ steps: TWO_TURNS, files: { "task.md": "unused\n" } });
		const result = await set.spar(["run", "--json", "--events"]);
		const lines = result.stdout.trimEnd().split("\n");
		events = lines.slice(0, -1);
		outcome = outcomeOf({ ...result, stdout: lines.at(-1) ?? "" });
	});

	test("--events printed each event as a line of JSON, and --json the report as the last", () => {
		expect(outcome.code).toBe(0);
		const types = events.map(
			(line) => z.looseObject({ type: z.string() }).parse(JSON.parse(line)).type,
		);
		expect(types[0]).toBe("run-started");
		expect(types).toEqual(
			expect.arrayContaining(["agent-called", "check-ran", "turn-judged", "task-merged"]),
		);
		expect(types.at(-1)).toBe("run-ended");
	});

	test("status --json prints the same report, with the contract's keys in their place", async () => {
		const status = await set.json("status");
		expect(status).toMatchObject({
			run_id: outcome.report.run_id,
			workflow: "test",
			status: "completed",
			base: "main",
			branch: `sparring/${outcome.report.run_id}/integration`,
			tasks: {
				one: {
					...outcome.task,
					branch: `sparring/${outcome.report.run_id}/one`,
					commit: textLike(/^[0-9a-f]{40}$/),
					confidence_score: null,
				},
			},
		});
		expect(await set.json("status", outcome.report.run_id)).toEqual(status);
	});

	test("runs --json lists it", async () => {
		expect(await set.json("runs")).toMatchObject([
			{
				run_id: outcome.report.run_id,
				workflow: "test",
				status: "completed",
				base: "main",
				landed: false,
				tasks: { total: 1, completed: 1, failed: 0, waiting: 0 },
			},
		]);
	});

	test("trace tells it to people, and as JSON what the file holds", async () => {
		const { code, stdout } = await set.spar(["trace", "one"]);
		expect(code).toBe(0);
		expect(stdout).toContain("the retry is missing");
		expect(await set.json("trace", "one")).toEqual(
			JSON.parse(set.repo.read(".sparring/traces/one.json") ?? ""),
		);
	});

	test("diff shows the task, and each turn against the one before", async () => {
		const whole = (await set.spar(["diff", "one"])).stdout;
		const second = (await set.spar(["diff", "one", "--turn", "2"])).stdout;
		expect(whole).toContain("+turn 1\n+turn 2");
		expect(second).toContain(" turn 1\n+turn 2");
		const third = await set.spar(["diff", "one", "--turn", "3"]);
		expect(third.code).toBe(2);
		expect(third.stderr).toContain("task one has no turn 3");
	});

	test("a run or task that does not exist is named, with exit 2", async () => {
		for (const [args, said] of [
			[["status", "nope"], /there is no run nope/],
			[["trace", "nope"], /nope/],
			[["diff", "nope"], /nope/],
			[["cancel"], /no run is under way/],
			[["resume"], /no run is waiting/],
			[["land", "nope"], /there is no run nope/],
		] as const) {
			const { code, stderr } = await set.spar(args);
			expect({ args, code }).toEqual({ args, code: 2 });
			expect(stderr).toMatch(said);
		}
	});

	test("resuming it prints its report again and calls nobody", async () => {
		const before = set.agents.calls().length;
		expect(await set.resume(outcome.report.run_id)).toMatchObject({ code: 0, task: outcome.task });
		expect(set.agents.calls()).toHaveLength(before);
	});

	test("the gate's report stands where other tools read it", () => {
		expect(JSON.parse(set.repo.read(".sparring/state/gate-reports/one.json") ?? "")).toMatchObject({
			task_id: "one",
			risk_tier: "T0",
			verdict: "PASS",
			rule: textLike(/./),
			evidence_checks: { acceptance_evidence: { status: "PASS" } },
			confidence_score: null,
			confidence_advisory: null,
			metrics: [],
			hil_required: false,
			evaluated_at: textLike(/Z$/),
			tree: textLike(/^[0-9a-f]{40}$/),
		});
	});
});

describe("spar run", () => {
	thorough(
		"--dry-run and validate start nothing; --task-id takes what the task depends on along",
		async () => {
			const set = stage({
				steps: [WORKS, APPROVES],
				workflow: { tasks: { a: one(), b: one({ depends_on: ["a"] }), c: one() } },
			});
			expect(
				await set.json("run", "--dry-run", "--task-id", "b", "--max-turns", "4"),
			).toMatchObject({
				workflow: "test",
				base: "main",
				tasks: [
					{ id: "a", player: "dev", coach: "coach", bound: 4, depends_on: [] },
					{ id: "b", bound: 4, depends_on: ["a"] },
				],
				checks: [{ name: "tests", kind: "acceptance" }],
			});
			expect((await set.spar(["validate"])).code).toBe(0);
			expect(set.repo.git("status", "--porcelain", "--ignored")).toBe("");
			expect(set.repo.git("for-each-ref", "refs/heads/sparring")).toBe("");
			const { code, report, stderr } = await set.run("--task-id", "b");
			expect(code).toBe(0);
			expect(Object.keys(report.tasks).sort()).toEqual(["a", "b"]);
			expect(stderr).toContain("also running what the named tasks depend on: a");
			const unknown = await set.spar(["run", "--task-id", "bb"]);
			expect(unknown.code).toBe(2);
			expect(unknown.stderr).toContain("bb");
		},
	);

	thorough(
		"takes a task from a Markdown file and from words, with the workflow's defaults",
		async () => {
			const set = stage({
				steps: [WORKS, APPROVES],
				files: {
					"add-retry.md": `---\nid: retry\n---\n# Retry\n\nAdd a retry.\n\n## Acceptance criteria\n\n- ${CRITERION}\n`,
				},
				workflow: { tasks: {}, defaults: { agent: "dev", overlays: pair() } },
			});
			const written = await set.run("add-retry.md");
			expect(written.code).toBe(0);
			expect(Object.keys(written.report.tasks)).toHaveLength(1);
			expect(written.task).toMatchObject({ merged: true, challenger_approved: true });
			const spoken = await set.run("--task", "Add a retry.", "--criterion", CRITERION);
			expect(spoken.code).toBe(0);
			expect(spoken.task).toMatchObject({ merged: true, challenger_approved: true });
		},
	);

	test("wrong usage is exit 2, with where to look", async () => {
		const set = stage({ steps: [] });
		for (const args of [
			["run", "--max-turns", "0"],
			["run", "--max-turns", "many"],
			["run", "sparring.yaml", "--task", "x"],
			["run", "--criterion", "x"],
			["run", "no-such.yaml"],
			["run", "no-such.md"],
			["run", "--no-such-option"],
			["no-such-command"],
		]) {
			const { code, stdout, stderr } = await set.spar(args);
			expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
			expect(stderr.trim()).not.toBe("");
		}
	});

	thorough("a failed task is reopened by resume --max-turns from its last commit", async () => {
		const set = stage({ steps: TWO_TURNS, task: { max_turns: 1 } });
		const failed = await set.run();
		expect(failed).toMatchObject({ code: 1, task: { status: "failed", turns: 1 } });
		const used = await set.spar(["resume", failed.report.run_id, "--max-turns", "1"]);
		expect(used.code).toBe(2);
		expect(used.stderr).toContain("--max-turns 2");
		const plain = await set.spar(["resume", failed.report.run_id]);
		expect(plain.code).toBe(2);
		const reopened = await set.resume("--max-turns", "2");
		expect(reopened).toMatchObject({ code: 0, task: { status: "completed", turns: 2, flags: [] } });
		expect(set.repo.git("show", `${reopened.report.branch}:work.txt`)).toBe("turn 1\nturn 2");
	});

	thorough("a recorded run replays to the same tree, without its agents", async () => {
		const set = stage({ steps: TWO_TURNS });
		const cassette = `${set.repo.home}/run.jsonl`;
		const recorded = await set.run("--record", cassette);
		const replay = { adapter: "cassette", file: cassette };
		set.rewrite({ agents: { dev: replay, coach: replay } }, "replay.yaml");
		const before = set.agents.calls().length;
		const replayed = await set.run("replay.yaml");
		expect(replayed).toMatchObject({ code: 0, task: { turns: 2, merged: true } });
		expect(set.agents.calls()).toHaveLength(before);
		const tree = (branch: string) => set.repo.git("rev-parse", `${branch}^{tree}`);
		expect(tree(replayed.report.branch)).toBe(tree(recorded.report.branch));
	});
});

thorough("validate names every error at once, each with file, line and column", async () => {
	const set = stage({ steps: [] });
	set.repo.write({
		"bad.yaml": [
			"version: 1",
			"agents:",
			"  dev: { adapter: command, run: [true-agent] }",
			"tasks:",
			"  a:",
			"    agent: devv",
			"    descripton: x",
			"    depends_on: [b]",
			"    max_turns: 0",
			"  b: { agent: dev, description: y, depends_on: [a, zzz] }",
			"",
		].join("\n"),
	});
	set.repo.write({
		"checks.yaml": "version: 1\nchecks:\n  tests: { kind: acceptance, run: npm test }\n",
	});
	const checks = await set.spar(["validate", "checks.yaml"]);
	expect(checks.stdout, checks.stderr).toContain(
		"no task, so it serves spar check and no run, 1 check",
	);
	const { code, stdout, stderr } = await set.spar(["validate", "bad.yaml"]);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	for (const said of [
		/^bad\.yaml:6:\d+ .*devv/m,
		/did you mean.*dev/i,
		/^bad\.yaml:7:5 .*descripton/m,
		/did you mean.*description/i,
		/^bad\.yaml:9:\d+ /m,
		/^bad\.yaml:10:\d+ .*zzz/m,
		/cycle|depends on itself/i,
	])
		expect(stderr).toMatch(said);
	const json = await set.spar(["validate", "bad.yaml", "--json"]);
	expect(json.code).toBe(2);
	expect(JSON.parse(json.stdout)).toMatchObject({ valid: false });
	expect((await set.spar(["run", "bad.yaml"])).code).toBe(2);
});

thorough("cancel ends a running run with exit 4 and itself exits 0", async () => {
	const set = stage({ steps: [{ role: "player", hang: true }] });
	const running = startSpar(set.repo, ["run", "--json"]);
	await waitUntil("the player is called", () => set.agents.calls().length > 0);
	const second = await set.spar(["resume"]);
	expect(second.code).toBe(2);
	expect(second.stderr).toMatch(/held by|holds/);
	const cancelled = await set.spar(["cancel", "--json"]);
	expect(cancelled.code).toBe(0);
	const ended = await running.ended;
	expect(ended.code).toBe(4);
	expect(JSON.parse(ended.stdout)).toMatchObject({
		status: "cancelled",
		tasks: { one: { status: "cancelled", merged: false } },
	});
});

thorough(
	"run takes what it read and showed, whatever the file says by then, up to the landing",
	async () => {
		const set = stage({ steps: [WORKS, APPROVES] });
		const check = { ...TESTS, run: `sh check.sh --token ${CONFIG_VALUE}` };
		const keys = { merge: { into: "base" }, checks: { tests: check } };
		set.rewrite({ ...keys, name: "shown" }, "shown.yaml");
		const { root, env } = set.repo;
		const sparring = await openSparring({ directory: root, env });
		const shell = fakeShell({
			sparring: {
				load: async (source) => {
					const loaded = await sparring.load(source);
					set.rewrite({ name: "changed" }, "shown.yaml");
					return loaded;
				},
				plan: (options) => sparring.plan(options),
				run: (options) => sparring.run(options),
			},
		});
		const dry = await runCli(["run", "shown.yaml", "--dry-run"], shell);
		expect([dry, shell.printed.out]).toEqual([0, textLike("shown on main")]);
		set.rewrite({ ...keys, name: "shown" }, "shown.yaml");
		const code = await runCli(["run", "shown.yaml"], shell);
		sparring.close();
		expect([code, shell.printed.out]).toEqual([0, textLike("next: spar diff")]);
		expect(await set.json("status")).toMatchObject({ workflow: "shown", landed: true });
	},
);

test("graph draws every node of the design", async () => {
	const { code, stdout } = await stage({ steps: [] }).spar(["graph"]);
	expect(code).toBe(0);
	for (const node of [
		"initialize",
		"player_turn",
		"validate_structure",
		"verify",
		"coach_turn",
		"resolve_conflict",
		"score_confidence",
		"policy_gate",
		"sign_off",
		"merge",
		"process_feedback",
		"finalize_success",
		"finalize_failure",
		"finalize_escalation",
		"await_human",
	])
		expect(stdout).toContain(node);
});

thorough(
	"init writes a file that validates, and refuses to write over it; doctor looks at everything",
	async () => {
		const repo = scratch({ files: { "package.json": '{"scripts":{"test":"node --test"}}\n' } });
		const set = { ...stage({ steps: [] }), repo };
		const spar = (args: readonly string[]) => set.spar(args, { cwd: repo.root });
		expect((await spar(["init"])).code).toBe(0);
		expect(repo.read("sparring.yaml")).toContain("npm test");
		expect((await spar(["validate"])).code).toBe(0);
		const again = await spar(["init"]);
		expect(again.code).toBe(2);
		const doctor = await spar(["doctor", "--json"]);
		const named = JSON.stringify(JSON.parse(doctor.stdout));
		for (const name of ["git", "node", "database", "sandbox", "state directory"])
			expect(named).toContain(`"${name}"`);
	},
);

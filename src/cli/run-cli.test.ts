import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunOptions, Supervision } from "../drive/run-options.ts";
import type { HumanItem } from "../human/human-item.ts";
import { validateAnswer } from "../human/validate-answer.ts";
import { Fault } from "../kernel/fault.ts";
import type { AnswerRequest } from "../library/answer-item.ts";
import type { Sparring } from "../library/sparring.ts";
import type { LoadedWorkflow, WorkflowSource } from "../places/load-source.ts";
import { fakeShell, humanItem, runEvent, runReport, spar, taskReport } from "./fakes.contract.ts";
import { runCli } from "./run-cli.ts";

const containing = (text: string): unknown => expect.stringContaining(text);
const parsed = (text: string): unknown => JSON.parse(text);

const COMMANDS = [
	"run",
	"resume",
	"status",
	"runs",
	"validate",
	"trace",
	"diff",
	"land",
	"cancel",
	"prune",
	"hil",
	"graph",
	"init",
	"doctor",
	"hil list",
	"hil show",
	"hil ack",
	"hil resolve",
	"hil reject",
	"gate",
	"findings",
	"calibration",
];

test.each(COMMANDS)("help of %s starts with an example and exits 0", async (command) => {
	const { code, out } = await spar([...command.split(" "), "--help"]);
	expect(out).toMatch(new RegExp(`^Example: spar ${command}`));
	expect(code).toBe(0);
});

test("`spar help hil resolve` is the help of that command", async () => {
	const help = await spar(["help", "hil", "resolve"]);
	expect(help).toMatchObject({ code: 0, err: "" });
	expect(help.out).toBe((await spar(["hil", "resolve", "--help"])).out);
});

test("every command of the help has a file of its name, and every file is a command", async () => {
	const { out } = await spar(["help", "--all"]);
	const listed = [...out.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => `${name}.ts`);
	const files = readdirSync(join(import.meta.dirname, "commands"));
	const commands = files.filter((file) => !file.endsWith(".test.ts"));
	expect(listed.filter((file) => file !== "help.ts").sort()).toEqual(commands.sort());
});

test("all of the help starts with an example, names every command, exits 0", async () => {
	const { code, out } = await spar(["help", "--all"]);
	expect(out).toMatch(/^Example: spar /);
	for (const command of COMMANDS) expect(out).toContain(`  ${command.split(" ")[0] ?? ""}`);
	expect(code).toBe(0);
});

test("the version is the package's", async () => {
	expect(await spar(["--version"])).toMatchObject({ code: 0, out: "0.2.0\n" });
});

test.each([
	["stats", "Did you mean status?"],
	["run --max-turn 3", "Did you mean --max-turns?"],
	["hil lst", "Did you mean list?"],
	["run --max-turns 0", "whole number from 1 to 1,000,000"],
	["run --max-turns 1000001", "whole number from 1 to 1,000,000"],
	["run --max-turns 1.5", "whole number"],
	["run --max-turns x", "whole number"],
	["run --max-parallel -1", "whole number"],
	["resume --max-turns 007", "whole number"],
	["diff limiter --turn 0", "whole number"],
	["run --max-parallel 257", "whole number from 1 to 256"],
	["resume --max-parallel 0", "whole number from 1 to 256"],
	["run a b", "too many arguments"],
	["run a --task b", "both --task and the file a"],
	["run --criterion b", "--criterion is given without --task"],
	["run --record", "argument missing"],
	["resume a b", "too many arguments"],
	["status a b", "too many arguments"],
	["runs a", "too many arguments"],
	["validate a b", "too many arguments"],
	["trace a b", "too many arguments"],
	["diff a b", "too many arguments"],
	["land a b", "too many arguments"],
	["cancel a b", "too many arguments"],
	["prune a", "too many arguments"],
	["graph a", "too many arguments"],
	["init a", "too many arguments"],
	["doctor a", "too many arguments"],
	["hil list a", "too many arguments"],
	["hil show", "missing required argument"],
	["hil ack", "missing required argument"],
	["hil resolve H1 --take player --directive x", "both --take and --directive"],
	["hil reject H1", "--reason"],
	["approve --verify a --no-verify a", "task a is given with --verify and with --no-verify"],
	["approve --auto a --no-verify a", "task a is given with --auto and with --no-verify"],
	["approve --verify-all --auto-all", "both --verify-all and --auto-all are given"],
	["approve --verify-all --no-verify-all", "both --verify-all and --no-verify-all are given"],
	["approve --no-verify-all --verify-all", "both --verify-all and --no-verify-all are given"],
])("`spar %s` is wrong usage: exit 2, nothing on standard output", async (line, message) => {
	const { code, out, err, shell } = await spar(line.split(" "));
	expect(err).toContain(message);
	expect([code, out, shell.opened]).toEqual([2, "", []]);
});

test("texts may not be empty", async () => {
	for (const args of [
		["run", "--task", " "],
		["run", "--task", "a", "--criterion", ""],
		["run", ""],
		["hil", "resolve", "H1", "--directive", ""],
		["hil", "reject", "H1", "--reason", " "],
	]) {
		expect(await spar(args)).toMatchObject({ code: 2, err: containing("is empty") });
	}
});

test("no command at all shows the help on standard error and exits 2", async () => {
	expect(await spar([])).toMatchObject({ code: 2, out: "", err: containing("Example") });
});

const loaded: LoadedWorkflow = {
	workflow: {
		version: 1,
		name: "demo",
		setup: [],
		maxParallel: 2,
		setupInputs: [],
		setupCache: true,
		agents: {},
		checks: [],
		tasks: [],
		protected: [],
		human: { enabled: true },
		merge: { into: "integration", style: "squash", message: "{title}" },
		keepRuns: 50,
		verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
	},
	errors: [],
	warnings: [],
};
const load = () => Promise.resolve(loaded);

/** A Sparring whose run ends in `report` after one event. */
function running(report = runReport()): { sparring: Partial<Sparring>; asked: RunOptions[] } {
	const asked: RunOptions[] = [];
	const run = (options: RunOptions) => {
		asked.push(options);
		options.onEvent?.(runEvent("run-resumed", { owner: "me" }, { task: null, turn: null }));
		options.onNotice?.("2 uncommitted changes are not part of the run");
		return Promise.resolve(report);
	};
	return { sparring: { load, run }, asked };
}

test("run passes its options on, shows progress on standard error and the report on standard output", async () => {
	const { sparring, asked } = running();
	const line = "run w.yaml --task-id a b --max-turns 5 --max-parallel 8 --record c.jsonl";
	const { code, out, err } = await spar(line.split(" "), { sparring });
	expect(asked[0]).toMatchObject({
		source: { kind: "loaded", workflow: loaded.workflow },
		taskIds: ["a", "b"],
		maxTurns: 5,
		maxParallel: 8,
		recordFile: "c.jsonl",
	});
	expect(err).toBe("run r1 goes on\nnote: 2 uncommitted changes are not part of the run\n");
	expect(out).toBe("next: spar land    (spar diff, spar trace)\n");
	const verbose = await spar(["run", "--verbose"], { sparring });
	expect(verbose.out).toBe(`run r1 of demo on main: completed
task     status     turns  open findings  gate     merge   branch
limiter  completed  2      0              T0 PASS  merged  sparring/r1/limiter
next:
  spar diff limiter --run r1   what limiter changed
  spar trace limiter --run r1  what happened in limiter, and why
  spar land r1                 bring sparring/r1/integration into main
  spar land r1 --pr            push it and open a pull request instead
`);
	expect(code).toBe(0);
});

test("sources: nothing, a workflow file, a task file, words", async () => {
	const read: WorkflowSource[] = [];
	const sparring = {
		...running().sparring,
		load: (source: WorkflowSource) => {
			read.push(source);
			return load();
		},
	};
	await spar(["run"], { sparring });
	await spar(["run", "w.yaml"], { sparring });
	await spar(["run", "t.MD"], { sparring });
	const root = "examples/01-rate-limiter";
	const inWords = { sparring: { ...sparring, root } };
	await spar(["run", "--task", "a b", "--criterion", "c", "--criterion", "-d e"], inWords);
	await spar(["a b"], inWords);
	expect(read).toEqual([
		{ kind: "file" },
		{ kind: "file", path: "w.yaml" },
		{ kind: "task-file", path: "t.MD" },
		{ kind: "words", description: "a b", criteria: ["c", "-d e"] },
		{ kind: "words", description: "a b", criteria: [] },
	]);
});

test("--json prints one document, --events one line each, both the report as the last line", async () => {
	const { sparring } = running();
	const json = await spar(["run", "--json"], { sparring });
	expect(parsed(json.out)).toEqual(runReport());
	const events = await spar(["run", "--events"], { sparring });
	expect(events.out.trim().split("\n").map(parsed)).toMatchObject([{ type: "run-resumed" }]);
	expect(events.err).toContain("next: spar land");
	const both = await spar(["run", "--events", "--json"], { sparring });
	const lines = both.out.trim().split("\n");
	expect(lines).toHaveLength(2);
	expect(parsed(lines[1] ?? "")).toEqual(runReport());
});

test("the exit code follows the report: waiting 3, cancelled 4, failed 1", async () => {
	for (const [status, code] of [
		["paused_for_user_escalation", 3],
		["cancelled", 4],
		["failed", 1],
	] as const) {
		expect(await spar(["run"], running(runReport(status)))).toMatchObject({ code });
	}
});

test("an invalid workflow prints every diagnostic with its hint, runs nothing, exits 2", async () => {
	const invalid: LoadedWorkflow = {
		workflow: null,
		errors: [
			{
				file: "s.yaml",
				line: 3,
				column: 5,
				message: 'unknown key "agnet"',
				hint: 'did you mean "agent"?',
			},
			{ file: "s.yaml", line: 9, column: 1, message: "no tasks" },
		],
		warnings: [{ file: "s.yaml", line: 1, column: 1, message: "no acceptance check" }],
	};
	const { code, out, err } = await spar(["run"], {
		sparring: { load: () => Promise.resolve(invalid) },
	});
	expect(err).toBe(
		's.yaml:3:5 unknown key "agnet"\n    did you mean "agent"?\n' +
			"s.yaml:9:1 no tasks\ns.yaml:1:1 warning: no acceptance check\n",
	);
	expect([code, out]).toEqual([2, ""]);
	const validated = await spar(["validate"], {
		sparring: { validate: () => Promise.resolve({ ...invalid, tests: [] }) },
	});
	expect(validated.err).toContain("2 errors; nothing was run");
	expect(validated.code).toBe(2);
	const json = await spar(["validate", "--json"], {
		sparring: { validate: () => Promise.resolve({ ...invalid, tests: [] }) },
	});
	expect(parsed(json.out)).toMatchObject({ valid: false, errors: [{ line: 3 }, { line: 9 }] });
	expect([json.code, json.err]).toEqual([2, ""]);
});

test("validate of a valid file says what is in it", async () => {
	const validate = async () => ({ ...(await load()), tests: [] });
	expect(await spar(["validate"], { sparring: { validate } })).toMatchObject({
		code: 0,
		out: "demo is valid: no task, so it serves spar check and no run, 0 checks\n",
		err: "",
	});
});

test("validate counts the files that are the tests', by why they are", async () => {
	const names = Array.from({ length: 12 }, (_, index) => `test/${index}.test.js`);
	const tests = [
		...names.map((path) => ({ path, why: "name" }) as const),
		{ path: "data/cases.json", why: "read" } as const,
	];
	const validate = async () => ({ ...(await load()), tests });
	const { out } = await spar(["validate"], { sparring: { validate } });
	expect(out).toContain("tests by name or place: 12 files\n  data that only tests read: 1 file\n");
	const all = await spar(["validate", "--all"], { sparring: { validate } });
	expect(all.out).toContain("test/10.test.js, test/11.test.js\n");
	expect(all.out).toContain("data that only tests read: data/cases.json\n");
	const json = await spar(["validate", "--json"], { sparring: { validate } });
	expect(parsed(json.out)).toMatchObject({ valid: true, tests });
});

test("--dry-run opens for reading and shows the plan", async () => {
	const plan = {
		workflow: "demo",
		base: "main",
		base_commit: "abc",
		tasks: [
			{
				id: "a",
				player: "dev",
				coach: null,
				verifier: null,
				requires_verification: true,
				verification_by: "heuristic" as const,
				verification_reasons: [],
				bound: 3,
				depends_on: ["b"],
			},
		],
		checks: [{ name: "tests", kind: "acceptance", run: "npm test" }],
		estimate: { from: 5, calls: 4, ms: 360_000, cost_usd: 0.42 },
	};
	const sparring = { load, plan: () => Promise.resolve(plan) };
	const text = await spar(["run", "--dry-run"], { sparring });
	expect(text.shell.opened).toEqual([{ readOnly: true }]);
	expect(text.out).toContain("a     dev     -      nobody    3              b");
	expect(text.out).toContain("tests  acceptance  npm test");
	expect(text.out).toContain(
		"about 4 calls, 6m 0s and $0.42 a task, by the last 5 that came through here",
	);
	const json = await spar(["run", "--dry-run", "--json"], { sparring });
	expect(parsed(json.out)).toEqual(plan);
	const bare = { load, plan: () => Promise.resolve({ ...plan, checks: [], estimate: null }) };
	const { out } = await spar(["run", "--dry-run"], { sparring: bare });
	expect(out).toContain("no checks");
	expect(out).not.toContain("about");
});

test("Ctrl-C saves, says how to go on and exits 130; the second exits at once", async () => {
	const shell = fakeShell({
		sparring: {
			resume: ({ onEvent, signal }) => {
				onEvent?.(runEvent("run-resumed", { owner: "me" }, { task: null }));
				return new Promise((_resolve, reject) => {
					signal?.addEventListener("abort", () => {
						shell.interrupt();
						reject(signal.reason as Error);
					});
					shell.interrupt();
				});
			},
		},
	});
	expect(await runCli(["resume"], shell)).toBe(130);
	expect(shell.printed.err).toContain("interrupted; state saved. Continue with: spar resume r1\n");
	expect([shell.exits, shell.listeners()]).toEqual([[130], 0]);
});

test("an interruption before the run began says so; land names itself", async () => {
	const stopped = (options: Supervision): Promise<never> => {
		shell.interrupt();
		return Promise.reject(new Error("wrapped", { cause: options.signal?.reason }));
	};
	const shell = fakeShell({ sparring: { load, run: stopped, land: stopped } });
	expect(await runCli(["run"], shell)).toBe(130);
	expect(shell.printed.err).toContain("interrupted before a run started\n");
	expect(await runCli(["land"], shell)).toBe(130);
	expect(await runCli(["land", "r1"], shell)).toBe(130);
	expect(shell.printed.err).toContain("Continue with: spar land r1\n");
});

test("a fault during an interruption is still told", async () => {
	const shell = fakeShell({
		sparring: {
			resume: () => {
				shell.interrupt();
				return Promise.reject(
					new Fault("no space left", { code: "disk-full", hint: "Free some." }),
				);
			},
		},
	});
	expect(await runCli(["resume", "r1"], shell)).toBe(2);
	expect(shell.printed.err).toContain("error: no space left\nFree some.\n");
});

test("what is no fault is a bug: stack, exit 70, and Sparring is closed", async () => {
	let closed = 0;
	const close = (): void => {
		closed += 1;
	};
	const { code, err } = await spar(["cancel"], { sparring: { close } });
	expect(err).toContain("unexpected call of cancel");
	expect(err).toContain("this is a bug of Sparring");
	expect([code, closed]).toEqual([70, 1]);
});

test("status without any run is null, a named run that is missing is a fault", async () => {
	const status = () => Promise.reject(new Fault("no run", { code: "run-not-found" }));
	expect(await spar(["status", "--json"], { sparring: { status } })).toMatchObject({
		code: 0,
		out: "null\n",
	});
	expect(await spar(["status"], { sparring: { status } })).toMatchObject({ code: 0, out: "" });
	expect(await spar(["status", "r9"], { sparring: { status } })).toMatchObject({ code: 2 });
});

test("status and runs are read only; failures give reason and way out, with exit 0", async () => {
	const failed = runReport("failed", {
		status: "failed",
		merged: false,
		failure_reason: "Max turns (3) reached",
		commit: null,
	});
	const status = () => Promise.resolve(failed);
	const text = await spar(["status"], { sparring: { status } });
	expect(text.out).toContain("limiter: Max turns (3) reached");
	expect(text.out).toContain("spar resume r1 --max-turns N");
	expect(text.out).not.toContain("spar land");
	expect([text.code, text.shell.opened]).toEqual([0, [{ readOnly: true }]]);
	const json = await spar(["status", "--json"], { sparring: { status } });
	expect(parsed(json.out)).toEqual(failed);
	const summary = {
		...({ run_id: "r1", workflow: "demo", status: "failed", base: "main", landed: false } as const),
		holder: null,
		shared: false,
		created_at: "2026-11-21T22:05:09.000Z",
		ended_at: null,
		tasks: { total: 4, completed: 1, failed: 1, blocked: 1, cancelled: 0, waiting: 1, answered: 0 },
	};
	const runs = () => Promise.resolve([summary]);
	const list = await spar(["runs"], { sparring: { runs } });
	expect(list.out).toContain("1 of 4 done, 1 failed, 1 blocked, 1 waiting");
	expect(parsed((await spar(["runs", "--json"], { sparring: { runs } })).out)).toEqual([summary]);
	expect(await spar(["runs"])).toMatchObject({ code: 0, out: "" });
	const stopped = { ...summary, status: "running" } as const;
	const tasks = { ...summary.tasks, waiting: 2, answered: 2 };
	const answered = { ...summary, status: "paused_for_user_escalation", tasks } as const;
	const both = () => Promise.resolve([stopped, answered]);
	const stands = (await spar(["runs"], { sparring: { runs: both }, columns: 200 })).out;
	expect(stands).toContain("running (no process works on it)");
	expect(stands).toContain("answered (spar resume goes on)");
	expect(stands).toContain("1 of 4 done, 1 failed, 1 blocked, 2 answered");
	const after = { status: () => Promise.resolve({ ...runReport(), landed: true }) };
	expect((await spar(["status"], { sparring: after })).out).not.toContain("spar land");
});

test("a run that completed and could not be landed as asked exits with 1 and says why", async () => {
	const report = { ...runReport(), landing_refused: "main is checked out with changes" };
	const ended = await spar(["resume"], { sparring: { resume: () => Promise.resolve(report) } });
	expect(ended.code).toBe(1);
	expect(ended.out).toContain("not landed: main is checked out with changes");
});

test("nothing is offered for a run whose branches are gone", async () => {
	const status = () => Promise.resolve({ ...runReport("failed"), pruned: true });
	expect((await spar(["status"], { sparring: { status } })).out).not.toContain("next:");
});

test("a run in which some tasks failed offers to land what merged, and says what that is", async () => {
	const failed = taskReport({ status: "failed", merged: false, branch: "sparring/r1/docs" });
	const mixed = { ...runReport("failed"), tasks: { limiter: taskReport(), docs: failed } };
	const status = () => Promise.resolve(mixed);
	const { out } = await spar(["status"], { sparring: { status } });
	expect(out).toContain("spar resume r1 --max-turns N");
	expect(out).toMatch(/spar land r1 +bring what merged \(limiter\) without the rest into main/);
	expect(out).toMatch(/spar land r1 --pr +push it and open a pull request instead/);
	const landed = () => Promise.resolve({ ...mixed, landed: true });
	expect((await spar(["status"], { sparring: { status: landed } })).out).not.toContain("spar land");
});

test("what can be done next is true for each state of a run", async () => {
	const next = async (...args: Parameters<typeof runReport>): Promise<string> =>
		(await spar(["status"], { sparring: { status: () => Promise.resolve(runReport(...args)) } }))
			.out;
	expect(
		await next("paused_for_user_escalation", { status: "paused_for_human", human_item: "H1" }),
	).toContain("spar questions H1");
	expect(await next("running", { status: "running", phase: "validating" })).toContain(
		"spar resume r1",
	);
	expect(await next("completed", { merged: false })).not.toContain("spar land");
	expect(await next("failed", { status: "blocked", turns: 0, merged: false })).not.toContain(
		"next:",
	);
	expect(await next("cancelled", { status: "cancelled", turns: 0, merged: false })).not.toContain(
		"next:",
	);
});

test("trace and diff go to standard output; a terminal gets no control characters", async () => {
	const file = {
		...({
			schema_version: 1,
			run_id: "r1",
			task_id: "a",
			feature_id: null,
			status: "failed",
			turns: 0,
		} as const),
		started_at: null,
		ended_at: null,
		verification_result: null,
		agent_invocations: {},
		events: [],
	};
	const sparring = {
		trace: () => Promise.resolve(file),
		diff: () => Promise.resolve("+a\u001b[2J\r\n"),
	};
	expect((await spar(["trace", "a", "--run", "r1"], { sparring })).out).toContain(
		"task a of run r1",
	);
	expect(parsed((await spar(["trace", "a", "--json"], { sparring })).out)).toEqual(file);
	expect((await spar(["diff", "a", "--turn", "2", "--run", "r1"], { sparring })).out).toBe(
		"+a\u001b[2J\r\n",
	);
	expect((await spar(["diff", "a"], { sparring, terminal: true })).out).toBe(
		"\u001b[32m+a\\x1b[2J\u001b[39m\n",
	);
	expect(parsed((await spar(["diff", "a", "--json"], { sparring })).out)).toMatchObject({
		turn: null,
	});
	const same = { diff: () => Promise.resolve("") };
	expect(await spar(["diff", "a"], { sparring: same })).toMatchObject({
		out: "",
		err: "no difference\n",
	});
});

test("land says what came of it; a refusal exits 1 with the reason", async () => {
	const about = { run_id: "r1", branch: "main", remote: null } as const;
	const report = { ...about, commit: "abc", reason: null, undone: [] } as const;
	const landing = (outcome: "landed" | "already_landed") => ({
		land: (
			options: RunOptions | { onNotice?: (text: string) => void; onEvent?: RunOptions["onEvent"] },
		) => {
			options.onNotice?.("main has moved");
			options.onEvent?.(runEvent("run-landed", { branch: "main", commit: "abc" }, { task: null }));
			return Promise.resolve({ ...report, outcome });
		},
	});
	const done = await spar(["land", "r1"], { sparring: landing("landed") });
	expect(done).toMatchObject({
		code: 0,
		out: "landed r1 on main at abc\nto take it back: git switch main && git reset --keep main@{1}\n",
	});
	expect(done.err).toContain("main has moved");
	expect((await spar(["land"], { sparring: landing("already_landed") })).out).toContain(
		"already landed",
	);
	const elsewhere = { ...report, remote: "origin", outcome: "landed" } as const;
	const landsThere = { land: () => Promise.resolve(elsewhere) };
	const { out } = await spar(["land"], { sparring: landsThere });
	expect(out).toBe("landed r1 on origin/main at abc\n");
	const refused = { ...report, outcome: "refused", commit: null, reason: "conflict" } as const;
	const sparring = { land: () => Promise.resolve(refused) };
	expect(await spar(["land"], { sparring })).toMatchObject({
		code: 1,
		out: "not landed on main: conflict\n",
	});
	const json = await spar(["land", "--json"], { sparring });
	expect([parsed(json.out), json.code]).toEqual([refused, 1]);
});

test("cancel exits 0, prune tells what it kept", async () => {
	const cancel = () => Promise.resolve(runReport("cancelled"));
	expect(await spar(["cancel", "r1"], { sparring: { cancel } })).toMatchObject({
		code: 0,
		out: "run r1: cancelled\n",
	});
	expect(parsed((await spar(["cancel", "--json"], { sparring: { cancel } })).out)).toMatchObject({
		run_id: "r1",
	});
	const forced: (boolean | undefined)[] = [];
	const prune = ({ force }: { force?: boolean | undefined } = {}) => {
		forced.push(force);
		return Promise.resolve({
			pruned: ["r1"],
			kept: [{ run_id: "r2", reason: "unmerged" }],
			archived: [{ run_id: "r1", branch: "b", ref: "refs/sparring/archive/r1/b", commit: "c" }],
			freed: [{ run_id: "r1", bytes: 2_048 }],
			left_over: [
				{ directory: "/c/x", root: "/x", bytes: 1_024, removed: false },
				{ directory: "/c/y", root: "/y", bytes: 1_024, removed: true },
			],
			setup_cache: { results: 2, bytes: 1_024 },
			freed_bytes: 4_096,
		});
	};
	expect((await spar(["prune"], { sparring: { prune } })).out).toBe(
		[
			"archived b as refs/sparring/archive/r1/b",
			"pruned r1: 2 KiB freed",
			"kept r2: unmerged",
			"left /c/x (1 KiB), checkouts of /x, which is gone: remove it with spar prune --force",
			"removed /c/y (1 KiB), checkouts of /y, which is gone",
			"removed 2 results of setup: 1 KiB freed",
			"4 KiB freed in all\n",
		].join("\n"),
	);
	expect(
		parsed((await spar(["prune", "--force", "--json"], { sparring: { prune } })).out),
	).toMatchObject({ pruned: ["r1"] });
	expect(forced).toEqual([undefined, true]);
	const dry = {
		prune: async ({ dryRun }: { dryRun?: boolean | undefined } = {}) => ({
			...(await prune({ force: true })),
			...(dryRun === true && { dry_run: true as const }),
		}),
	};
	expect((await spar(["prune", "--dry-run"], { sparring: dry })).out).toMatch(
		/^would have archived b .*\nwould have pruned r1: .*\nwould have kept r2.*\n4 KiB would be freed in all\n$/s,
	);
	const nothing = {
		prune: () =>
			Promise.resolve({
				pruned: [],
				kept: [],
				archived: [],
				freed: [],
				left_over: [],
				setup_cache: { results: 0, bytes: 0 },
				freed_bytes: 0,
			}),
	};
	expect(await spar(["prune"], { sparring: nothing })).toMatchObject({
		out: "",
		err: "nothing to prune\n",
	});
});

test("hil list shows what is open, --all everything, --json the contract's array", async () => {
	const closed = humanItem({ id: "H0", status: "RESOLVED" });
	const items = () => Promise.resolve([humanItem(), closed]);
	const open = await spar(["hil", "list"], { sparring: { items } });
	expect(open.out).toContain("H1  limiter  turn limit  waiting");
	expect(open.out).not.toContain("H0");
	const all = await spar(["hil", "list", "--all", "--json"], { sparring: { items } });
	expect(parsed(all.out)).toMatchObject([{ id: "H1" }, { id: "H0" }]);
	const none = { items: () => Promise.resolve([]) };
	expect(await spar(["hil", "list"], { sparring: none })).toMatchObject({ code: 0, out: "" });
	expect((await spar(["hil", "list", "--json"], { sparring: none })).out).toBe("[]\n");
});

test("hil show prints text or JSON", async () => {
	const item = () => Promise.resolve(humanItem());
	expect((await spar(["hil", "show", "H1"], { sparring: { item } })).out).toContain("Your choices");
	expect(
		parsed((await spar(["hil", "show", "H1", "--json"], { sparring: { item } })).out),
	).toMatchObject({ resolution: null });
});

test("answers are passed on, and the way to go on is told when the run waits", async () => {
	const asked: unknown[] = [];
	const answered = (...args: unknown[]) => {
		asked.push(args);
		return Promise.resolve(humanItem({ status: "RESOLVED" }));
	};
	const sparring = {
		resolveItem: answered,
		rejectItem: answered,
		ackItem: () => Promise.resolve(humanItem({ status: "ACKED" })),
		status: () => Promise.resolve(runReport("paused_for_user_escalation")),
	};
	const taken = await spar(["hil", "resolve", "H1", "--take", "reviewer", "--notes", "n"], {
		sparring,
	});
	expect(taken).toMatchObject({
		code: 0,
		out: "H1 answered\n",
		err: "Continue with: spar resume r1\n",
	});
	await spar(["hil", "resolve", "H1", "--directive", "-x y"], { sparring });
	await spar(["hil", "resolve", "H1"], { sparring });
	await spar(["hil", "reject", "H1", "--reason", "no"], { sparring });
	expect(asked).toEqual([
		["H1", { take: "reviewer", notes: "n", by: "terminal" }],
		["H1", { directive: "-x y", by: "terminal" }],
		["H1", { by: "terminal" }],
		["H1", "no", { by: "terminal" }],
	]);
	expect(await spar(["hil", "ack", "H1"], { sparring })).toMatchObject({
		out: "H1 seen\n",
		err: "",
	});
});

test("answer --all leaves what does not offer the answer, and fails where nothing does", async () => {
	const offering = (id: string, ...choices: HumanItem["choices"]) => humanItem({ id, choices });
	const all = [
		offering("H1", "continue"),
		offering("H2", "continue", "take_developer"),
		offering("H3", "continue", "take_developer"),
	];
	const answered: string[] = [];
	const sparring = {
		items: () => Promise.resolve(all),
		resolveItem: async (id: string, request: AnswerRequest) => {
			const item = all.find((one) => one.id === id) ?? humanItem();
			validateAnswer(item, request);
			answered.push(id);
			return { ...item, status: "RESOLVED" as const };
		},
		status: () => Promise.resolve(runReport("completed")),
	};
	const player = await spar(["answer", "--all", "player"], { sparring });
	expect(player).toMatchObject({ code: 0, out: "H2 answered\nH3 answered\n" });
	expect(player.err).toMatch(/^left open: item H1 /);
	expect(answered).toEqual(["H2", "H3"]);
	const coach = await spar(["answer", "--all", "coach"], { sparring });
	expect(coach).toMatchObject({ code: 2, out: "" });
	expect(coach.err).toContain("item H1 ");
});

test("graph needs no repository", async () => {
	const text = await spar(["graph"]);
	expect(text.out).toMatch(/^graph TD;\n.*__start__ --> initialize;\n/);
	expect(text.shell.opened).toEqual([]);
	expect(parsed((await spar(["graph", "--json"])).out)).toEqual({ mermaid: text.out.trimEnd() });
});

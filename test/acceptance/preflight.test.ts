import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	listWith,
	type Stage,
	stage,
	WORKS,
} from "./stage.ts";

const exitOnly = (run: string) => ({ kind: "acceptance", run, timeout: "20s" });
const MISSING = { tests: exitOnly("no-such-runner --all") };

/** The runs of a repository, newest first, each as its status. */
async function statuses({ json }: Stage): Promise<readonly string[]> {
	const runs = (await json("runs")) as readonly { readonly status: string }[];
	return runs.map(({ status }) => status);
}

thorough(
	"a check that cannot run ends a run with exit 2 before any call, with people on too, and resume goes on",
	async () => {
		const set = stage({ human: true, steps: [WORKS, APPROVES], workflow: { checks: MISSING } });
		const { code, stdout, stderr } = await set.spar(["run", "--json"]);
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toContain('check tests could not run: "sh: 1: no-such-runner: not found"');
		expect(stderr).toMatch(/^To go on as it is: spar resume \S+ --anyway$/m);
		expect(set.agents.calls()).toEqual([]);
		expect(await set.json("hil", "list")).toEqual([]);

		const status = await set.spar(["status"]);
		expect(status.stdout).toContain("stopped before its first call");
		expect(status.stdout).toContain("one: in the way: check tests: ");
		expect(status.stdout).toMatch(/spar resume \S+ +once the cause is gone/);

		// Nothing has changed: it is refused again. Then the program is there.
		expect((await set.spar(["resume"])).code).toBe(2);
		set.repo.write({ "../bin/no-such-runner": "#!/bin/sh\nsh check.sh\n" });
		const PATH = `${set.repo.home}/bin:${set.repo.env["PATH"] ?? ""}`;
		chmodSync(`${set.repo.home}/bin/no-such-runner`, 0o755);
		expect((await set.spar(["resume"], { env: { PATH } })).code).toBe(0);
		expect(await statuses(set)).toEqual(["completed"]);
		expect(dataOf(set.trace(), "task-started")).toHaveLength(1);
	},
);

thorough("a result that lacked a program is not kept: resume runs the check again", async () => {
	const run = "no-such-runner || exit 1";
	const checks = { tests: { kind: "acceptance", run, report: { format: "exit" } } };
	const set = stage({ steps: [WORKS, APPROVES], workflow: { checks } });
	expect((await set.spar(["run"])).code).toBe(2);
	set.repo.write({ "../bin/no-such-runner": "#!/bin/sh\nsh check.sh\n" });
	chmodSync(`${set.repo.home}/bin/no-such-runner`, 0o755);
	const PATH = `${set.repo.home}/bin:${set.repo.env["PATH"] ?? ""}`;
	expect((await set.spar(["resume"], { env: { PATH } })).code).toBe(0);
});

thorough(
	"a new run takes the place of one that a preflight stopped; --anyway goes on",
	async () => {
		const set = stage({ steps: [WORKS, APPROVES], workflow: { checks: MISSING } });
		expect((await set.spar(["run"])).code).toBe(2);
		const { code, task, stderr } = await set.run("--anyway");
		expect({ code, flags: task.flags }).toEqual({ code: 1, flags: ["environment"] });
		expect(stderr).toContain("which had not begun, is cancelled: this one takes its place");
		expect(stderr).toContain("note: check tests could not run");
		expect(set.agents.calls()).not.toEqual([]);
		expect(await statuses(set)).toEqual(["failed", "cancelled"]);
	},
);

thorough("seats are tried before a run exists: all that is missing is told at once", async () => {
	const set = stage({
		steps: [],
		workflow: {
			agents: {
				dev: { adapter: "command", run: ["./agents/dev.sh"] },
				coach: { adapter: "command", run: ["no-such-coach"] },
				idle: { adapter: "command", run: ["no-such-idler"] },
			},
		},
	});
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain(
		"agent dev needs the program ./agents/dev.sh, which is not in the commit that the run starts from",
	);
	expect(stderr).toContain("agent coach needs the program no-such-coach, which is not on the PATH");
	expect(stderr).not.toContain("idle");
	expect(await statuses(set)).toEqual([]);

	const doctor = await set.spar(["doctor", "--json"]);
	expect(doctor.code).toBe(1);
	expect(JSON.parse(doctor.stdout)).toEqual(
		listWith(
			{ name: "agent coach", ok: false, needed: true },
			{ name: "agent idle", ok: false, needed: false },
		),
	);
});

test("a gate that can pass no work stops the run before its first call; --anyway goes on, and its stop has one headline", async () => {
	const minor = { issue: "the name is odd", severity: "minor" };
	const set = stage({
		human: true,
		steps: [WORKS, { role: "coach", report: { ...APPROVAL, feedback_items: [minor] } }],
		task: {
			max_turns: 1,
			overlays: { ...pair(), policy_gate: { enabled: true, risk_tier: "T2" } },
		},
	});
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain(
		"error: a gate of tier T2 cannot pass: there is no lint, no security, no readiness check: add it, or waive it with a reason (`waive`); tasks: one",
	);
	expect(stderr).toContain("No agent was called.");
	expect(set.agents.calls()).toEqual([]);
	expect(await statuses(set)).toEqual([]);

	const ran = await set.spar(["run", "--anyway"]);
	expect(ran.code).toBe(3);
	const headline = "turn limit: Max turns (1) reached without approval";
	expect(ran.shown).toContain(`asks     ${headline}`);
	expect((await set.spar(["status"])).stdout).toContain(`one: ${headline}`);
	expect((await set.spar(["questions"])).stdout).toMatch(/turn limit +waiting +Max turns \(1\) /);
	expect((await set.spar(["trace", "one"])).stdout).toContain(headline.replace(": ", "): "));
});

thorough(
	"with --anyway a seat that cannot be taken fails its own task, and its dependants are blocked",
	async () => {
		const described = { agent: "dev", description: "Do it.", acceptance_criteria: [CRITERION] };
		const set = stage({
			human: true,
			steps: [WORKS, APPROVES],
			workflow: {
				agents: { gone: { adapter: "command", run: ["no-such-program"] } },
				tasks: {
					a: { ...described, agent: "gone" },
					b: { ...described, depends_on: ["a"] },
					c: described,
				},
			},
		});
		const { code, report } = await set.run("--anyway");
		expect(code).toBe(1);
		expect(report.tasks).toMatchObject({
			a: {
				status: "failed",
				flags: ["role_error"],
				failure_reason: "agent gone needs the program no-such-program, which is not on the PATH",
			},
			b: { status: "blocked" },
			c: { status: "completed", merged: true },
		});
	},
);

thorough("red cases alone stop nobody without a terminal", async () => {
	const red = stage({
		human: true,
		steps: [WORKS, APPROVES],
		files: {
			"check.sh": `printf 'TAP version 13\\n1..1\\n'
if [ -f work.txt ]; then echo "ok 1 - works"; else echo "not ok 1 - works"; exit 1; fi
`,
		},
	});
	const { code, stderr } = await red.run();
	expect(code).toBe(0);
	expect(stderr).toContain("note: the only test case fails before any work");
	expect(dataOf(red.trace(), "preflight-ended")).toMatchObject([{ outcome: "went_on" }]);
});

test("a setup that fails is told with its cause, and a dry run tries nothing", async () => {
	const set = stage({
		steps: [WORKS, APPROVES],
		workflow: { setup: ["echo npm error 404 left-pad is not there; exit 3"] },
	});
	expect((await set.spar(["run", "--dry-run"])).code).toBe(0);
	const { code, stderr } = await set.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain('setup failed: "npm error 404 left-pad is not there" (setup "');
	expect(set.agents.calls()).toEqual([]);
});

thorough("a seat that has gone since the run was left is told when it is resumed", async () => {
	const set = stage({
		human: true,
		steps: [WORKS, APPROVES],
		task: { requires_human: true },
		workflow: {
			agents: { spare: { adapter: "cassette", file: "tape.jsonl" } },
			tie_breaker: "spare",
		},
		files: { "tape.jsonl": "" },
	});
	const { code, task } = await set.run();
	expect(code).toBe(3);
	expect((await set.spar(["hil", "resolve", task.human_item ?? ""])).code).toBe(0);
	set.repo.write({ "tape.jsonl": "no JSON\n" });
	const refused = await set.spar(["resume"]);
	expect(refused.code).toBe(2);
	expect(refused.stderr).toContain("tape.jsonl");
	expect((await set.resume("--anyway")).code).toBe(0);
});

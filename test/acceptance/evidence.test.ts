import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, dataOf, stage, TAP_OK, TAP_RED, TESTS, WORKS } from "./stage.ts";

const TAP_NONE = "TAP version 13\n1..0\n";
const task = (more: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do it.",
	acceptance_criteria: [CRITERION],
	max_turns: 1,
	overlays: pair(),
	...more,
});
const exitOnly = (run: string) => ({ kind: "acceptance", run, report: { format: "exit" } });

thorough(
	"a check that is red at the baseline and has only an exit code must become green",
	async () => {
		const { run, trace } = stage({
			steps: [
				{ role: "player", turn: 1, run: "echo x >> work.txt" },
				{ role: "player", run: "touch done.txt" },
				APPROVES,
			],
			workflow: { checks: { tests: exitOnly("test -f done.txt") } },
		});
		const { code, task: one } = await run();
		expect(code).toBe(0);
		expect(one).toMatchObject({ turns: 2, merged: true });
		const [, first, second] = dataOf(trace(), "check-ran");
		expect(first).toMatchObject({ status: "fail" });
		expect(first?.["reason"]).toContain("it failed at the baseline too and must pass");
		expect(second).toMatchObject({ status: "pass" });
	},
);

thorough("a case that failed before and still fails is known, and does not count", async () => {
	const { run, trace } = stage({
		steps: [WORKS, APPROVES],
		files: { "results.tap": "TAP version 13\n1..2\nok 1 - works\nnot ok 2 - old trouble\n" },
	});
	expect(await run()).toMatchObject({ code: 0, task: { merged: true, turns: 1 } });
	const [before, after] = dataOf(trace(), "check-ran");
	expect(before).toMatchObject({ status: "fail" });
	expect(after).toMatchObject({ status: "pass" });
	expect(JSON.stringify(after?.["counts"])).toMatch(/known_?failing":1/i);
});

test("no tests, where there were none before, is a fault of the environment, not a pass", async () => {
	const { run, trace } = stage({
		steps: [WORKS, APPROVES],
		files: { "results.tap": TAP_NONE },
	});
	const { code, task: one } = await run();
	expect(code).toBe(1);
	expect(one).toMatchObject({ status: "failed", merged: false, flags: ["environment"] });
	expect(one.failure_reason).toContain("tests is absent");
	const inTurn = dataOf(trace(), "check-ran").filter(({ purpose }) => purpose === "turn");
	expect(inTurn.map(({ status }) => status)).toEqual(["absent", "absent", "absent"]);
});

thorough(
	"a person who mends the environment lets the same turn go on, without a charge",
	async () => {
		const { repo, run, resume, json, spar, agents } = stage({
			human: true,
			steps: [WORKS, APPROVES],
			workflow: {
				checks: { tests: { kind: "acceptance", run: `cat "${USER_HOME}/results.tap"` } },
			},
		});
		const { code, task: one } = await run();
		expect(code).toBe(3);
		const id = one.human_item ?? "";
		expect(await json("hil", "show", id)).toMatchObject({
			trigger: "environment",
			choices: ["continue"],
		});
		repo.write({ "../results.tap": TAP_OK });
		expect((await spar(["hil", "resolve", id])).code).toBe(0);
		expect(await resume()).toMatchObject({ code: 0, task: { turns: 1, merged: true } });
		expect(agents.calls().filter(({ event }) => event === "start")).toHaveLength(2);
	},
);

thorough(
	"what a player breaks is its own fault, and rework: tests that vanish, a check that cannot be judged any more, one that never ends",
	async () => {
		const { run, trace } = stage({
			steps: [
				{ task: "vanished", role: "player", files: { "results.tap": TAP_NONE } },
				{ task: "garbled", role: "player", files: { "results.tap": "all good, 5 passed\n" } },
				{ task: "red", role: "player", files: { "results.tap": TAP_RED } },
				{ task: "endless", role: "player", files: { "wait.txt": "30" } },
				APPROVES,
			],
			workflow: {
				checks: {
					tests: {
						kind: "acceptance",
						run: "if test -f wait.txt; then sleep 30; fi; cat results.tap",
						timeout: "1s",
					},
				},
				tasks: { vanished: task(), garbled: task(), red: task(), endless: task() },
			},
		});
		const { report } = await run();
		for (const [name, status] of [
			["vanished", "absent"],
			["garbled", "absent"],
			["red", "fail"],
			["endless", "error"],
		] as const) {
			expect(report.tasks[name]).toMatchObject({
				status: "failed",
				merged: false,
				flags: ["loop_exhausted", "max_iterations_exceeded"],
			});
			const turn = dataOf(trace(name), "check-ran").filter(
				({ purpose, kind }) => purpose === "turn" && kind === "acceptance",
			);
			expect(turn).toMatchObject([{ status }]);
		}
	},
);

thorough("a report that is older than the check is absent, however green", async () => {
	const green = '<testsuite tests="1"><testcase name="a"/></testsuite>\n';
	const { run } = stage({
		steps: [WORKS, APPROVES],
		files: { "out/junit.xml": green },
		workflow: {
			checks: {
				tests: { ...TESTS, run: "true", report: { format: "junit", path: "out/junit.xml" } },
			},
		},
	});
	const { code, task: one } = await run();
	expect(code).toBe(1);
	expect(one).toMatchObject({ merged: false, flags: ["environment"] });
});

thorough("a check whose program is missing names it and merges nothing", async () => {
	const { run } = stage({
		steps: [WORKS, APPROVES],
		workflow: { checks: { tests: exitOnly("no-such-runner --all") } },
	});
	const { code, task: one } = await run("--anyway");
	expect(code).toBe(1);
	expect(one).toMatchObject({ merged: false, flags: ["environment"] });
	expect(one.failure_reason).toContain("was not found");
});

thorough(
	"a single agent without a coach merges on evidence alone, and goes on until it is there",
	async () => {
		const { run } = stage({
			steps: [
				{ task: "solo", role: "player", turn: 1, files: { "results.tap": TAP_RED } },
				{ task: "solo", role: "player", files: { "results.tap": TAP_OK, "more.txt": "x" } },
			],
			workflow: { tasks: { solo: task({ overlays: {}, max_turns: 3 }) } },
		});
		expect(await run()).toMatchObject({
			code: 0,
			task: { turns: 2, merged: true, challenger_approved: null },
		});
	},
);

thorough(
	"without a gate or an acceptance check a task completes as unchecked and is not merged",
	async () => {
		const { run, spar, trace } = stage({
			steps: [WORKS, APPROVES],
			workflow: { checks: {} },
		});
		expect(await run()).toMatchObject({
			task: { status: "completed", merged: false, flags: ["unchecked"], gate: null },
		});
		expect((await spar(["status"])).stdout).toContain("one: nothing was tested");
		expect(dataOf(trace(), "turn-routed")).toMatchObject([
			{
				reason:
					"the coach approved and nothing blocks; nothing was tested: the workflow has no checks",
			},
		]);
	},
);

thorough(
	"a single agent without checks is not said to have passed anything, also where the gate is declined",
	async () => {
		const solo = { overlays: { policy_gate: { enabled: false } }, max_turns: 1 };
		const { run, trace } = stage({ steps: [WORKS], task: solo, workflow: { checks: {} } });
		expect(await run()).toMatchObject({ task: { merged: true, flags: ["unchecked"] } });
		expect(dataOf(trace(), "turn-routed")).toMatchObject([
			{ route: "approve", reason: "nothing was tested: the workflow has no checks" },
		]);
	},
);

import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, dataOf, stage, TAP_RED, TESTS, WORKS } from "./stage.ts";

const TAP_NONE = "TAP version 13\n1..0\n";
const task = (more: Readonly<Record<string, unknown>> = {}) => ({
	agent: "dev",
	description: "Do it.",
	acceptance_criteria: [CRITERION],
	max_turns: 1,
	overlays: pair(),
	...more,
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

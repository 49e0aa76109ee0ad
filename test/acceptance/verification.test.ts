import { expect, test } from "vitest";
import { APPROVES, dataOf, type Play, stage, textLike } from "./stage.ts";

/** A program that answers 0 before the task, and 3 when the task is done. */
const FILES = { "limit.sh": "echo 0\n" };
const plays = (turn: number | undefined, answer: number) => ({
	role: "player" as const,
	...(turn === undefined ? {} : { turn }),
	run: `echo 'echo ${answer}' > limit.sh`,
});

/** A test of a verifier's, as a script that prints TAP: one case for each expectation. */
const script = (...cases: readonly (readonly [name: string, condition: string])[]): string =>
	[
		"echo 'TAP version 13'",
		`echo '1..${cases.length}'`,
		"bad=0",
		...cases.map(
			([name, condition], index) =>
				`if ${condition}; then echo 'ok ${index + 1} - ${name}'; else echo 'not ok ${index + 1} - ${name}'; bad=1; fi`,
		),
		"exit $bad\n",
	].join("\n");

const PATH = "test/integration/limit.test.sh";
const RUN = `sh ${PATH}`;
const THREE = script(["allows three", '[ "$(sh limit.sh)" = 3 ]']);
const writes = (text: string, more: object = {}) => ({
	role: "verifier" as const,
	files: { [PATH]: text },
	report: { run: RUN, tests_written: [PATH] },
	...more,
});

/** A stage with a verifier and a task that requires it. */
const verified = (play: Play) =>
	stage({
		...play,
		files: { ...FILES, ...play.files },
		task: { requires_verification: true, ...play.task },
		workflow: { verifier: "coach", verification: { paths: ["test/**"] }, ...play.workflow },
	});

test("work that a verifier's test refuses goes back with the failure, and merges with the tests when they pass", async () => {
	const { repo, run, trace, agents } = verified({
		steps: [plays(1, 2), plays(undefined, 3), writes(THREE), APPROVES],
	});
	const { code, report, task } = await run();
	expect(task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });
	expect(code).toBe(0);
	expect(repo.git("show", `${report.branch}:${PATH}`)).toContain("allows three");
	expect(dataOf(trace(), "verification-decided")).toMatchObject([
		{ verdict: "failed", attempts: 1, tests: [{ name: "allows three", status: "failed" }] },
		{
			verdict: "passed",
			attempts: 0,
			reasons: ["1 test passed", textLike("fails on the start commit")],
		},
	]);
	const roles = agents.calls().filter(({ event }) => event === "start");
	expect(roles.map(({ role, turn }) => `${role} ${turn}`)).toEqual([
		"player 1",
		"verifier 1",
		"player 2",
		"coach 2",
	]);
	const moves = dataOf(trace(), "phase-changed").map(
		({ from, to }) => `${String(from)} -> ${String(to)}`,
	);
	expect(moves).toEqual(
		expect.arrayContaining([
			"validated -> verifying",
			"verifying -> verifying_dispatched",
			"verifying_dispatched -> verification_failed",
			"verification_failed -> processing_feedback",
			"verifying_dispatched -> verified",
			"verified -> coach_validating",
		]),
	);
});

import { expect, test } from "vitest";
import { pair } from "../support/workflow.ts";
import type { MemoryStep } from "./memory-agents.ts";
import { type MemoryRun, memoryRun } from "./memory-run.ts";
import { CRITERION, TAP_OK, TAP_RED, TESTS } from "./memory-state.ts";
import { APPROVAL, APPROVES, dataOf, fixed, IDLE, major, tasks, textLike, WORKS } from "./said.ts";

const TAP_NONE = "TAP version 13\n1..0\n";
const exitOnly = (run: string) => ({ kind: "acceptance", run, report: { format: "exit" } });
const has = (path: string) => (files: ReadonlyMap<string, unknown>) => (files.has(path) ? 0 : 1);

const checksRan = async (set: MemoryRun, task?: string) =>
	dataOf(await set.trace(task), "check-ran").filter(
		({ purpose, kind }) => purpose === "turn" && kind === "acceptance",
	);

test("a check that is red at the baseline and has only an exit code must become green", async () => {
	const done: MemoryStep = { role: "player", files: { "done.txt": "" } };
	const set = memoryRun({
		steps: [{ ...WORKS, turn: 1 }, done, APPROVES],
		workflow: { checks: { tests: exitOnly("test -f done.txt") } },
		programs: { "test -f done.txt": has("done.txt") },
	});
	const { code, task } = await set.run();
	expect({ code, turns: task.turns, merged: task.merged }).toEqual({
		code: 0,
		turns: 2,
		merged: true,
	});
	const [first, second] = await checksRan(set);
	expect(first).toMatchObject({
		status: "fail",
		reason: textLike("it failed at the baseline too and must pass"),
	});
	expect(second).toMatchObject({ status: "pass" });
});

test("a case that failed before and still fails is known, and does not count", async () => {
	const files = { "results.tap": "TAP version 13\n1..2\nok 1 - works\nnot ok 2 - old trouble\n" };
	const set = memoryRun({ steps: [WORKS, APPROVES], files });
	expect(await set.run()).toMatchObject({ code: 0, task: { merged: true, turns: 1 } });
	expect(set.problems).toMatchObject([{ kind: "uncounted" }]);
	expect(await checksRan(set)).toMatchObject([{ status: "pass", counts: { known_failing: 1 } }]);
});

test("no tests, where there were none before, is a fault of the environment, not a pass", async () => {
	const set = memoryRun({ steps: [WORKS, APPROVES], files: { "results.tap": TAP_NONE } });
	const { code, task } = await set.run();
	expect(code).toBe(1);
	expect(task).toMatchObject({ status: "failed", merged: false, flags: ["environment"] });
	expect(task.failure_reason).toContain("tests is absent");
	expect((await checksRan(set)).map(({ status }) => status)).toEqual([
		"absent",
		"absent",
		"absent",
	]);
});

test("a person who mends the environment lets the same turn go on, without a charge", async () => {
	let printed = "";
	const set = memoryRun({
		human: true,
		steps: [WORKS, APPROVES],
		workflow: { checks: { tests: { kind: "acceptance", run: "cat elsewhere" } } },
		programs: { "cat elsewhere": () => ({ output: printed, exitCode: printed === "" ? 1 : 0 }) },
	});
	expect((await set.run()).code).toBe(3);
	expect(await set.question()).toMatchObject({ trigger: "environment", choices: ["continue"] });
	printed = TAP_OK;
	await set.answer({});
	expect(await set.run()).toMatchObject({ code: 0, task: { turns: 1, merged: true } });
	expect(set.agents.calls).toHaveLength(2);
});

test.each([
	["tests that vanish", { "results.tap": TAP_NONE }, "absent"],
	["a check that cannot be judged any more", { "results.tap": "all good, 5 passed\n" }, "absent"],
	["a test that fails", { "results.tap": TAP_RED }, "fail"],
	["a check that never ends", { "wait.txt": "30" }, "error"],
])("%s are the player's fault, and rework", async (_name, files, status) => {
	const set = memoryRun({
		steps: [{ role: "player", files }, APPROVES],
		task: { max_turns: 1 },
		workflow: { checks: { tests: { ...TESTS, run: "cat" } } },
		programs: {
			cat: (all) =>
				all.has("wait.txt")
					? { timedOut: true, exitCode: null }
					: { output: all.get("results.tap")?.text ?? "" },
		},
	});
	expect((await set.run()).task).toMatchObject({
		status: "failed",
		merged: false,
		flags: ["loop_exhausted", "max_iterations_exceeded"],
	});
	expect(await checksRan(set)).toMatchObject([{ status }]);
});

test("a check whose program is missing names it and merges nothing", async () => {
	const set = memoryRun({
		steps: [WORKS, APPROVES],
		workflow: { checks: { tests: exitOnly("no-such-runner") } },
		programs: { "no-such-runner": () => 127 },
	});
	const { code, task } = await set.run();
	expect(code).toBe(1);
	expect(task).toMatchObject({ merged: false, flags: ["environment"] });
	expect(task.failure_reason).toContain("was not found");
});

test("a single agent without a coach merges on evidence alone, and goes on until it is there", async () => {
	const set = memoryRun({
		steps: [
			{ role: "player", turn: 1, files: { "results.tap": TAP_RED } },
			{ role: "player", files: { "results.tap": TAP_OK, "more.txt": "x" } },
		],
		task: { overlays: {}, max_turns: 3 },
	});
	expect(await set.run()).toMatchObject({
		code: 0,
		task: { turns: 2, merged: true, challenger_approved: null },
	});
});

test("without a gate or an acceptance check a task completes as unchecked and is not merged", async () => {
	const set = memoryRun({ steps: [WORKS, APPROVES], workflow: { checks: {} } });
	expect((await set.run()).task).toMatchObject({
		status: "completed",
		merged: false,
		flags: ["unchecked"],
		gate: null,
	});
	expect(dataOf(await set.trace(), "turn-routed")).toMatchObject([
		{
			reason:
				"the coach approved and nothing blocks; nothing was tested: the workflow has no checks",
		},
	]);
});

test("a single agent without checks is not said to have passed anything, also where the gate is declined", async () => {
	const task = { overlays: { policy_gate: { enabled: false } }, max_turns: 1 };
	const set = memoryRun({ steps: [WORKS], task, workflow: { checks: {} } });
	expect((await set.run()).task).toMatchObject({ merged: true, flags: ["unchecked"] });
	expect(dataOf(await set.trace(), "turn-routed")).toMatchObject([
		{ route: "approve", reason: "nothing was tested: the workflow has no checks" },
	]);
});

const ALONE = { overlays: {} };
const shown = (...tests: readonly string[]) => ({
	...APPROVAL,
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "ran", tests }],
});
const SCORE = {
	confidence_loop: {
		enabled: true,
		mode: "composite",
		threshold: 0,
		metrics: [{ type: "lint_score", weight: 1 }],
		exit_conditions: ["confidence_score >= 0.0"],
	},
};
const PARTS = {
	subtasks: ["first", "second"].map((id) => ({ id, description: id, acceptance_criteria: [id] })),
	acceptance_criteria: [],
};
const partsShown = (tests: readonly string[]) => ({
	...APPROVAL,
	requirements_status: ["first", "second"].map((criterion) => ({ criterion, met: true, tests })),
});
const FIRST: MemoryStep = { role: "player", turn: 1, files: { "first.txt": "first\n" } };

test.each<[string, readonly MemoryStep[], object]>([
	["who does nothing alone", [IDLE], ALONE],
	["who only reports", [{ ...IDLE, report: { files_created: ["src/a.js"] } }], ALONE],
	["who asks", [{ ...IDLE, stdout: "May I edit files?" }], ALONE],
	["who takes its work back", [{ role: "player", files: { "new.txt": null } }], ALONE],
	["who is scored above the threshold", [IDLE], { overlays: SCORE }],
	["who does only the first part", [FIRST, IDLE], { ...ALONE, ...PARTS }],
	["whom a coach approves", [IDLE, APPROVES], {}],
	["whose coach names a test that nobody knows", [IDLE, { role: "coach", report: shown("x") }], {}],
	[
		"whose parts a coach approves without a test",
		[IDLE, { role: "coach", report: partsShown([]) }],
		PARTS,
	],
])("%s does not complete, and nothing merges", async (_name, steps, more) => {
	const set = memoryRun({ steps, task: { max_turns: 4, requires_verification: false, ...more } });
	const { code, task } = await set.run();
	const { status, merged, flags } = task;
	expect({ code, status, merged, flags }).toEqual({
		code: 1,
		status: "failed",
		merged: false,
		flags: ["nothing_changed"],
	});
});

test("who did nothing hears what is wrong with the report, and the reason of the end says it", async () => {
	const set = memoryRun({ steps: [IDLE], task: ALONE });
	expect((await set.run()).task.failure_reason).toContain(
		"the player's report cannot be used: no report was handed in",
	);
});

test("nothing done is nothing also where nothing tests the work", async () => {
	const declined = { overlays: { policy_gate: { enabled: false } } };
	for (const [task, coach] of [
		[ALONE, APPROVES],
		[declined, APPROVES],
		[{}, { role: "coach", report: shown("works") }],
	] as const) {
		const set = memoryRun({ steps: [IDLE, coach], task, workflow: { checks: {} } });
		const { status, flags } = (await set.run()).task;
		expect({ status, flags }).toEqual({ status: "failed", flags: ["nothing_changed"] });
	}
});

test("work that was there already completes with proof, merges nothing, and lets its dependants start", async () => {
	const set = memoryRun({
		steps: [
			{ ...FIRST, task: "second-part" },
			IDLE,
			{ role: "coach", task: "second-part", report: partsShown(["works"]) },
			{ role: "coach", task: "all-parts", report: partsShown(["works"]) },
			{ role: "coach", report: shown("works") },
		],
		workflow: {
			tasks: tasks({
				proof: {},
				"second-part": PARTS,
				"all-parts": PARTS,
				gate: {
					overlays: {
						...pair(),
						policy_gate: { enabled: true, risk_tier: "T0", require_coverage: true },
					},
				},
				after: { depends_on: ["proof"] },
			}),
		},
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	for (const [id, { status, merged, flags }] of Object.entries(report.tasks)) {
		const works = id === "second-part";
		expect([id, status, merged, flags]).toEqual([
			id,
			"completed",
			works,
			works ? [] : ["already_done"],
		]);
	}
});

const GHOST = "src/ghost.js";
const FALSE = `${GHOST}: reported as modified, but not in the diff`;
const reports = (turn: number, ...files_modified: readonly string[]): MemoryStep => ({
	...WORKS,
	turn,
	report: { files_modified },
});
const asksForMore = (turn: number): MemoryStep => ({
	role: "coach",
	turn,
	report: major(`more of part ${turn}`),
});
const approves = (count: number): MemoryStep => ({
	role: "coach",
	report: fixed(...Array.from({ length: count }, (_, n) => `F${n + 1}`)),
});

test("a false claim is shown to the coach as a fact and told to its player, and blocks nothing by itself", async () => {
	const set = memoryRun({
		steps: [reports(1, "work.txt", GHOST), asksForMore(1), reports(2, "./work.txt"), approves(1)],
	});
	const { code, task } = await set.run();
	expect([code, task.status, task.false_claims]).toEqual([0, "completed", []]);
	expect(dataOf(await set.trace(), "claims-compared")).toEqual([
		{ honest: 0.5, discrepancies: [FALSE], in_a_row: 1 },
		{ honest: 1, discrepancies: [], in_a_row: 0 },
	]);
	const [, coach] = set.agents.calls;
	expect(coach?.context).toMatchObject({
		false_claims: [{ kind: "file", said: "modified", file: GHOST, text: FALSE }],
	});
	expect(coach?.prompt).toContain(FALSE);
	expect(set.agents.prompts("player", 2)[0]).toContain(FALSE);
});

const LIES = [1, 2, 3, 4].flatMap((turn) => [reports(turn, "work.txt", GHOST), asksForMore(turn)]);

test("three false reports in a row end the task with that reason, and the third turn asks no coach", async () => {
	const set = memoryRun({ steps: LIES });
	const { code, task } = await set.run();
	expect(code).toBe(1);
	expect(task).toMatchObject({
		status: "failed",
		turns: 3,
		merged: false,
		flags: ["false_claims"],
		failure_reason: `The player's reports are false: 3 reports in a row by dev make false claims; the last about ${GHOST}`,
		false_claims: [FALSE],
	});
	expect(set.agents.calls.at(-1)).toMatchObject({ role: "player", turn: 3 });
});

test("a report that is right in between begins a new row", async () => {
	const set = memoryRun({
		steps: [
			...[1, 2, 4].flatMap((turn) => [reports(turn, GHOST), asksForMore(turn)]),
			reports(3, "work.txt"),
			asksForMore(3),
			reports(5, "work.txt"),
			approves(4),
		],
	});
	expect((await set.run()).task).toMatchObject({ status: "completed", turns: 5 });
});

test("a check that the player saw pass, and that fails for Sparring, is a false claim", async () => {
	const player: MemoryStep = {
		role: "player",
		files: { "results.tap": TAP_RED },
		report: { checks_passed: ["sh check.sh"] },
	};
	const set = memoryRun({ steps: [player, APPROVES], task: { max_turns: 1 } });
	await set.run();
	expect(dataOf(await set.trace(), "claims-compared")).toMatchObject([
		{ honest: 0, discrepancies: ["tests: reported as passed, but it failed when Sparring ran it"] },
	]);
});

test("with people on a person sees the false claims, and can look past them", async () => {
	const set = memoryRun({ steps: LIES, human: true, task: { max_turns: 4 } });
	const { code, task } = await set.run();
	expect({ code, turns: task.turns }).toEqual({ code: 3, turns: 3 });
	expect(await set.question()).toMatchObject({
		trigger: "false_claims",
		choices: ["take_developer", "take_reviewer", "directive"],
		context: { false_claims: [FALSE] },
	});
	await set.answer({ take: "developer" });
	// The coach of the third turn judges the work, and a new row begins with the fourth report.
	expect((await set.run()).task).toMatchObject({ status: "paused_for_human", turns: 4 });
	expect((await set.question()).trigger).toBe("loop_exhausted");
});

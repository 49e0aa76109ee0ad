import { expect, test } from "vitest";
import {
	APPROVES,
	CRITERION,
	dataOf,
	listWith,
	outcomeOf,
	stage,
	textLike,
} from "../acceptance/stage.ts";
import type { Step } from "../support/scripted-agents.ts";
import { pair } from "../support/workflow.ts";

const SECRET = "hunter2hunter2hunter2";
const WHAT = "the criterion asks for 3, and the test for 4";
const stops = (more: Partial<Step> = {}): Step => ({
	role: "player",
	report: {
		blocked: {
			reason: "test",
			what: `${WHAT}; key ${SECRET}`,
			evidence: ["check.sh > works: expected 4", "node --test prints not ok 1"],
			proposal: "change the test to 3",
		},
		implementation_notes: "I stopped",
	},
	...more,
});

const tasksOf = (tasks: Readonly<Record<string, object>>) => ({
	tasks: Object.fromEntries(
		Object.entries(tasks).map(([id, more]) => [
			id,
			{
				agent: "dev",
				description: "Do the work.",
				acceptance_criteria: [CRITERION],
				overlays: pair(),
				max_turns: 3,
				...more,
			},
		]),
	),
});

test("a player that stops is heard at once: no coach, no further turn, its words as the reason", async () => {
	const parts = ["a", "b"].map((id) => ({ id, description: id, acceptance_criteria: [id] }));
	const tasks = { alone: { overlays: {} }, pair: {}, changed: {}, parts: { subtasks: parts } };
	const at = stage({
		steps: [
			stops({ task: "changed", run: "echo half > half.txt" }),
			// What else is wrong in the report takes the word from nobody.
			stops({ task: "alone", report: { blocked: WHAT, concerns: 7 } }),
			stops(),
			APPROVES,
		],
		workflow: tasksOf(tasks),
	});
	const { code, report } = outcomeOf(
		await at.spar(["run", "--json"], { env: { MY_TOKEN: SECRET } }),
	);
	expect(code).toBe(1);
	for (const [id, task] of Object.entries(report.tasks))
		expect([id, task]).toMatchObject([
			id,
			{
				status: "failed",
				flags: ["player_blocked"],
				turns: 1,
				merged: false,
				failure_reason: textLike(WHAT),
			},
		]);
	expect(at.agents.calls().every(({ role }) => role === "player")).toBe(true);
	expect(dataOf(at.trace("pair"), "player-blocked")).toMatchObject([
		{ reason: "test", what: textLike(WHAT), proposal: "change the test to 3" },
	]);
	const junit = await at.spar(["report", "--format", "junit"]);
	const told = [await at.spar(["status"]), await at.spar(["trace", "pair"]), junit];
	for (const { stdout } of told) {
		expect(stdout).toContain(WHAT);
		expect(stdout).not.toContain(SECRET);
	}
});

test("a person sees its words beside Sparring's own run, and each answer leads on", async () => {
	const at = stage({
		human: true,
		steps: [
			stops({ task: "taken", run: "echo half > half.txt" }),
			stops({ turn: 1 }),
			{
				role: "player",
				run: 'cp "$SPAR_PROMPT" "$HOME/$SPAR_TASK.md"; echo more > "$SPAR_TASK.txt"',
			},
			APPROVES,
		],
		workflow: tasksOf({ taken: {}, nothing: {}, on: {}, told: {}, rejected: {} }),
	});
	const { code, report } = await at.run();
	expect(code).toBe(3);
	const item = (task: string): string => report.tasks[task]?.human_item ?? "";
	expect(await at.json("hil", "show", item("taken"))).toMatchObject({
		trigger: "player_blocked",
		reason: textLike(WHAT),
		choices: ["take_developer", "take_reviewer", "directive"],
		context: {
			blocked: {
				reason: "test",
				what: textLike(WHAT),
				tests: [{ check: "tests", name: "works", status: "passed" }],
			},
			evidence: listWith({ check: "tests", status: "pass" }),
		},
	});
	const shown = (await at.spar(["hil", "show", item("taken")])).stdout;
	for (const text of [WHAT, "Sparring ran works (tests) passed", "The player's word is accepted"])
		expect(shown).toContain(text);
	const answers = {
		taken: ["resolve", item("taken"), "--take", "player"],
		nothing: ["resolve", item("nothing"), "--take", "player"],
		on: ["resolve", item("on"), "--take", "coach"],
		told: ["resolve", item("told"), "--directive", "The test is right."],
		rejected: ["reject", item("rejected"), "--reason", "drop it"],
	};
	for (const words of Object.values(answers))
		expect((await at.spar(["hil", ...words])).code).toBe(0);
	const { report: after } = await at.resume();
	expect(after.tasks).toMatchObject({
		taken: { status: "completed", merged: true, turns: 1, flags: [] },
		nothing: { status: "completed", merged: false, turns: 1, flags: ["already_done"] },
		on: { status: "completed", merged: true, turns: 2 },
		told: { status: "completed", merged: true, turns: 2 },
		rejected: { status: "failed", failure_reason: textLike("drop it") },
	});
	const coached = at.agents.calls().filter(({ role }) => role === "coach");
	expect(new Set(coached.map(({ task }) => task))).toEqual(new Set(["on", "told"]));
	expect(at.kept("on.md")).toContain(`You stopped in the last turn`);
	expect(at.kept("on.md")).toContain(WHAT);
	expect(at.kept("told.md")).toContain("The test is right.");
});

test("who changed nothing and named no test is asked about, and a person's word completes it", async () => {
	const at = stage({
		human: true,
		steps: [
			{ role: "player", turn: 2, run: 'cp "$SPAR_PROMPT" "$HOME/second.md"' },
			{ role: "player", report: { concerns: ["the test contradicts the criterion"] } },
		],
		task: { overlays: {} },
	});
	const { code, task } = await at.run();
	expect([code, task.status, task.turns]).toEqual([3, "paused_for_human", 2]);
	expect(at.kept("second.md")).toContain("You changed nothing");
	const id = String(task.human_item);
	const shown = (await at.spar(["hil", "show", id])).stdout;
	for (const text of ["about: nothing changed", "nothing to merge"]) expect(shown).toContain(text);
	await at.spar(["hil", "resolve", id, "--take", "player"]);
	const after = await at.resume();
	expect([after.code, after.task.status, after.task.merged]).toEqual([0, "completed", false]);
	const landed = await at.spar(["land"]);
	expect(landed.code).toBe(0);
	expect(landed.stderr).toContain("the work was there already");
});

test("a report that says blocked and not by what stops nobody, and the trace says so", async () => {
	const at = stage({
		steps: [
			{ role: "player", run: "echo more > work.txt", report: { blocked: { reason: "task" } } },
			APPROVES,
		],
	});
	expect((await at.run()).task).toMatchObject({ status: "completed", merged: true });
	expect((await at.spar(["trace", "one"])).stdout).toContain("but not by what: ignored");
});

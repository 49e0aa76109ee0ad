import { expect, test } from "vitest";
import type { MemoryStep } from "./memory-agents.ts";
import { memoryRun } from "./memory-run.ts";
import { TAP_RED } from "./memory-state.ts";
import { APPROVES, dataOf, fixed, IDLE, major, sendsBack, tasks, textLike, WORKS } from "./said.ts";

const TRIED = { what: "a server that is down", command: "node try.js", outcome: "one call only" };
const MISSING: MemoryStep = {
	role: "coach",
	turn: 1,
	report: { ...major("the retry is missing"), attempts: [TRIED] },
};
const STEPS = [WORKS, MISSING, { role: "coach", report: fixed("F1") }] as const;

/** A run that waits with a finding at the limit of one turn. */
async function waiting(more: Partial<Parameters<typeof memoryRun>[0]> = {}) {
	const set = memoryRun({ human: true, steps: STEPS, task: { max_turns: 1 }, ...more });
	expect((await set.run()).code).toBe(3);
	return set;
}

test("a question shows both sides, findings, evidence and the difference", async () => {
	const set = await waiting();
	expect(await set.question()).toMatchObject({
		trigger: "loop_exhausted",
		reason: "Max turns (1) reached without approval",
		status: "PENDING",
		resolution: null,
		context: {
			developer: { agent: "dev", files: ["work.txt"] },
			reviewer: {
				agent: "coach",
				decision: "feedback",
				rationale: "Not yet.",
				attempts: [TRIED],
			},
			findings: [{ id: "F1", issue: "the retry is missing", severity: "major", state: "open" }],
			evidence: [
				{ check: "tests", status: "pass" },
				{ check: "integrity", status: "pass" },
			],
			diff_path: textLike(".sparring/"),
		},
	});
});

test("without an answer a run does not go on, and calls nobody", async () => {
	const set = await waiting();
	const [item] = await set.questions();
	const before = set.agents.calls.length;
	const { code, task } = await set.run();
	expect({ code, item: task.human_item }).toEqual({ code: 3, item: item?.id });
	expect(set.agents.calls).toHaveLength(before);
});

test("the developer's side merges without another player turn", async () => {
	const set = await waiting();
	await set.answer({ take: "developer", notes: "good enough" });
	expect((await set.run()).task).toMatchObject({
		status: "completed",
		turns: 1,
		merged: true,
		open_findings: 0,
		human_item: null,
	});
});

test("the reviewer's side grants one more turn, also at the limit", async () => {
	const set = await waiting();
	await set.answer({ take: "reviewer" });
	expect((await set.run()).task).toMatchObject({ status: "completed", turns: 2, merged: true });
});

test("a directive reaches the player in one more turn", async () => {
	const set = await waiting();
	await set.answer({ directive: "Use a queue instead." });
	expect((await set.run()).task).toMatchObject({ status: "completed", turns: 2 });
	expect(set.agents.prompts("player", 2)[0]).toContain("Use a queue instead.");
});

test("a rejection fails the task with the reason", async () => {
	const set = await waiting();
	await set.reject("not wanted any more");
	const { code, task } = await set.run();
	expect(code).toBe(1);
	expect(task).toMatchObject({ status: "failed", success: false, merged: false, flags: [] });
	expect(task.failure_reason).toContain("not wanted any more");
});

test("consent merges what waited for it, and is asked for once", async () => {
	const set = await waiting({
		steps: [WORKS, APPROVES],
		task: { max_turns: 1, requires_human: true },
	});
	expect(await set.questions()).toMatchObject([
		{ trigger: "requires_human", choices: ["continue"] },
	]);
	await set.answer({});
	expect((await set.run()).task).toMatchObject({ status: "completed", turns: 1, merged: true });
	expect(await set.questions()).toEqual([]);
});

test("the developer's side with failing tests does not merge: a new question is asked", async () => {
	const red: MemoryStep = { role: "player", files: { "results.tap": TAP_RED } };
	const set = await waiting({ steps: [red, MISSING] });
	const [first] = await set.questions();
	await set.answer({ take: "developer" });
	const { code, task } = await set.run();
	expect(code).toBe(3);
	expect(task).toMatchObject({ status: "paused_for_human", merged: false });
	expect(task.human_item).not.toBe(first?.id);
});

test("a question tells the player's concerns, and the coach is told none of them", async () => {
	const concerns = ["is the clock monotonic?"];
	const set = memoryRun({
		human: true,
		steps: [
			{ ...WORKS, report: { concerns, implementation_notes: "NOTES-OF-PLAYER" } },
			{ role: "coach", report: sendsBack({ issue: "it loses data", severity: "critical" }) },
		],
	});
	expect((await set.run()).code).toBe(3);
	expect((await set.question()).context).toMatchObject({ developer: { concerns } });
	expect(set.agents.prompts("coach", 1)[0]).not.toMatch(/monotonic|-OF-PLAYER/);
});

test("where a coach gives no verdict, a person takes the player's output, and it merges", async () => {
	const set = await waiting({ steps: [WORKS, { role: "coach", report: "fine" }] });
	expect((await set.question()).trigger).toBe("role_error");
	await set.answer({ take: "player" });
	const { code, task } = await set.run();
	expect(code).toBe(0);
	expect(task).toMatchObject({ merged: true, turns: 1 });
});

const WHAT = "the criterion asks for 3, and the test for 4";
const stops = (more: Partial<MemoryStep> = {}): MemoryStep => ({
	role: "player",
	report: {
		blocked: {
			reason: "test",
			what: WHAT,
			evidence: ["check.sh > works: expected 4"],
			proposal: "change the test to 3",
		},
		implementation_notes: "I stopped",
	},
	...more,
});
const HALF = { "half.txt": "half\n" };

test("a player that stops is heard at once: no coach, no further turn, its words as the reason", async () => {
	const parts = ["a", "b"].map((id) => ({ id, description: id, acceptance_criteria: [id] }));
	const all = { alone: { overlays: {} }, pair: {}, changed: {}, parts: { subtasks: parts } };
	const set = memoryRun({
		steps: [
			stops({ task: "changed", files: HALF }),
			// What else is wrong in the report takes the word from nobody.
			stops({ task: "alone", report: { blocked: WHAT, concerns: 7 } }),
			stops(),
		],
		workflow: { tasks: tasks(all) },
	});
	const { code, report } = await set.run();
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
	expect(set.agents.calls.every(({ role }) => role === "player")).toBe(true);
	expect(dataOf(await set.trace("pair"), "player-blocked")).toMatchObject([
		{ reason: "test", what: textLike(WHAT), proposal: "change the test to 3" },
	]);
});

test("a person sees a stopped player's words beside Sparring's own run, and each answer leads on", async () => {
	const set = memoryRun({
		human: true,
		steps: [
			stops({ task: "taken", files: HALF }),
			stops({ turn: 1 }),
			{ role: "player", write: ({ task }) => ({ [`${task}.txt`]: "more\n" }) },
			APPROVES,
		],
		workflow: { tasks: tasks({ taken: {}, nothing: {}, on: {}, told: {}, rejected: {} }) },
	});
	expect((await set.run()).code).toBe(3);
	expect(await set.question("taken")).toMatchObject({
		trigger: "player_blocked",
		reason: textLike(WHAT),
		choices: ["take_developer", "take_reviewer", "directive"],
		context: {
			blocked: {
				reason: "test",
				what: textLike(WHAT),
				tests: [{ check: "tests", name: "works", status: "passed" }],
			},
		},
	});
	await set.answer({ take: "player" }, "taken");
	await set.answer({ take: "player" }, "nothing");
	await set.answer({ take: "coach" }, "on");
	await set.answer({ directive: "The test is right." }, "told");
	await set.reject("drop it", "rejected");
	expect((await set.run()).report.tasks).toMatchObject({
		taken: { status: "completed", merged: true, turns: 1, flags: [] },
		nothing: { status: "completed", merged: false, turns: 1, flags: ["already_done"] },
		on: { status: "completed", merged: true, turns: 2 },
		told: { status: "completed", merged: true, turns: 2 },
		rejected: { status: "failed", failure_reason: textLike("drop it") },
	});
	const coached = set.agents.calls.filter(({ role }) => role === "coach");
	expect(new Set(coached.map(({ task }) => task))).toEqual(new Set(["on", "told"]));
	const second = (id: string) =>
		set.agents.calls.find((call) => call.task === id && call.turn === 2);
	expect(second("on")?.prompt).toContain("You stopped in the last turn");
	expect(second("on")?.prompt).toContain(WHAT);
	expect(second("told")?.prompt).toContain("The test is right.");
});

test("who changed nothing and named no test is asked about, and a person's word completes it", async () => {
	const report = { concerns: ["the test contradicts the criterion"] };
	const set = memoryRun({ human: true, steps: [{ ...IDLE, report }], task: { overlays: {} } });
	const { code, task } = await set.run();
	expect([code, task.status, task.turns]).toEqual([3, "paused_for_human", 2]);
	expect(set.agents.prompts("player", 2)[0]).toContain("You changed nothing");
	await set.answer({ take: "player" });
	const after = await set.run();
	expect([after.code, after.task.status, after.task.merged]).toEqual([0, "completed", false]);
});

test("a report that says blocked and not by what stops nobody", async () => {
	const report = { blocked: { reason: "task" } };
	const set = memoryRun({ steps: [{ ...WORKS, report }, APPROVES] });
	expect((await set.run()).task).toMatchObject({ status: "completed", merged: true });
});

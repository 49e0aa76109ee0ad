import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
	APPROVAL,
	CRITERION,
	dataOf,
	listWith,
	type Outcome,
	type Stage,
	sendsBack,
	stage,
	TAP_OK,
	TAP_RED,
	textLike,
} from "../acceptance/stage.ts";
import type { Step } from "../support/scripted-agents.ts";
import { stateRows } from "../support/state-rows.ts";
import { pair } from "../support/workflow.ts";

const AGENT = join(import.meta.dirname, "../support/agent.cjs");
const TASKS = [
	"passes",
	"fails",
	"torn",
	"broken",
	"third",
	"red",
	"two",
	"stubborn",
	"withdrawn",
	"critical",
	"mixed",
	"twins",
	"regress",
] as const;
type Task = (typeof TASKS)[number];

const FINDING = { issue: "the retry is missing", severity: "major", criterion: CRITERION };
const OTHER = { issue: "the log is noisy", severity: "major" };
const UNMET = [{ criterion: CRITERION, met: false, evidence: "not seen" }];

const disputes = (...ids: readonly string[]) => ({
	disputes: ids.map((finding) => ({
		finding,
		reason: "the caller retries",
		evidence: "caller.js, line 3",
	})),
});
const upholds = (...ids: readonly string[]) => ({
	decision: "feedback",
	rationale: "I stand by it.",
	requirements_status: UNMET,
	findings_status: ids.map((id) => ({ id, status: "open", reason: "nobody else retries" })),
});
const rules = (task: Task, verdict: string, more: Partial<Step> = {}): Step => ({
	task,
	role: "tie_breaker",
	...more,
	report: { verdict, rationale: `I say ${verdict}` },
});
const disputing = (task: Task, turn: number, report: unknown): Step => ({
	task,
	role: "player",
	turn,
	report,
	run: `echo ${turn} >> $SPAR_TASK.txt`,
});

const STEPS: readonly Step[] = [
	{ task: "two", role: "coach", turn: 1, report: sendsBack(FINDING, OTHER) },
	{ task: "mixed", role: "coach", turn: 1, report: sendsBack(FINDING, OTHER) },
	{
		task: "critical",
		role: "coach",
		turn: 1,
		report: sendsBack({ ...FINDING, severity: "critical" }),
	},
	// The criterion's finding is ours at first; a turn later the coach has one of its own on it.
	{
		task: "twins",
		role: "coach",
		turn: 1,
		report: { decision: "feedback", rationale: "no", requirements_status: UNMET },
	},
	{
		task: "twins",
		role: "coach",
		turn: 2,
		report: { ...upholds("F1"), feedback_items: [FINDING] },
	},
	{ task: "twins", role: "coach", turn: 3, report: upholds("F1", "F2") },
	{
		task: "twins",
		role: "coach",
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
	disputing("twins", 3, disputes("F2")),
	{ ...rules("twins", "FAIL"), turn: 2 },
	rules("twins", "PASS"),
	// What a ruling settled in one turn is no word on the work of the next.
	{ task: "regress", role: "coach", turn: 1, report: sendsBack(FINDING, OTHER) },
	{ task: "regress", role: "coach", turn: 2, report: upholds("F1") },
	{
		task: "regress",
		role: "coach",
		turn: 3,
		report: {
			decision: "approve",
			rationale: "fine",
			requirements_status: UNMET,
			findings_status: [{ id: "F2", status: "fixed" }],
		},
	},
	{ task: "regress", role: "coach", report: APPROVAL },
	rules("regress", "PASS"),
	{ role: "coach", turn: 1, report: { ...sendsBack(FINDING), requirements_status: UNMET } },
	// The second turn: the player disputes what the coach found.
	{
		task: "red",
		role: "player",
		turn: 2,
		files: { "results.tap": TAP_RED },
		report: disputes("F1"),
	},
	{ task: "red", role: "player", turn: 3, files: { "results.tap": TAP_OK } },
	disputing("two", 2, disputes("F1", "F2")),
	disputing("mixed", 2, disputes("F1")),
	disputing("third", 3, { disputes: [{ finding: "F1", reason: "again", evidence: "log 3" }] }),
	disputing("third", 4, { disputes: [{ finding: "F1", reason: "again", evidence: "log 4" }] }),
	disputing("stubborn", 3, disputes("F1")),
	{ role: "player", turn: 2, report: disputes("F1"), run: "echo two >> $SPAR_TASK.txt" },
	{
		role: "player",
		run: 'cat "$SPAR_PROMPT" > "$HOME/$SPAR_TASK-$SPAR_TURN.txt"; echo $SPAR_TURN >> $SPAR_TASK.txt',
	},
	{
		task: "withdrawn",
		role: "coach",
		turn: 2,
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "withdrawn" }] },
	},
	{ task: "two", role: "coach", turn: 2, report: upholds("F1", "F2") },
	{ task: "mixed", role: "coach", turn: 2, report: upholds("F1") },
	{
		task: "fails",
		role: "coach",
		turn: 3,
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
	{
		task: "stubborn",
		role: "coach",
		turn: 4,
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
	{
		task: "two",
		role: "coach",
		turn: 3,
		report: { ...APPROVAL, findings_status: [{ id: "F2", status: "fixed" }] },
	},
	{
		task: "mixed",
		role: "coach",
		turn: 3,
		run: 'cp "$SPAR_PROMPT" "$HOME/coach-mixed-3.txt"',
		report: { ...APPROVAL, findings_status: [{ id: "F2", status: "fixed" }] },
	},
	{
		task: "third",
		role: "coach",
		turn: 5,
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
	{
		role: "coach",
		run: 'cp "$SPAR_PROMPT" "$HOME/coach-$SPAR_TASK-$SPAR_TURN.txt"',
		report: upholds("F1"),
	},
	rules("passes", "PASS"),
	rules("red", "PASS"),
	rules("critical", "PASS"),
	rules("mixed", "PASS"),
	rules("torn", "PASS", { call: 1 }),
	rules("torn", "FAIL", { call: 2 }),
	{ task: "broken", role: "tie_breaker", report: "I think the developer is right" },
	{ task: "two", role: "tie_breaker", report: { verdict: "maybe", rationale: "hard to say" } },
	{ role: "tie_breaker", report: { verdict: "FAIL", rationale: "the reviewer is right" } },
];

let set: Stage;
let first: Outcome;
let last: Outcome;
const answered = new Map<
	string,
	{ readonly code: number | null; readonly stdout: string; readonly stderr: string }
>();

const of = (task: Task, outcome: Outcome = last): Outcome["task"] => {
	const report = outcome.report.tasks[task];
	if (report === undefined) throw new Error(`no task ${task}`);
	return report;
};

async function answer(task: Task, ...args: readonly string[]): Promise<void> {
	const id = of(task, first).human_item ?? "";
	const result = await set.spar(["hil", "resolve", id, ...args]);
	answered.set(`${task} ${args.join(" ")}`, result);
}

beforeAll(async () => {
	set = stage({
		human: true,
		steps: STEPS,
		workflow: {
			tie_breaker: "arbiter",
			agents: { arbiter: { adapter: "command", run: ["node", AGENT, "agents.json"] } },
			tasks: Object.fromEntries(
				TASKS.map((name) => [
					name,
					{
						agent: "dev",
						description: "Do it.",
						acceptance_criteria: [CRITERION],
						max_turns: 5,
						overlays: pair(),
					},
				]),
			),
		},
	});
	first = await set.run();
	await answer("torn", "--take", "developer");
	await answer("broken", "--take", "reviewer");
	await answer("two", "--take", "developer");
	await answer("two", "--take", "developer", "--finding", "F1");
	await answer("two", "--take", "reviewer", "--finding", "F1");
	await answer("two", "--directive", "turn the log down", "--finding", "F2");
	await answer("third", "--directive", "do as the coach says");
	await answer("critical", "--directive", "look at it again");
	last = await set.resume();
});

/** Attempts of a task, in order, with their finding. */
function attempts(task: Task): readonly unknown[] {
	return stateRows(
		set.repo,
		`SELECT finding_id AS finding, turn, dispute_turn, attempt_count AS attempt, resolution,
			tie_breaker_decision AS decision, escalation_reason AS reason
		FROM conflicts JOIN conflict_subjects USING (conflict_id)
		WHERE conflicts.task_id = '${task}' ORDER BY conflict_subjects.rowid`,
	).map((row) => ({ ...row }));
}

const asked = (task: Task): number =>
	set.agents.calls().filter((call) => call.task === task && call.role === "tie_breaker").length / 2;

describe("the tie-breaker decides", () => {
	test("PASS closes the finding as overruled, and with nothing else in the way the turn is approved", () => {
		const task = of("passes");
		expect(task).toMatchObject({
			merged: true,
			turns: 2,
			challenger_approved: true,
			open_findings: 0,
		});
		expect(attempts("passes")).toEqual([
			{
				finding: "F1",
				turn: 2,
				dispute_turn: 2,
				attempt: 1,
				resolution: "AUTO",
				decision: "PASS",
				reason: null,
			},
		]);
		const trace = set.trace("passes");
		expect(dataOf(trace, "turn-routed").at(-1)).toEqual({
			route: "approve",
			reason: "overruled: F1",
		});
		expect(dataOf(trace, "turn-judged").at(-1)).toMatchObject({
			raw: "feedback",
			effective: "approve",
		});
	});

	test("it is asked twice, with the sides swapped", () => {
		expect(asked("passes")).toBe(2);
	});

	test("FAIL binds the player: the finding is mended, then approved", () => {
		expect(of("fails")).toMatchObject({ merged: true, turns: 3 });
		expect(attempts("fails")).toMatchObject([{ resolution: "AUTO", decision: "FAIL" }]);
		expect(set.kept("fails-3.txt")).toContain("the reviewer is right");
	});

	test("a finding that is overruled beside one that is open settles only itself", () => {
		expect(of("mixed")).toMatchObject({ merged: true, turns: 3 });
		expect(attempts("mixed")).toMatchObject([{ finding: "F1", decision: "PASS" }]);
		expect(dataOf(set.trace("mixed"), "turn-judged")[1]).toMatchObject({ effective: "feedback" });
	});

	test("one ruling undoes no other, also where both are about one criterion", () => {
		expect(attempts("twins")).toMatchObject([
			{ finding: "F1", turn: 2, decision: "FAIL" },
			{ finding: "F2", turn: 3, decision: "PASS" },
		]);
		const judged = dataOf(set.trace("twins"), "turn-judged").filter(
			({ raw }) => raw === "feedback",
		);
		expect(judged.at(-1)).toMatchObject({ effective: "feedback" });
		expect(of("twins")).toMatchObject({ merged: true, turns: 4 });
	});

	test("a criterion that the coach calls unmet in a later turn stands in the way again", () => {
		expect(attempts("regress")).toMatchObject([{ finding: "F1", decision: "PASS" }]);
		expect(dataOf(set.trace("regress"), "turn-judged").at(-2)).toMatchObject({
			raw: "approve",
			effective: "feedback",
			reasons: [textLike("criterion not met")],
		});
		expect(of("regress")).toMatchObject({ merged: true, turns: 4 });
	});

	test("the coach is told what was overruled, so that it does not raise it again", () => {
		expect(set.kept("coach-mixed-3.txt")).toContain("Overruled findings");
	});

	test("disputing again without new evidence is no attempt, and is told", () => {
		expect(attempts("stubborn")).toHaveLength(1);
		expect(of("stubborn")).toMatchObject({ merged: true, turns: 4 });
		expect(dataOf(set.trace("stubborn"), "dispute-ignored")).toMatchObject([{ finding: "F1" }]);
	});
});

describe("no conflict is opened", () => {
	test("when the coach withdraws the finding", () => {
		expect(of("withdrawn")).toMatchObject({ merged: true, turns: 2 });
		expect(attempts("withdrawn")).toEqual([]);
	});

	test("while a required check fails: the dispute waits, no attempt counts, and it is taken up later", () => {
		expect(of("red")).toMatchObject({ merged: true, turns: 3 });
		expect(attempts("red")).toMatchObject([
			{ turn: 3, dispute_turn: 2, attempt: 1, decision: "PASS" },
		]);
		const passes = dataOf(set.trace("red"), "node-left").map(({ passed_through: why }) => why);
		expect(passes).toContainEqual(
			textLike("disputes wait, since required evidence did not pass: tests"),
		);
	});
});

describe("what nobody but a person can settle", () => {
	test("differing answers and answers that cannot be read escalate, each with its own reason", () => {
		expect(attempts("torn")).toMatchObject([
			{
				resolution: "ESCALATE",
				reason: textLike("contradicted itself when the sides were swapped"),
			},
		]);
		expect(attempts("broken")).toMatchObject([
			{ resolution: "ESCALATE", reason: textLike("gave no verdict") },
		]);
		expect(asked("broken")).toBe(1);
	});

	test("the third attempt on a finding escalates without asking", () => {
		const reason = "Maximum auto-resolution attempts reached; user intervention required.";
		expect(attempts("third")).toMatchObject([
			{ turn: 2, attempt: 1, decision: "FAIL" },
			{ turn: 3, attempt: 2, decision: "FAIL" },
			{ turn: 4, attempt: 3, resolution: "ESCALATE", reason },
		]);
		expect(asked("third")).toBe(4);
	});

	test("a critical finding is not put to the tie-breaker", () => {
		expect(of("critical")).toMatchObject({ status: "paused_for_human" });
		expect(attempts("critical")).toMatchObject([
			{ resolution: "ESCALATE", reason: textLike("critical finding") },
		]);
		expect(asked("critical")).toBe(0);
	});

	test("the run pauses, with one question a turn and three choices", async () => {
		expect(first.code).toBe(3);
		expect(first.report.status).toBe("paused_for_user_escalation");
		expect(await set.json("hil", "list", "--all")).toEqual(
			listWith({
				task_id: "two",
				trigger: "conflict",
				choices: ["take_developer", "take_reviewer", "directive"],
			}),
		);
		const item = await set.json("hil", "show", of("two", first).human_item ?? "");
		expect(item).toMatchObject({
			context: {
				conflicts: [
					{ finding: "F1", attempt: 1, developer: { reason: "the caller retries" } },
					{ finding: "F2", attempt: 1, reviewer: { rationale: "nobody else retries" } },
				],
			},
		});
	});

	test("each escalation is told and pauses once", () => {
		for (const task of ["torn", "broken", "two", "third"] as const) {
			const trace = set.trace(task);
			const told = dataOf(trace, "orchestrator:conflict:escalation");
			const paused = dataOf(trace, "PAUSED_FOR_USER_ESCALATION");
			const ids = told.map(({ conflictId }) => conflictId);
			expect(new Set(ids).size).toBe(task === "two" ? 2 : 1);
			expect(told[0]).toMatchObject({ taskId: task, escalationReason: textLike(/\S/) });
			expect(paused.map(({ conflict }) => conflict)).toEqual(ids);
		}
	});
});

describe("what a person chose is done", () => {
	test("the player's output goes on to the gate without another player turn", () => {
		expect(of("torn")).toMatchObject({ merged: true, turns: 2 });
		expect(dataOf(set.trace("torn"), "turn-routed").at(-1)).toEqual({
			route: "approve",
			reason: "a person took the player's output",
		});
	});

	test("the reviewer's feedback binds the player in one more turn, and no dispute is taken any more", () => {
		expect(set.kept("broken-3.txt")).toContain("A person decided");
		expect(of("broken").turns).toBeGreaterThan(2);
	});

	test("several conflicts are answered by finding", () => {
		expect(answered.get("two --take developer")).toMatchObject({
			code: 2,
			stderr: textLike("--finding"),
		});
		expect(answered.get("two --take developer --finding F1")).toMatchObject({
			code: 0,
			stdout: textLike("F2"),
		});
		expect(answered.get("two --take reviewer --finding F1")).toMatchObject({ code: 2 });
		expect(answered.get("two --directive turn the log down --finding F2")).toMatchObject({
			code: 0,
		});
		expect(of("two")).toMatchObject({ merged: true, turns: 3 });
		expect(set.kept("two-3.txt")).toContain("turn the log down");
	});

	test("a directive is given to the player in one more turn", () => {
		expect(set.kept("third-5.txt")).toContain("do as the coach says");
		expect(of("third")).toMatchObject({ merged: true, turns: 5 });
	});
});

test("`spar findings` shows each finding with its life, arguments and turns", async () => {
	const { stdout } = await set.spar(["findings", "third"]);
	for (const part of [
		"F1",
		"the caller retries",
		"nobody else retries",
		"the reviewer is right",
		"log 4",
	])
		expect(stdout).toContain(part);
	expect(await set.json("findings", "third")).toMatchObject([
		{ id: "F1", state: "fixed", conflicts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }] },
	]);
});

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	type Outcome,
	type Stage,
	sendsBack,
	stage,
} from "../acceptance/stage.ts";
import { CRASH_AT } from "../support/killing.ts";
import type { Step } from "../support/scripted-agents.ts";
import { pair } from "../support/workflow.ts";

const READY = "it can be handed over";
const MISSING = { issue: "nobody can undo it", severity: "major" };

const verdict = (decision: "approve" | "feedback", ...items: readonly object[]) => ({
	decision,
	rationale: decision === "approve" ? "Well done." : "Not so.",
	requirements_status: [{ criterion: READY, met: true, evidence: "seen" }],
	feedback_items: items,
});

const BUILD: readonly Step[] = [
	{ role: "player", run: "echo $SPAR_TASK > $SPAR_TASK.txt" },
	{ task: "one", ...APPROVES },
	{ task: "two", ...APPROVES },
	{ task: "later", ...APPROVES },
];

/** Two pairs build, a third agent reviews what they made together, and a last task waits for that. */
function reviewed(
	steps: readonly Step[],
	{
		human = false,
		review = {},
		...more
	}: {
		readonly human?: boolean;
		readonly review?: Readonly<Record<string, unknown>>;
		readonly merge?: object;
		/** A recording that the reviewer plays. */
		readonly auditor?: string;
	} = {},
): Stage {
	const made = stage({ steps: [...steps, ...BUILD], human });
	const { dev, coach } = made.agents.agents;
	const built = { description: "Build.", acceptance_criteria: [CRITERION], overlays: pair() };
	const { auditor, ...rest } = more;
	const tape = auditor === undefined ? dev : { adapter: "cassette", file: auditor };
	made.rewrite({
		agents: { dev, coach, auditor: tape },
		tasks: {
			one: built,
			two: built,
			review: {
				agent: "auditor",
				formal_review: true,
				depends_on: ["one", "two"],
				description: "Review it all.",
				acceptance_criteria: [READY],
				...review,
			},
			later: { ...built, depends_on: ["review"] },
		},
		...rest,
	});
	made.repo.commit("With a review");
	return made;
}

const seats = ({ agents }: Stage): string[] =>
	agents
		.calls()
		.filter(({ event }) => event === "start")
		.map(({ task, role }) => `${task} ${role}`);

describe("a formal review that approves", () => {
	let made: Stage;
	let outcome: Outcome;

	beforeAll(async () => {
		const keeps = 'cp "$SPAR_PROMPT" "$HOME/review.txt"; echo x > planted; rm one.txt';
		made = reviewed([{ task: "review", role: "coach", report: verdict("approve"), run: keeps }]);
		outcome = await made.run();
	});

	test("is done without a merge, and what waits for it starts", () => {
		expect(outcome.code, outcome.stderr).toBe(0);
		const { review, later } = outcome.report.tasks;
		expect(review).toMatchObject({ status: "completed", merged: false, flags: [], turns: 1 });
		expect(later).toMatchObject({ status: "completed", merged: true });
		expect(seats(made).slice(4, 5)).toEqual(["review coach"]);
		expect(dataOf(made.trace("review"), "review-decided")).toEqual([
			{ decision: "approve", rationale: "Well done." },
		]);
		expect(dataOf(made.trace("review"), "task-merged")).toEqual([]);
		expect(dataOf(made.trace("one"), "review-decided")).toEqual([]);
	});

	test("saw all that the run had merged, and was asked about its own criteria", () => {
		const prompt = made.kept("review.txt");
		for (const said of ["one.txt", "two.txt", READY]) expect(prompt).toContain(said);
		expect(prompt).not.toContain("later.txt");
		expect(prompt).not.toContain(CRITERION);
	});

	test("changed no file, whatever its agent wrote", () => {
		const files = made.repo.git("ls-tree", "--name-only", outcome.report.branch).split("\n");
		expect(files).toEqual(expect.arrayContaining(["later.txt", "one.txt", "two.txt"]));
		expect(files).not.toContain("planted");
	});
});

const REFUSES = { task: "review", role: "coach", report: verdict("feedback", MISSING) } as const;

test("a review that asks for rework leaves the run unlanded with a question for a person", async () => {
	const made = reviewed([REFUSES], { human: true, merge: { into: "base" } });
	const before = made.repo.git("rev-parse", "main");
	const { code, report } = await made.run();
	expect(code).toBe(3);
	const { review, later } = report.tasks;
	expect({ review: review?.status, later: later?.status }).toEqual({
		review: "paused_for_human",
		later: "pending",
	});
	expect(made.repo.git("rev-parse", "main")).toBe(before);
	const landing = await made.spar(["land"]);
	expect({ code: landing.code, base: made.repo.git("rev-parse", "main") }).toEqual({
		code: 1,
		base: before,
	});
	expect(landing.stdout + landing.stderr).toContain("the formal review review has not approved it");
	expect(await made.json("hil", "show", review?.human_item ?? "")).toMatchObject({
		trigger: "escalation",
		reason: "the formal review did not approve: Not so.",
		context: { findings: [{ issue: MISSING.issue }], reviewer: { effective: "feedback" } },
	});
	expect(dataOf(made.trace("review"), "review-decided")).toEqual([
		{ decision: "feedback", rationale: "Not so." },
	]);
});

test("a person who takes the work as it is overrules the review, and the run goes on and lands", async () => {
	const made = reviewed([REFUSES], { human: true, merge: { into: "base" } });
	const { report } = await made.run();
	const item = report.tasks["review"]?.human_item ?? "";
	expect((await made.spar(["hil", "resolve", item, "--take", "developer"])).code).toBe(0);
	const { code, report: after } = await made.resume();
	expect(code).toBe(0);
	expect(after.tasks["review"]).toMatchObject({ status: "completed", open_findings: 0, flags: [] });
	expect(after.tasks["later"]).toMatchObject({ status: "completed", merged: true });
	expect(made.repo.git("show", "main:later.txt")).toBe("later");
});

test("a person who takes the reviewer's side has it asked once more", async () => {
	const again = verdict("approve");
	const mended = { ...again, findings_status: [{ id: "F1", status: "fixed" }] };
	const made = reviewed(
		[
			{ ...REFUSES, turn: 1 },
			{ task: "review", role: "coach", report: mended },
		],
		{
			human: true,
		},
	);
	const { report } = await made.run();
	const item = report.tasks["review"]?.human_item ?? "";
	expect((await made.spar(["hil", "resolve", item, "--take", "reviewer"])).code).toBe(0);
	const { code, report: after } = await made.resume();
	expect(code).toBe(0);
	expect(after.tasks["review"]).toMatchObject({ status: "completed", turns: 2 });
});

test("with nobody to ask, a review that asks for rework fails with its flag and holds up the rest", async () => {
	const made = reviewed([REFUSES], { merge: { into: "base" } });
	const before = made.repo.git("rev-parse", "main");
	const { code, report } = await made.run();
	expect(code).toBe(1);
	expect(report.tasks["review"]).toMatchObject({ status: "failed", flags: ["escalation"] });
	expect(report.tasks["later"]).toMatchObject({ status: "blocked" });
	expect(made.repo.git("rev-parse", "main")).toBe(before);
});

test("a review whose agent gives no verdict is its role's error", async () => {
	const made = reviewed([{ task: "review", role: "coach", report: { decision: "maybe" } }]);
	const { code, report } = await made.run();
	expect(code).toBe(1);
	expect(report.tasks["review"]).toMatchObject({ status: "failed", flags: ["role_error"] });
	expect(dataOf(made.trace("review"), "report-rejected")).toHaveLength(2);
	expect(dataOf(made.trace("review"), "review-decided")).toEqual([]);
});

test("a review whose budget is spent waits for a person, like any coach's turn", async () => {
	const made = reviewed([], { human: true, review: { budget: { usd: 1 } }, auditor: "tape.jsonl" });
	const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 2, model: "test-model" };
	const call = { role: "coach", agent: "auditor", task: "review", subtask: null, turn: 1, call: 1 };
	const line = { ...call, outcome: "answered", report: { decision: "maybe" }, files: {}, usage };
	made.repo.write({ "tape.jsonl": `${JSON.stringify({ ...line, output: "", ms: 5 })}\n` });
	made.repo.commit("With a tape");
	const { code, report } = await made.run();
	expect(code).toBe(3);
	const item = report.tasks["review"]?.human_item ?? "";
	expect(await made.json("hil", "show", item)).toMatchObject({ trigger: "budget" });
	expect(dataOf(made.trace("review"), "agent-called")).toHaveLength(1);
});

const PARTS = [
	{ id: "core", description: "The core.", acceptance_criteria: ["the core works"] },
	{ id: "edge", description: "The edges.", acceptance_criteria: ["the edges work"] },
];

const meets = (...criteria: readonly string[]) => ({
	...APPROVAL,
	requirements_status: criteria.map((criterion) => ({ criterion, met: true, evidence: "seen" })),
});

const IN_PARTS: readonly Step[] = [
	{ role: "player", run: "echo $SPAR_SUBTASK >> work.txt" },
	{ role: "coach", subtask: "core", report: meets("the core works") },
	{ role: "coach", subtask: "edge", report: meets("the edges work", CRITERION) },
	{ role: "evaluator", report: { score: 0.9, rationale: "Seen." } },
];

/** Two subtasks under every overlay: the seats swap between them, a gate of tier T1, a score. */
function inParts(steps: readonly Step[], human = false, more: object = {}): Stage {
	const metrics = [{ type: "llm_judge", weight: 1.0, evaluator_agent: "judge" }];
	const made = stage({
		steps,
		human,
		workflow: {
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh" },
				lint: { kind: "lint", run: "true" },
				audit: { kind: "security", run: "true" },
			},
		},
		task: {
			subtasks: PARTS,
			overlays: {
				...pair({ role_switch: "subtask" }),
				confidence_loop: {
					enabled: true,
					metrics,
					exit_conditions: ["pair.challenger_approved == true"],
				},
				policy_gate: { enabled: true, risk_tier: "T1" },
			},
			...more,
		},
	});
	const { dev, coach } = made.agents.agents;
	made.rewrite({ agents: { dev, coach, judge: dev } });
	made.repo.commit("With a judge");
	return made;
}

const called = (made: Stage): string[] =>
	dataOf(made.trace(), "agent-called").map(({ role, agent }) => `${String(role)} ${String(agent)}`);

const ORDER = [
	"player dev",
	"coach coach",
	"evaluator judge",
	"player coach",
	"coach dev",
	"evaluator judge",
];

test("subtasks pass gate and score one by one, with the seats swapped between them", async () => {
	const made = inParts(IN_PARTS);
	const { code, task, report, stderr } = await made.run();
	expect(
		{ code, turns: task.turns, gate: task.gate, score: task.confidence_score },
		stderr,
	).toEqual({
		code: 0,
		turns: 2,
		gate: { risk_tier: "T1", verdict: "PASS" },
		score: 0.9,
	});
	expect(called(made)).toEqual(ORDER);
	expect(made.repo.git("show", `${report.branch}:work.txt`)).toBe("core\nedge");
	const started = made.agents.calls().filter(({ event }) => event === "start");
	expect(started.map(({ subtask }) => subtask)).toEqual([
		"core",
		"core",
		"core",
		"edge",
		"edge",
		"edge",
	]);
});

test.each([14, 26, 40])(
	"a run that is killed at transaction %i and resumed keeps its subtask and its seats",
	async (at) => {
		const made = inParts(IN_PARTS);
		const env = { SPAR_TEST_CRASH_AT: `commit.${at}.after` };
		const killed = await made.spar(["run"], { env, preload: CRASH_AT });
		expect(killed.signal).toBe("SIGKILL");
		const { code, task, report, stderr } = await made.resume();
		expect({ code, turns: task.turns, merged: task.merged }, stderr).toEqual({
			code: 0,
			turns: 2,
			merged: true,
		});
		expect(called(made).filter((each, index, all) => each !== all[index - 1])).toEqual(ORDER);
		expect(made.repo.git("show", `${report.branch}:work.txt`)).toBe("core\nedge");
		expect(dataOf(made.trace(), "subtask-completed")).toEqual([{ subtask: "core", turn: 1 }]);
	},
);

test("a person who takes the work of a subtask sends the task on to the next one", async () => {
	const [player, , edge, judge] = IN_PARTS;
	if (player === undefined || edge === undefined || judge === undefined)
		throw new Error("no steps");
	const refuses: Step = {
		role: "coach",
		subtask: "core",
		report: {
			...sendsBack(MISSING),
			requirements_status: meets("the core works").requirements_status,
		},
	};
	const made = inParts([player, refuses, edge, judge], true, { max_turns: 1 });
	const { code, task } = await made.run();
	expect(code).toBe(3);
	const item = task.human_item ?? "";
	expect(await made.json("hil", "show", item)).toMatchObject({ context: { subtask: "core" } });
	expect((await made.spar(["hil", "resolve", item, "--take", "developer"])).code).toBe(0);
	const after = await made.resume();
	expect({ code: after.code, turns: after.task.turns }, after.stderr).toEqual({
		code: 0,
		turns: 2,
	});
	expect(called(made)).toEqual(ORDER);
	expect(dataOf(made.trace(), "subtask-completed")).toEqual([{ subtask: "core", turn: 1 }]);
});

test("a recording of subtasks has them by name, and replays to the same tree", async () => {
	const made = inParts(IN_PARTS);
	const file = `${made.repo.home}/run.jsonl`;
	const { report } = await made.run("--record", file);
	const lines = readFileSync(file, "utf8").trimEnd().split("\n");
	const kept = lines.map(
		(line) => JSON.parse(line) as { readonly subtask: unknown; readonly role: unknown },
	);
	expect(new Set(kept.map(({ role, subtask }) => `${String(role)} ${String(subtask)}`))).toEqual(
		new Set([
			"player core",
			"coach core",
			"evaluator core",
			"player edge",
			"coach edge",
			"evaluator edge",
		]),
	);
	const replay = { adapter: "cassette", file };
	made.rewrite({ agents: { dev: replay, coach: replay, judge: replay } }, "replay.yaml");
	const before = made.agents.calls().length;
	const { code, report: replayed, stderr } = await made.run("replay.yaml");
	expect(code, stderr).toBe(0);
	expect(made.agents.calls()).toHaveLength(before);
	const tree = (branch: string) => made.repo.git("rev-parse", `${branch}^{tree}`);
	expect(tree(replayed.branch)).toBe(tree(report.branch));
});

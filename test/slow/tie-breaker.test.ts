import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
	APPROVAL,
	CRITERION,
	dataOf,
	type Outcome,
	outcomeOf,
	type Stage,
	sendsBack,
	stage,
	textLike,
	WORKS,
} from "../acceptance/stage.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import type { Step } from "../support/scripted-agents.ts";
import { stateRows } from "../support/state-rows.ts";
import { pair } from "../support/workflow.ts";

const AGENT = join(import.meta.dirname, "../support/agent.cjs");
const KEY = ["AIza", "SyA0", "b1C2d3E4f5G6h7I8j9K0l1M2n3O4p5Q"].join("");

const FINDING = { issue: "the retry is missing", severity: "major" };
const DISPUTES: Step = {
	role: "player",
	turn: 2,
	run: "echo two >> work.txt",
	report: { disputes: [{ finding: "F1", reason: "the caller retries", evidence: "caller.js" }] },
};
const UPHOLDS: Step = {
	role: "coach",
	report: {
		decision: "feedback",
		rationale: "I stand by it.",
		requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
		findings_status: [{ id: "F1", status: "open", reason: "nobody else retries" }],
	},
};
/** A dispute in the second turn that the coach upholds. */
const STEPS: readonly Step[] = [
	DISPUTES,
	WORKS,
	{ role: "coach", turn: 1, report: sendsBack(FINDING) },
	{
		role: "coach",
		turn: 3,
		report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
	},
	UPHOLDS,
];
const arbiter = { adapter: "command", run: ["node", AGENT, "agents.json"] };
const rules = (verdict: string): Step => ({
	role: "tie_breaker",
	report: { verdict, rationale: `I say ${verdict}` },
});

const reasons = (set: Stage): unknown[] =>
	stateRows(set.repo, "SELECT escalation_reason FROM conflicts ORDER BY rowid").map(
		({ escalation_reason: reason }) => reason,
	);

describe("without `tie_breaker` a Gemini Flash model is asked by API", () => {
	let server: ModelServer;
	let set: Stage;
	let outcome: Outcome;

	beforeAll(async () => {
		server = await startModelServer({
			script: () => ({
				kind: "text",
				text: '{"verdict":"PASS","rationale":"the caller does retry"}',
			}),
		});
		set = stage({ steps: STEPS });
		const env = { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: server.url };
		outcome = outcomeOf(await set.spar(["run", "--json"], { env }));
	});
	afterAll(async () => await server.close());

	test("its answer settles the conflict", () => {
		expect(outcome.stderr).not.toContain("warning");
		expect(outcome.task).toMatchObject({ merged: true, turns: 2 });
		expect(stateRows(set.repo, "SELECT resolution, rationale FROM conflicts")).toMatchObject([
			{ resolution: "AUTO", rationale: "the caller does retry" },
		]);
	});

	test("it gets both sides as data, once in each order, and no secret of the environment", () => {
		const prompts = server.requests.map(({ body }) => JSON.stringify(body));
		expect(prompts).toHaveLength(2);
		const [first = "", second = ""] = prompts;
		expect(first.indexOf("## Developer")).toBeLessThan(first.indexOf("## Reviewer"));
		expect(second.indexOf("## Reviewer")).toBeLessThan(second.indexOf("## Developer"));
		for (const prompt of prompts) {
			expect(prompt).toContain("the caller retries");
			expect(prompt).toContain("nobody else retries");
			expect(prompt).not.toContain(KEY);
		}
	});
});

describe("without people", () => {
	test("a run without a key for the default tie-breaker is not refused, and fails with the trigger as its flag", async () => {
		const set = stage({ steps: STEPS });
		const env = { GEMINI_API_KEY: "", GOOGLE_API_KEY: "", GOOGLE_GENERATIVE_AI_API_KEY: "" };
		const outcome = outcomeOf(await set.spar(["run", "--json"], { env }));
		expect(outcome.code).toBe(1);
		expect(outcome.task).toMatchObject({
			status: "failed",
			flags: ["conflict"],
			merged: false,
			turns: 2,
			failure_reason: textLike("GEMINI_API_KEY"),
		});
		expect(reasons(set)).toEqual([textLike("GEMINI_API_KEY")]);
		expect(dataOf(set.trace(), "orchestrator:conflict:escalation")).toHaveLength(1);
		expect(dataOf(set.trace(), "PAUSED_FOR_USER_ESCALATION")).toEqual([]);
	});
});

describe("a tie-breaker like any other seat", () => {
	test("is replaced by its fallback when it cannot be used", async () => {
		const set = stage({
			steps: [...STEPS, rules("PASS")],
			workflow: {
				tie_breaker: "broken",
				agents: {
					broken: { adapter: "cassette", file: "none.jsonl", fallback: "arbiter" },
					arbiter,
				},
			},
			files: { "none.jsonl": "" },
		});
		const { task } = await set.run();
		expect(task).toMatchObject({ merged: true, turns: 2 });
		expect(dataOf(set.trace(), "agent-replaced")).toMatchObject([
			// Once for each order of the sides.
			{ role: "tie_breaker", agent: "broken", fallback: "arbiter" },
			{ role: "tie_breaker", agent: "broken", fallback: "arbiter" },
		]);
	});

	test("is guarded: a player that rewrites its script is not approved", async () => {
		const set = stage({
			files: { "arbiter.sh": 'printf \'{"verdict":"FAIL","rationale":"no"}\' > "$SPAR_REPORT"\n' },
			steps: [
				{
					...DISPUTES,
					files: {
						"arbiter.sh": 'printf \'{"verdict":"PASS","rationale":"yes"}\' > "$SPAR_REPORT"\n',
					},
				},
				...STEPS,
			],
			task: { max_turns: 2 },
			workflow: {
				tie_breaker: "arbiter",
				agents: { arbiter: { adapter: "command", run: ["sh", "arbiter.sh"] } },
			},
		});
		const { task } = await set.run();
		expect(task).toMatchObject({ merged: false, status: "failed" });
		expect(reasons(set)).toEqual([]);
	});
});

/** A recorded call that costs a dollar. */
const line = (role: string, turn: number, more: Readonly<Record<string, unknown>>): string =>
	JSON.stringify({
		role,
		agent: role,
		task: "one",
		subtask: null,
		turn,
		call: 1,
		outcome: "answered",
		report: null,
		files: {},
		output: "",
		ms: 5,
		...more,
		usage: { input_tokens: 100, output_tokens: 20, cost_usd: 1, model: "test-model" },
	});

test("a spent budget stops before an answer is taken, and the conflict is settled once there is more", async () => {
	const verdict = { report: { verdict: "PASS", rationale: "the caller retries" } };
	const lines = [
		line("player", 1, { files: { "one.txt": "1\n" } }),
		line("coach", 1, { report: sendsBack(FINDING) }),
		line("player", 2, { files: { "two.txt": "2\n" }, report: DISPUTES.report }),
		line("coach", 2, { report: UPHOLDS.report }),
		line("tie_breaker", 2, verdict),
		line("tie_breaker", 2, { ...verdict, call: 2 }),
	];
	const replay = { adapter: "cassette", file: "calls.jsonl" };
	const set = stage({
		human: true,
		steps: [],
		files: { "calls.jsonl": `${lines.join("\n")}\n` },
		workflow: {
			agents: { dev: replay, coach: replay, arbiter: replay },
			tie_breaker: "arbiter",
			budget: { usd: 5 },
		},
	});
	const paused = await set.run();
	expect(paused.task).toMatchObject({ status: "paused_for_human", phase: "awaiting_human" });
	expect(await set.json("hil", "list")).toMatchObject([{ trigger: "budget" }]);
	expect(reasons(set)).toEqual([]);
	await set.spar(["hil", "resolve", paused.task.human_item ?? "", "--add-usd", "5"]);
	const { task } = await set.resume();
	expect(task).toMatchObject({ merged: true, turns: 2 });
	expect(stateRows(set.repo, "SELECT attempt_count, resolution FROM conflicts")).toMatchObject([
		{ attempt_count: 1, resolution: "AUTO" },
	]);
	// The first answer was stored before the budget stopped the second question: it is not asked for again.
	expect(set.trace().events.filter(({ type }) => type === "agent-called")).toHaveLength(6);
});

test("a red lint check lets disputes wait where the gate requires it, and not where it only shows it", async () => {
	const task = (risk_tier: string) => ({
		agent: "dev",
		description: "Do it.",
		acceptance_criteria: [CRITERION],
		max_turns: 2,
		overlays: { ...pair(), policy_gate: { enabled: true, risk_tier } },
	});
	const set = stage({
		steps: [...STEPS, rules("PASS")],
		workflow: {
			tie_breaker: "arbiter",
			agents: { arbiter },
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh" },
				lint: { kind: "lint", run: "! grep -q two work.txt" },
				audit: { kind: "security", run: "true" },
			},
			tasks: { strict: task("T1"), lax: task("T0") },
		},
	});
	const { report } = await set.run();
	expect(report.tasks["strict"]).toMatchObject({ merged: false });
	expect(report.tasks["lax"]).toMatchObject({ merged: true, turns: 2 });
	expect(stateRows(set.repo, "SELECT task_id FROM conflicts")).toMatchObject([{ task_id: "lax" }]);
});

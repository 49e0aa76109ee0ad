import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { anItem } from "../human/item-builder.contract.ts";
import { paidCall, run, task, turn } from "../store/record-builders.contract.ts";
import { NO_SPENDING, type RunSpending, spendingOf } from "../store/spending.ts";
import { mutationIn, readRunReport, replayIn } from "./run-report.ts";

const definition = (id: string) => ({
	id,
	description: "",
	acceptanceCriteria: [],
	contextFiles: [],
	dependsOn: [],
	player: "dev",
	requiresVerification: "auto",
	requiresHuman: false,
	maxTurns: 10,
	...({ bound: 10, gate: false, gateDeclined: false, human: true } as const),
});
const limited = run({
	workflow: {
		...run().workflow,
		budget: { usd: 1, wallMs: 60_000 },
		tasks: [
			{ ...definition("a"), requiresVerification: "auto", budget: { usd: 0.5 } },
			{ ...definition("b"), requiresVerification: "auto" },
		],
	},
});
const rows = [
	task({ taskId: "a" }),
	task({ taskId: "b", status: "paused_for_human", humanItem: "h1" }),
];
const answer = {
	choice: "continue",
	directive: null,
	notes: null,
	reason: null,
	answeredAt: "2026-11-21T22:05:09.000Z",
} as const;

/**
 * A report of tasks a and b; question h1 of b is answered, pieces are the evidence of a's newest turn, and `before` that
 * of its start.
 */
const report = async (
	spending: RunSpending,
	of = limited,
	pieces: readonly Evidence[] = [],
	{ before = [], refused = false }: { before?: readonly Evidence[]; refused?: boolean } = {},
) => {
	const records = {
		spending: async () => spending,
		suiteWork: async () =>
			new Map([
				["a", { suiteRuns: 2, suiteRunsSaved: 1, setups: 1, setupsSaved: 0 }],
				["b", { suiteRuns: 1, suiteRunsSaved: 0, setups: 0, setupsSaved: 3 }],
			]),
		item: async () => anItem({ id: "h1", status: "RESOLVED", answer }),
		turns: async (_run: string, taskId: string) =>
			taskId === "a" ? [turn({ concerns: ["is it fast enough?"] })] : [],
		evidence: async (_run: string, taskId: string, turn: number) =>
			taskId === "a" ? (turn > 0 ? pieces : before) : [],
		step: async ({ step }: { readonly step: string }) =>
			refused && step === "refused-merge" ? { trouble: { kind: "checks" }, told: "" } : undefined,
		calls: async () => [],
	};
	return await readRunReport(
		records as unknown as Parameters<typeof readRunReport>[0],
		{ run: of, tasks: rows.map((row) => ({ ...row, turns: 2 })) },
		{
			newest: true,
			files_removed: false,
			holder: null,
			unclaimed: [],
			held_back: [],
			stopped: [],
			shared: false,
			landing_awaited: false,
			landing_refused: null,
			preflight_stopped: null,
			setup_cache: { results: 0, bytes: 0 },
			checkoutOf: ({ taskId }) => (taskId === "b" ? "/checkouts/b/player" : null),
		},
	);
};

test("usage is told by task and summed for the run", async () => {
	const { usage } = paidCall(1);
	const a = {
		...spendingOf(NO_SPENDING, "a"),
		calls: 2,
		unknownCalls: 1,
		costUsd: usage?.costUsd ?? null,
		inputTokens: 10,
		workMs: 1_200.6,
	};
	const b = { ...spendingOf(NO_SPENDING, "b"), calls: 1, unknownCalls: 1 };
	const { tasks, ...whole } = await report({ ...NO_SPENDING, heldMs: 2_000.4, tasks: [a, b] });
	expect(tasks["a"]?.usage).toEqual({
		calls: 2,
		cost_usd: 0.25,
		unknown_cost_calls: 1,
		input_tokens: 10,
		output_tokens: null,
		ms: 1_201,
	});
	expect(tasks["b"]?.usage).toMatchObject({ calls: 1, cost_usd: null, unknown_cost_calls: 1 });
	expect(whole.usage).toMatchObject({ calls: 3, cost_usd: 0.25, unknown_cost_calls: 2 });
	expect(whole.budget).toEqual({
		usd: { limit: 1, spent: 0.25 },
		wall: { limit_ms: 60_000, spent_ms: 2_000 },
	});
	expect(tasks["a"]?.budget).toEqual({ usd: { limit: 0.5, spent: 0.25 }, wall: null });
});

test("a turn is compared with the baseline of its own start alone, not with that of the tip which refused its merge", async () => {
	const cases = (...ids: string[]) => ids.map((id) => ({ id, status: "passed" as const }));
	const own = evidence({ kind: "acceptance", purpose: "turn", cases: cases("a") });
	const tip = evidence({ kind: "acceptance", purpose: "baseline", cases: cases("a", "theirs") });
	const told = async (refused: boolean) => {
		const { tasks } = await report(NO_SPENDING, limited, [own], { before: [tip], refused });
		return tasks["a"]?.not_counted;
	};
	expect(await told(false)).toEqual([
		`${own.check}: not counted: 1 missing since the start (theirs)`,
	]);
	expect(await told(true)).toEqual([]);
});

test("a task whose question has an answer that nobody acted on says so", async () => {
	const { tasks } = await report(NO_SPENDING);
	expect([tasks["a"], tasks["b"]].map((task) => task?.human_item_answered)).toEqual([false, true]);
});

test("a run that has used nothing knows of no cost, and limits grow with what was added", async () => {
	const { usage, budget } = await report({ ...NO_SPENDING, addedUsd: 2, addedWallMs: 1_000 });
	expect(usage).toMatchObject({ calls: 0, cost_usd: null, unknown_cost_calls: 0, ms: 0 });
	expect(budget).toEqual({
		usd: { limit: 3, spent: null },
		wall: { limit_ms: 61_000, spent_ms: 0 },
	});
});

test("without a budget there is none to tell of, whatever was added", async () => {
	const free = await report({ ...NO_SPENDING, addedUsd: 2 }, run());
	expect(free.budget).toBeNull();
	expect(free.tasks["a"]?.budget).toBeNull();
});

test("a task tells what the newest replay showed", async () => {
	const ran = [
		evidence(),
		evidence({ kind: "replay", check: "replay:unit" }),
		evidence({ kind: "replay", check: "replay:e2e", status: "fail" }),
	];
	const { tasks } = await report(NO_SPENDING, limited, ran);
	expect([tasks["a"]?.replay, tasks["b"]?.replay]).toEqual(["fail", null]);
	expect(replayIn(ran.slice(0, 2))).toBe("pass");
});

test("a task tells what its player was unsure of, and where its checkout and trace are", async () => {
	const { tasks } = await report(NO_SPENDING);
	expect(tasks["a"]).toMatchObject({ concerns: ["is it fast enough?"], checkout: null });
	expect(tasks["b"]).toMatchObject({
		concerns: [],
		checkout: "/checkouts/b/player",
		trace_path: ".sparring/traces/b.json",
	});
});

test("a task tells what became of mutants in its newest turn: by the tool that ran the most, else why none were run", () => {
	const absent = { kind: "mutation", status: "absent", reason: "it wrote no report" } as const;
	const figures = { kind: "counted", detected: 1, undetected: 0, pending: 2, outside: 0 } as const;
	const tool = evidence({ ...absent, check: "mutation:stryker" });
	const own = evidence({ kind: "mutation", check: "mutation:built-in", mutation: figures });
	const counted = { detected: 1, undetected: 0, pending: 2, survivors: [] };
	expect(mutationIn([tool, own, evidence()])).toEqual({
		check: "mutation:built-in",
		status: "pass",
		reason: null,
		...counted,
	});
	expect(mutationIn([tool])).toMatchObject({ reason: "it wrote no report", detected: 0 });
	expect(mutationIn([evidence()])).toBeNull();
});

test("runs of suite and setup are told by task and summed for the run", async () => {
	const { tasks, suite_work: all } = await report(NO_SPENDING);
	expect(tasks["a"]?.suite_work).toEqual({
		suite_runs: 2,
		suite_runs_saved: 1,
		setups: 1,
		setups_saved: 0,
	});
	expect(all).toEqual({ suite_runs: 3, suite_runs_saved: 1, setups: 1, setups_saved: 3 });
});

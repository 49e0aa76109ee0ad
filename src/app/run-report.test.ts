import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { paidCall, run, task } from "../store/record-builders.contract.ts";
import { NO_SPENDING, type RunSpending, spendingOf } from "../store/spending.ts";
import { mutationsOf, replaysOf, runReport } from "./run-report.ts";

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
const rows = [task({ taskId: "a" }), task({ taskId: "b" })];
const report = (spending: RunSpending, of = limited) =>
	runReport(of, rows, {
		newest: true,
		filesRemoved: false,
		holder: undefined,
		unclaimed: [],
		stopped: [],
		isShared: false,
		landingAwaited: false,
		landingRefused: null,
		obstacles: new Map(),
		spending,
		preflightStopped: null,
		setupCache: { results: 0, bytes: 0 },
		concerns: new Map([["a", ["is it fast enough?"]]]),
		falseClaims: new Map([["a", ["b.js: reported as modified, but not in the diff"]]]),
		checkoutOf: ({ taskId }) => (taskId === "b" ? "/checkouts/b/player" : null),
		verifications: new Map(),
		mutations: new Map(),
		notCounted: new Map(),
		answered: new Set(["b"]),
		replays: new Map([["a", "fail"]]),
	});

test("usage is told by task and summed for the run", () => {
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
	const { tasks, ...whole } = report({ ...NO_SPENDING, heldMs: 2_000.4, tasks: [a, b] });
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

test("a task whose question has an answer that nobody acted on says so", () => {
	const { tasks } = report(NO_SPENDING);
	expect([tasks["a"], tasks["b"]].map((task) => task?.human_item_answered)).toEqual([false, true]);
});

test("a run that has used nothing knows of no cost, and limits grow with what was added", () => {
	const { usage, budget } = report({ ...NO_SPENDING, addedUsd: 2, addedWallMs: 1_000 });
	expect(usage).toMatchObject({ calls: 0, cost_usd: null, unknown_cost_calls: 0, ms: 0 });
	expect(budget).toEqual({
		usd: { limit: 3, spent: null },
		wall: { limit_ms: 61_000, spent_ms: 0 },
	});
});

test("without a budget there is none to tell of, whatever was added", () => {
	const free = report({ ...NO_SPENDING, addedUsd: 2 }, run());
	expect(free.budget).toBeNull();
	expect(free.tasks["a"]?.budget).toBeNull();
});

test("a task tells what the newest replay showed", async () => {
	const { tasks } = report(NO_SPENDING);
	expect([tasks["a"]?.replay, tasks["b"]?.replay]).toEqual(["fail", null]);
	const ran = [
		evidence(),
		evidence({ kind: "replay", check: "replay:unit" }),
		evidence({ kind: "replay", check: "replay:e2e", status: "fail" }),
	];
	const records = {
		tasks: () => Promise.resolve(rows),
		evidence: (_run: string, taskId: string) => Promise.resolve(taskId === "a" ? ran : []),
	};
	expect(await replaysOf(records, "r1")).toEqual(new Map([["a", "fail"]]));
});

test("a task tells what became of mutants in its newest turn: by the tool that ran the most, else why none were run", async () => {
	const absent = { kind: "mutation", status: "absent", reason: "it wrote no report" } as const;
	const figures = { kind: "counted", detected: 1, undetected: 0, pending: 2, outside: 0 } as const;
	const tool = evidence({ ...absent, check: "mutation:stryker" });
	const own = evidence({ kind: "mutation", check: "mutation:built-in", mutation: figures });
	const found = async (...pieces: readonly Evidence[]) =>
		await mutationsOf(
			{
				tasks: () => Promise.resolve(rows),
				evidence: (_run, taskId) => Promise.resolve(taskId === "a" ? pieces : []),
			},
			"r1",
		);
	const counted = { detected: 1, undetected: 0, pending: 2, survivors: [] };
	expect((await found(tool, own, evidence())).get("a")).toEqual({
		check: "mutation:built-in",
		status: "pass",
		reason: null,
		...counted,
	});
	expect((await found(tool)).get("a")).toMatchObject({ reason: "it wrote no report", detected: 0 });
	expect((await found(evidence())).size).toBe(0);
});

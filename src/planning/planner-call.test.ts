import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentOutcome } from "../agents/agent.ts";
import { noMasker } from "../masking/masking.ts";
import { PlannerCalls } from "./planner-call.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-planner-"));
});
afterEach(() => rm(dir, { recursive: true }));

const answered: AgentOutcome = { kind: "answered", report: "{}", output: "", ms: 1, usage: null };
const down: AgentOutcome = { kind: "failed", failure: "network", message: "", output: "", ms: 1 };

/** Calls of a planner that answers so, with a clock that only waiting moves. */
async function planner(outcomes: AgentOutcome[], prints = "") {
	const slept: number[] = [];
	const told: string[] = [];
	let now = 0;
	for (const call of [1, 2]) await mkdir(join(dir, `call-${call}`));
	const calls = new PlannerCalls({
		plan: "plan-1",
		checkout: dir,
		work: dir,
		transcripts: join(dir, "transcripts"),
		masker: noMasker,
		env: {},
		clock: {
			now: () => now,
			sleep: (ms) => {
				slept.push(ms);
				now += ms;
				return Promise.resolve();
			},
		},
		tell: (type) => told.push(type),
		signal: new AbortController().signal,
		budget: undefined,
		seat: () =>
			Promise.resolve({
				agent: {
					handsIn: "file",
					call: async ({ onOutput }) => {
						if (prints !== "") onOutput?.(prints);
						await new Promise((resolve) => setImmediate(resolve));
						return outcomes.shift() ?? down;
					},
				},
				definition: {
					adapter: "command",
					name: "dev",
					run: ["x"],
					env: [],
					timeoutMs: 1_000,
					requestsPerMinute: 1,
				},
			}),
	});
	const answer = await calls.ask("dev", () => ({ prompt: "Plan it.", context: {} }));
	return { answer, slept, told };
}

test("a retry of a planner keeps the agent's limit a minute", async () => {
	const { answer, slept, told } = await planner([down, answered]);
	expect(answer.kind).toBe("answered");
	expect(slept).toEqual([2_000, 58_000]);
	expect(told).toEqual(["agent-called", "agent-failed", "agent-called", "agent-answered"]);
});

test("a planner whose program reconnects is told of, and is not called again after two minutes of it", async () => {
	const { answer, told } = await planner([{ ...down, hasRetried: true }], "Reconnecting... 1/5\n");
	expect(answer.kind).toBe("failed");
	expect(told).toEqual(["agent-called", "call-retrying", "agent-failed"]);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent, AgentOutcome } from "../agents/agent.ts";
import { maskerFor } from "../kernel/masking.ts";
import type { AgentFailure } from "../kernel/roles.ts";
import type { CallRecord, Write } from "../store/records.ts";
import { Circuits } from "./circuits.ts";
import { aLog } from "./scene.contract.ts";
import { callSeat, endOfEpisode, type SeatGround } from "./seat-call.ts";
import type { SeatRequest } from "./seat-request.ts";

let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-seat-"));
});
afterEach(() => rm(dir, { recursive: true }));

const answered: AgentOutcome = { kind: "answered", report: "{}", output: "", ms: 1, usage: null };
const failed = (failure: AgentFailure, retryAfterMs?: number): AgentOutcome => ({
	kind: "failed",
	failure,
	message: `it was ${failure}`,
	output: "",
	ms: 1,
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** A task whose agents answer as scripted, with a clock that only waiting moves, and records in memory. */
function scene(scripts: Readonly<Record<string, readonly AgentOutcome[]>>, fallback?: string) {
	const calls: CallRecord[] = [];
	const steps = new Map<string, unknown>();
	const events: string[] = [];
	const slept: number[] = [];
	const asked: string[] = [];
	let now = 1_000_000;
	const keep = (write: Write): void => {
		if (write.kind === "call") calls.push(write.call);
		if (write.kind === "step") steps.set(write.key.step, write.result);
		if (write.kind === "event") events.push(write.event.type);
	};
	const agentOf = (name: string): Agent => ({
		handsIn: "message",
		call: () => {
			asked.push(name);
			const outcome = scripts[name]?.[asked.filter((each) => each === name).length - 1];
			return Promise.resolve(outcome ?? failed("unknown"));
		},
	});
	// Only what a call of a seat touches; the rest of a task has no part in it.
	const context = {
		run: { runId: "r" },
		task: { id: "t" },
		workflow: {},
		circuits: new Circuits(),
		masker: maskerFor([]),
		clock: {
			now: () => now,
			sleep: (ms: number) => {
				slept.push(ms);
				now += ms;
				return Promise.resolve();
			},
		},
		signal: new AbortController().signal,
		places: { work: dir, transcriptDir: join(dir, "transcripts"), transcriptPrefix: "t" },
		log: aLog(1, "coach_turn"),
		read: {
			calls: () => Promise.resolve(calls),
			step: ({ step }: { step: string }) => Promise.resolve(steps.get(step)),
		},
		commit: (writes: readonly Write[]) => Promise.resolve(writes.forEach(keep)),
		environment: () => ({}),
		recorder: null,
		seat: (name: string) =>
			Promise.resolve({
				agent: agentOf(name),
				definition: {
					adapter: "command",
					name,
					run: ["x"],
					env: [],
					timeoutMs: 1_000,
					...(name === "dev" && fallback !== undefined ? { fallback } : {}),
				},
			}),
	} as unknown as SeatGround;
	const request: SeatRequest = {
		role: "coach",
		agent: "dev",
		checkout: dir,
		nth: 0,
		recordLater: false,
		prepare: () => Promise.resolve(),
		compose: ({ handsIn }) => Promise.resolve({ prompt: handsIn, context: {} }),
	};
	const wait = (ms: number): void => {
		now += ms;
	};
	return { context, request, calls, events, slept, asked, wait };
}

test("a failure that may pass is tried again after 2, 4 and 8 s, and then it is the role's", async () => {
	const { context, request, slept, asked } = scene({
		dev: ["network", "rate_limit", "timeout", "tool_error"].map((name) =>
			failed(name as AgentFailure),
		),
	});
	expect(await callSeat(context, request)).toMatchObject({
		kind: "failed",
		call: { call: 4, outcome: "tool_error" },
	});
	expect({ slept, asked: asked.length }).toEqual({ slept: [2_000, 4_000, 8_000], asked: 4 });
});

test("a longer Retry-After is waited for", async () => {
	const { context, request, slept } = scene({ dev: [failed("rate_limit", 30_000), answered] });
	expect((await callSeat(context, request)).kind).toBe("answered");
	expect(slept).toEqual([30_000]);
});

test("the same request after a kill gives the stored answer and makes no call", async () => {
	const { context, request, asked } = scene({ dev: [answered] });
	await callSeat(context, request);
	expect(await callSeat(context, request)).toMatchObject({ kind: "answered", outcome: null });
	expect(asked).toEqual(["dev"]);
});

test.each(["content_policy", "context_limit"] as const)("%s is never tried again", async (name) => {
	const { context, request, asked } = scene({ dev: [failed(name)] }, "spare");
	expect((await callSeat(context, request)).kind).toBe("failed");
	expect(asked).toEqual(["dev"]);
});

test("after its last retry an agent is replaced by its fallback, whose calls are counted on", async () => {
	const down = failed("network");
	const { context, request, asked, events } = scene(
		{ dev: [down, down, down, down], spare: [answered] },
		"spare",
	);
	expect(await callSeat(context, request)).toMatchObject({
		kind: "answered",
		call: { agent: "spare", call: 5 },
	});
	expect(asked).toEqual(["dev", "dev", "dev", "dev", "spare"]);
	expect(events).toContain("agent-replaced");
});

test("an agent out of order is passed over for its fallback, and asked again after 60 s", async () => {
	const down = failed("network");
	const { context, request, asked, wait } = scene(
		{ dev: [down, down, down, down, answered], spare: [answered, answered] },
		"spare",
	);
	await callSeat(context, request);
	await callSeat(context, { ...request, nth: 1 });
	expect(asked.slice(4)).toEqual(["spare", "spare"]);
	wait(60_000);
	await endEpisode(context);
	expect((await callSeat(context, request)).kind).toBe("answered");
	expect(asked.at(-1)).toBe("dev");
});

test("an agent out of order without a fallback is asked once, without retries", async () => {
	const down = failed("network");
	const { context, request, asked, slept } = scene({ dev: [down, down, down, down, down] });
	await callSeat(context, request);
	await endEpisode(context);
	slept.length = 0;
	expect((await callSeat(context, request)).kind).toBe("failed");
	expect({ asked: asked.length, slept }).toEqual({ asked: 5, slept: [] });
});

async function endEpisode(context: SeatGround): Promise<void> {
	await context.commit([await endOfEpisode(context, "coach")]);
}

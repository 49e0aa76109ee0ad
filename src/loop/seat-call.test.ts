import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Agent, AgentOutcome } from "../agents/agent.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import type { AgentFailure } from "../kernel/roles.ts";
import { maskerFor } from "../masking/masking.ts";
import type { CallRecord, Records, Write } from "../store/records.ts";
import { NO_SPENDING, spendingOf } from "../store/spending.ts";
import type { AgentDefinition, Workflow } from "../workflow/workflow.ts";
import { CallAdmission } from "./admission/admission.ts";
import type { SeatRequest } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { aLog } from "./scene.contract.ts";
import { AccountSpent, callSeat, endOfEpisode, spentAccountIn } from "./seat-call.ts";

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

const NOTHING_SPENT = { ...spendingOf(NO_SPENDING, "a"), calls: 1 };

/** An outcome, or an answer that a test gives by hand. */
type Scripted = AgentOutcome | (() => Promise<AgentOutcome>);

/** What tasks of one run share. */
interface Shared {
	readonly admission: CallAdmission;
	readonly now: () => number;
}

/** How a scene differs from a run with one task and no limits. */
interface Setting {
	readonly fallback?: string;
	readonly task?: string;
	/** Keys of the agent `dev`. */
	readonly dev?: Pick<AgentDefinition, "maxParallel" | "requestsPerMinute">;
	/** Given to several scenes, they are tasks of one run. */
	readonly shared?: Shared;
	readonly workflow?: Pick<Workflow, "budget" | "onQuota">;
	readonly records?: Pick<Records, "spending" | "highestCosts">;
}

/** A task whose agents answer as scripted, with a clock that only waiting moves, and records in memory. */
function scene(scripts: Readonly<Record<string, readonly Scripted[]>>, setting: Setting = {}) {
	const calls: CallRecord[] = [];
	const steps = new Map<string, unknown>();
	const events: string[] = [];
	const told: unknown[] = [];
	const slept: number[] = [];
	const asked: string[] = [];
	let now = 1_000_000;
	const clock = {
		now: () => setting.shared?.now() ?? now,
		sleep: (ms: number) => {
			slept.push(ms);
			now += ms;
			return Promise.resolve();
		},
	};
	const shared = setting.shared ?? {
		admission: new CallAdmission(clock),
		now: clock.now,
	};
	const keep = (write: Write): void => {
		if (write.kind === "call") calls.push(write.call);
		if (write.kind === "step") steps.set(write.key.step, write.result);
		if (write.kind === "event") events.push(write.event.type);
		if (write.kind === "event") told.push(write.event.data);
	};
	const agentOf = (name: string): Agent => ({
		handsIn: "message",
		call: () => {
			asked.push(name);
			const said = scripts[name]?.[asked.filter((each) => each === name).length - 1];
			return typeof said === "function" ? said() : Promise.resolve(said ?? failed("unknown"));
		},
	});
	// Only what a call of a seat touches; the rest of a task has no part in it.
	const context = {
		run: { runId: "r" },
		task: { id: setting.task ?? "t" },
		workflow: setting.workflow ?? {},
		records: setting.records,
		admission: shared.admission,
		masker: maskerFor([]),
		clock,
		signal: new AbortController().signal,
		places: { work: dir, transcripts: "t" },
		blobs: blobsInMemory(),
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
					...(name === "dev" ? { ...setting.dev, fallback: setting.fallback } : {}),
				},
			}),
	} as unknown as Ground;
	const request: SeatRequest = {
		role: "coach",
		agent: "dev",
		checkout: dir,
		nth: 0,
		prepare: () => Promise.resolve(),
		compose: ({ handsIn }) => Promise.resolve({ prompt: handsIn, context: {} }),
	};
	const wait = (ms: number): void => {
		now += ms;
	};
	return { context, request, calls, events, told, slept, asked, wait, shared };
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

test("an agent that has tried again by itself for long is not called again at once", async () => {
	const given = { ...failed("network"), hasRetried: true } as AgentOutcome;
	const { context, request, asked } = scene(
		{ dev: [given], spare: [answered] },
		{ fallback: "spare" },
	);
	expect(await callSeat(context, request)).toMatchObject({ call: { agent: "spare" } });
	expect(asked).toEqual(["dev", "spare"]);
});

test("what an agent's program says of its retries is told while it works, without secrets", async () => {
	const { context, request, told } = scene({});
	const line = "Reconnecting... 1/5 (key hunter-secret-2)\n";
	const agent: Agent = {
		handsIn: "message",
		call: async ({ onOutput }) => {
			for (let nth = 0; nth < 2; nth += 1) {
				onOutput?.(line);
				await new Promise((resolve) => setImmediate(resolve));
			}
			return answered;
		},
	};
	const masker = maskerFor([{ value: "hunter-secret-2", rule: "KEY" }]);
	const { definition } = await context.seat("dev");
	await callSeat({ ...context, masker, seat: async () => ({ agent, definition }) }, request);
	expect(told.at(-1)).toMatchObject({ role: "coach", agent: "dev", call: 1 });
	expect(JSON.stringify(told)).toMatch(/"said":"Reconnecting\.\.\. 1\/5 \(key (?!hunter)/);
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
	const { context, request, asked } = scene({ dev: [failed(name)] }, { fallback: "spare" });
	expect((await callSeat(context, request)).kind).toBe("failed");
	expect(asked).toEqual(["dev"]);
});

test("after its last retry an agent is replaced by its fallback, whose calls are counted on", async () => {
	const down = failed("network");
	const { context, request, asked, events } = scene(
		{ dev: [down, down, down, down], spare: [answered] },
		{ fallback: "spare" },
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
		{ fallback: "spare" },
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

const SPENT = {
	spending: () => Promise.resolve({ ...NO_SPENDING, heldMs: 0, tasks: [NOTHING_SPENT] }),
	highestCosts: () => Promise.resolve(new Map()),
};

describe("an account that has reached its limit", () => {
	const HOURS = 7_200_000;

	test("is waited for until its reset where the workflow says wait, and then called again", async () => {
		const { context, request, slept, events, calls } = scene(
			{ dev: [failed("quota_exhausted", HOURS), answered] },
			{ workflow: { onQuota: "wait" }, records: SPENT },
		);
		expect((await callSeat(context, request)).kind).toBe("answered");
		expect(slept).toEqual([3_600_000, 3_600_000]);
		expect(events).toContain("call-queued");
		expect(calls.map(({ call }) => call)).toEqual([1, 2]);
	});

	test.each([
		["nobody knows the reset", undefined, {}],
		["the budget of time ends before it", HOURS, { budget: { wallMs: HOURS / 2 } }],
		["people are asked", HOURS, { onQuota: "ask" }],
		["the workflow says fail", HOURS, { onQuota: "fail" }],
	] as const)("is not waited for where %s", async (_, retryAfterMs, workflow) => {
		const { context, request, slept } = scene(
			{ dev: [failed("quota_exhausted", retryAfterMs)] },
			{ workflow, records: SPENT },
		);
		const stopped = await callSeat(context, request).catch((error: unknown) => error);
		expect(spentAccountIn(new Error("in a resolution", { cause: stopped }))).toMatchObject({
			agent: "dev",
			resetsAt: retryAfterMs === undefined ? null : "1970-01-01T02:16:40.000Z",
			fails: "onQuota" in workflow && workflow.onQuota === "fail",
		});
		expect(slept).toEqual([]);
	});

	test("is asked again after a kill or an answer: what was stored of it says nothing of now", async () => {
		const { context, request, asked } = scene(
			{ dev: [failed("quota_exhausted"), answered] },
			{ records: SPENT },
		);
		await expect(callSeat(context, request)).rejects.toThrow(AccountSpent);
		context.admission.forgetFailures("t");
		expect((await callSeat(context, request)).kind).toBe("answered");
		expect(asked).toEqual(["dev", "dev"]);
	});

	test("is left for the agent's fallback where it has one", async () => {
		const { context, request, asked } = scene(
			{ dev: [failed("quota_exhausted")], spare: [answered] },
			{ fallback: "spare", records: SPENT },
		);
		expect((await callSeat(context, request)).kind).toBe("answered");
		expect(asked).toEqual(["dev", "spare"]);
	});
});

/** A call that lasts until a test ends it. */
function heldCall() {
	const outcome = Promise.withResolvers<AgentOutcome>();
	const begun = Promise.withResolvers<void>();
	const call = (): Promise<AgentOutcome> => {
		begun.resolve();
		return outcome.promise;
	};
	return { call, begun: begun.promise, end: outcome.resolve };
}

/** Resolves once a task has told that a call of it waits. */
async function queued({ events }: Pick<ReturnType<typeof scene>, "events">): Promise<void> {
	while (!events.includes("call-queued")) await new Promise((resolve) => setImmediate(resolve));
}

describe("calls of several tasks at once", () => {
	test("a call beyond the agent's limit waits for the one of another task, and says so", async () => {
		const held = heldCall();
		const dev = { maxParallel: 1 };
		const one = scene({ dev: [held.call] }, { task: "a", dev });
		const other = scene({ dev: [answered] }, { task: "b", dev, shared: one.shared });
		const first = callSeat(one.context, one.request);
		await held.begun;
		const second = callSeat(other.context, other.request);
		await queued(other);
		expect(other.asked).toEqual([]);
		held.end(answered);
		expect([(await first).kind, (await second).kind]).toEqual(["answered", "answered"]);
		expect(other.events).toEqual(["call-queued", "agent-called", "agent-answered"]);
		expect(one.events).not.toContain("call-queued");
	});

	test("an agent that went out of order while a call waited for it is not called: its fallback is", async () => {
		const held = heldCall();
		const dev = { maxParallel: 1 };
		const one = scene({ dev: [held.call] }, { task: "a", dev });
		const other = scene(
			{ dev: [answered], spare: [answered] },
			{ task: "b", dev, fallback: "spare", shared: one.shared },
		);
		const first = callSeat(one.context, one.request);
		await held.begun;
		const second = callSeat(other.context, other.request);
		await queued(other);
		held.end(failed("quota_exhausted"));
		await expect(first).rejects.toThrow(AccountSpent);
		expect(await second).toMatchObject({ kind: "answered", call: { agent: "spare" } });
		expect(other.asked).toEqual(["spare"]);
	});

	test("without a fallback it is asked once, without retries", async () => {
		const held = heldCall();
		const dev = { maxParallel: 1 };
		const one = scene({ dev: [held.call] }, { task: "a", dev });
		const other = scene({ dev: [failed("network")] }, { task: "b", dev, shared: one.shared });
		const first = callSeat(one.context, one.request);
		await held.begun;
		const second = callSeat(other.context, other.request);
		await queued(other);
		held.end(failed("quota_exhausted"));
		await expect(first).rejects.toThrow(AccountSpent);
		expect((await second).kind).toBe("failed");
		expect(other.asked).toEqual(["dev"]);
	});

	test("a retry passes the limits again, and no place is held between two tries", async () => {
		const { context, request, slept } = scene(
			{ dev: [failed("network"), answered] },
			{ dev: { maxParallel: 1, requestsPerMinute: 1 } },
		);
		expect((await callSeat(context, request)).kind).toBe("answered");
		// The pause before the retry, and then the rest of the minute.
		expect(slept).toEqual([2_000, 58_000]);
	});

	test("the time of waiting is no time of the call", async () => {
		const { context, request, calls } = scene(
			{ dev: [failed("network"), answered] },
			{ dev: { requestsPerMinute: 1 } },
		);
		await callSeat(context, request);
		expect(calls.map(({ startedAt }) => Date.parse(startedAt))).toEqual([1_000_000, 1_060_000]);
	});

	test("a budget that is spent while a call waits for its reservation stops it", async () => {
		let usd = 0;
		const records = {
			spending: () =>
				Promise.resolve({ ...NO_SPENDING, tasks: [{ ...NOTHING_SPENT, costUsd: usd }] }),
			highestCosts: () => Promise.resolve(new Map()),
		};
		const held = heldCall();
		const setting = { workflow: { budget: { usd: 1 } }, records };
		const one = scene({ dev: [held.call] }, { ...setting, task: "a" });
		const other = scene({ dev: [answered] }, { ...setting, task: "b", shared: one.shared });
		const first = callSeat(one.context, one.request);
		await held.begun;
		const second = callSeat(other.context, other.request);
		await queued(other);
		usd = 1.5;
		held.end(answered);
		await first;
		expect(await second).toEqual({
			kind: "unpaid",
			reason: "the budget of the run is spent: $1.50 of $1.00",
		});
		expect(other.asked).toEqual([]);
	});
});

async function endEpisode(context: Ground): Promise<void> {
	await context.commit([await endOfEpisode(context, "coach")]);
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	type AgentMakers,
	contractCall,
	describeAgentContract,
	HANGING,
	REPORT,
} from "../agent.contract.ts";
import { type Agent, type AgentCall, type AgentOutcome, answer } from "../agent.ts";
import { valueAgent } from "./value-agent.ts";

const never = new AbortController().signal;

/** An agent whose answer nobody has checked the type of. */
const served = (call: (call: AgentCall, signal: AbortSignal) => unknown): Agent =>
	valueAgent(
		{ handsIn: "message", call: call as Agent["call"] },
		// Nobody is to wait for it here.
		{ graceMs: 0 },
	);

const startsNothing = { leftOut: "what a value starts, it ends itself" };
const makers: AgentMakers = {
	answers: () => served(() => Promise.resolve(answer({ decision: "approve" }))),
	fails: () => served(() => Promise.reject(new Error("no model today"))),
	answersNothing: () => served(() => answer(null)),
	reportsNoJson: () => served(() => answer("not { JSON")),
	floods: () => served(() => answer(REPORT, { output: "0123456789\n".repeat(550_000) })),
	hangs: (dir) =>
		served(async (_call, signal) => {
			const { promise, reject } = Promise.withResolvers<never>();
			signal.addEventListener("abort", () => reject(new Error("told to end")));
			return await Promise.all([promise, writeFile(join(dir, HANGING), "")]);
		}),
	leavesChildren: startsNothing,
	diesHalfWay: () => served(() => Promise.reject(new Error("connection reset"))),
	failsHavingSpent: () =>
		served(() => ({
			kind: "failed",
			failure: "rate_limit",
			message: "slow down",
			usage: { inputTokens: 7, outputTokens: null, costUsd: null, model: null },
		})),
	talksOn: { leftOut: "a value answers once" },
};

describeAgentContract("a value", makers, ["leavesChildren", "talksOn"]);

let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-value-"));
});

afterEach(() => rm(dir, { recursive: true }));

async function outcomeOf(agent: Agent, patch: Partial<AgentCall> = {}): Promise<AgentOutcome> {
	const call = await contractCall(dir, patch);
	return agent.call(call, never);
}

describe("what a value gives is checked", () => {
	const brokenAnswers: readonly (readonly [string, unknown, string])[] = [
		["nothing", undefined, "undefined in place of an outcome"],
		["a text", "done", "a string in place of an outcome"],
		["an unknown kind", { kind: "done" }, "a `kind` that is neither"],
		[
			"a report that is no text",
			{ kind: "answered", report: { decision: "approve" } },
			"an object",
		],
		[
			"too large a report",
			{ kind: "answered", report: "x".repeat(5_000_000) },
			"more than 4194304",
		],
		["an output that is no text", { kind: "answered", report: null, output: 7 }, "a number"],
		[
			"an unknown failure",
			{ kind: "failed", failure: "tired", message: "x" },
			"other than network",
		],
		["a failure without a message", { kind: "failed", failure: "network" }, "a `message`"],
	];
	test.each(brokenAnswers)("%s is a failure of the call", async (_name, given, text) => {
		expect(await outcomeOf(served(() => given))).toMatchObject({
			kind: "failed",
			failure: "unknown",
			message: expect.stringContaining(text) as string,
		});
	});

	test("what it throws at once is a failure too, in one line", async () => {
		const agent = served(() => {
			throw new Error("no key\n at somewhere");
		});
		expect(await outcomeOf(agent)).toMatchObject({ message: "agent a threw: no key" });
	});

	test("a failure by its words is one that is tried again", async () => {
		const agent = served(() => Promise.reject(new Error("read ECONNRESET")));
		expect(await outcomeOf(agent)).toMatchObject({ failure: "network" });
	});

	test("its transcript is heard once, at the end or while it speaks", async () => {
		const heard: string[] = [];
		const onOutput = (text: string) => heard.push(text);
		await outcomeOf(
			served(() => answer(REPORT, { output: "all of it" })),
			{ onOutput },
		);
		const speaking = served((call) => {
			call.onOutput?.("a piece");
			return answer(REPORT, { output: "a piece" });
		});
		await outcomeOf(speaking, { onOutput });
		expect(heard).toEqual(["all of it", "a piece"]);
	});

	test("only the known fields are kept, the time is measured, and unknown amounts stay unknown", async () => {
		const given = {
			...answer(REPORT),
			ms: 1e9,
			usage: { inputTokens: 3, costUsd: -1 },
			more: "of this",
		};
		const outcome = await outcomeOf(served(() => given));
		expect(outcome).not.toHaveProperty("more");
		expect(outcome.ms).toBeLessThan(60_000);
		expect(outcome.usage).toEqual({
			inputTokens: 3,
			outputTokens: null,
			costUsd: null,
			model: null,
		});
	});
});

describe("a value that does not end", () => {
	const deaf = served(() => Promise.withResolvers().promise);

	test("is a timeout after its time, whatever it does", async () => {
		expect(await outcomeOf(deaf, { timeoutMs: 1 })).toMatchObject({
			kind: "failed",
			failure: "timeout",
			message: "agent a did not answer within 0.001 s",
		});
	});

	test("is left behind when the call is aborted, with the signal's reason", async () => {
		const stop = new AbortController();
		const call = await contractCall(dir);
		const outcome = deaf.call(call, stop.signal);
		stop.abort(new Error("enough"));
		await expect(outcome).rejects.toThrow("enough");
	});

	test("an answer that comes after its time counts no more", async () => {
		const late = served(async (_call, signal) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			signal.addEventListener("abort", () => resolve());
			await promise;
			return answer(REPORT);
		});
		expect(await outcomeOf(late, { timeoutMs: 1 })).toMatchObject({ failure: "timeout" });
	});
});

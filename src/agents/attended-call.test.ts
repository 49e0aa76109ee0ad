import { expect, test } from "vitest";
import type { Agent, AgentCall, AgentOutcome } from "./agent.ts";
import { attendedCall } from "./attended-call.ts";

const answered: AgentOutcome = { kind: "answered", report: "{}", output: "", ms: 1, usage: null };
const retry = (nth: number): string =>
	`${JSON.stringify({ type: "error", message: `Reconnecting... ${nth}/5` })}\n`;
const LIMIT = `${JSON.stringify({ type: "error", message: "Reconnecting... 1/5 (429)" })}\n`;
const SERVER_ERROR = `${JSON.stringify({ type: "error", message: "Reconnecting... 1/5 (500)" })}\n`;
const WORK = `${JSON.stringify({ type: "item.started" })}\n`;

interface Sleeper {
	readonly at: number;
	readonly wake: () => void;
}

/** Texts that a program prints, and the seconds that pass between. */
type Script = readonly (string | number)[];

/** A call of an agent that plays the script and answers, with a clock that it alone moves. */
async function played(script: Script, stop?: AbortSignal) {
	let now = 0;
	let sleepers: Sleeper[] = [];
	const told: [string, number][] = [];
	const settle = () => new Promise((resolve) => setImmediate(resolve));
	const pass = async (seconds: number): Promise<void> => {
		for (let left = seconds; left > 0; left -= 1) {
			now += 1_000;
			const due = sleepers.filter(({ at }) => at <= now);
			sleepers = sleepers.filter(({ at }) => at > now);
			for (const { wake } of due) wake();
			await settle();
		}
	};
	const agent: Agent = {
		handsIn: "message",
		call: async ({ onOutput }, signal) => {
			for (const step of script) {
				if (typeof step === "string") onOutput?.(step);
				else await pass(step);
				signal.throwIfAborted();
			}
			return answered;
		},
	};
	const clock = {
		now: () => now,
		sleep: (ms: number, signal?: AbortSignal) =>
			new Promise<void>((wake, reject) => {
				signal?.addEventListener("abort", () => reject(signal.reason));
				sleepers.push({ at: now + ms, wake });
			}),
	};
	// What an agent is asked has no part in it.
	const call = {} as AgentCall;
	const outcome = await attendedCall(agent, call, {
		clock,
		signal: stop ?? new AbortController().signal,
		tell: async (said, ms) => {
			told.push([said, ms]);
		},
	});
	return { outcome, told, seconds: now / 1_000 };
}

test("retries are told after 15 s, once, without another line", async () => {
	expect(await played([retry(1), 14])).toMatchObject({ outcome: answered, told: [] });
	const { told } = await played([retry(1), 3, retry(2), 30, retry(3), 5]);
	expect(told).toEqual([["Reconnecting... 2/5", 15_000]]);
});

test("progress ends a spell of retries, and the next one is told again", async () => {
	expect((await played([retry(1), 10, WORK, 10, retry(2), 10])).told).toEqual([]);
	const { told } = await played([retry(1), 20, WORK, retry(2), 20]);
	expect(told.map(([said]) => said)).toEqual(["Reconnecting... 1/5", "Reconnecting... 2/5"]);
});

test("two minutes of failed requests are a failure of the network, or of a service that answers with errors", async () => {
	const often = Array.from({ length: 60 }, (_, nth) => [retry(nth), 10]).flat();
	const { outcome, seconds, told } = await played(often);
	expect({ seconds, told: told.length }).toEqual({ seconds: 120, told: 1 });
	expect(outcome).toMatchObject({
		kind: "failed",
		failure: "network",
		message: "two minutes of network errors: Reconnecting... 11/5",
		ms: 120_000,
		hasRetried: true,
	});
	expect(JSON.stringify(outcome)).toContain("Reconnecting... 5/5");
	const refused = often.map((part) => (typeof part === "string" ? SERVER_ERROR : part));
	expect((await played(refused)).outcome).toMatchObject({ failure: "unavailable" });
	const seldom = Array.from({ length: 9 }, (_, nth) => [retry(nth), 75]).flat();
	expect((await played(seldom)).seconds).toBe(150);
});

test("what a server of the agent says beside its events is told, and ends no call", async () => {
	const aside = 'WARN mcp: server "docs" failed to connect (ECONNREFUSED), retrying in 10s\n';
	const { outcome, told } = await played([
		WORK,
		...Array.from({ length: 20 }, () => [aside, 10]).flat(),
	]);
	expect(outcome).toMatchObject({ kind: "answered" });
	expect(told).toHaveLength(1);
});

test.each<[string, Script]>([
	["a model that thinks after a retry", [retry(1), 5, retry(2), 600]],
	["one that thinks between two", [retry(1), 200, retry(2), 200]],
	["a limit of the account", Array.from({ length: 60 }, () => [LIMIT, 10]).flat()],
	["a limit before the failure", [LIMIT, 100, retry(1), 30, retry(2), 5]],
	["work between", Array.from({ length: 60 }, () => [retry(1), 5, WORK, 5]).flat()],
])("a call that may go on is not ended: %s", async (_name, script) => {
	expect((await played(script)).outcome).toBe(answered);
});

test("a call that is stopped rejects with the reason", async () => {
	const stop = AbortSignal.abort(new Error("stopped"));
	await expect(played([retry(1), 1], stop)).rejects.toThrow("stopped");
});

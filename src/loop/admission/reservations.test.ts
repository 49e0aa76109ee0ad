import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentOutcome } from "../../agents/agent.ts";
import { systemClock } from "../../kernel/clock.ts";
import { RUN, run } from "../../store/record-builders.contract.ts";
import type { Records } from "../../store/records.ts";
import type { CallInFlight, CallsInFlight } from "../../store/shared-calls.ts";
import { NO_SPENDING, type TaskSpending } from "../../store/spending.ts";
import type { Budget, TaskDefinition } from "../../workflow/workflow.ts";
import { budgetStanding, hasBudget } from "./budget.ts";
import type { WaitReason } from "./call-limits.ts";
import { fits, type ReservationRequest, Reservations, type Reserved } from "./reservations.ts";

const answered = (costUsd: number | null): AgentOutcome => ({
	kind: "answered",
	report: "{}",
	output: "",
	ms: 1,
	usage: { costUsd, inputTokens: null, outputTokens: null, model: null },
});
const failed: AgentOutcome = { kind: "failed", failure: "network", message: "", output: "", ms: 1 };

/** A run with a budget whose records hold what its calls cost; a call is ended by hand. */
function scene({
	budget,
	ofTask,
	known = [],
}: {
	readonly budget?: Budget;
	readonly ofTask?: Budget;
	readonly known?: readonly (readonly [string, number | null])[];
}) {
	const spent = new Map<string, number>();
	const unknown = new Map<string, number>();
	const reads = { spending: 0 };
	/** What the next look at the records fails with. */
	const fail: { next: Error | null } = { next: null };
	/** Tasks that cannot be told that they wait. */
	const deaf = new Set<string>();
	// Only what a budget reads of the records.
	const records = {
		spending: (runId: string) => {
			expect(runId).toBe(RUN);
			reads.spending += 1;
			const error = fail.next;
			fail.next = null;
			if (error !== null) return Promise.reject(error);
			const tasks = [...new Set([...spent.keys(), ...unknown.keys()])].map(
				(taskId) =>
					({
						...NO_SPENDING,
						taskId,
						calls: 1,
						unknownCalls: unknown.get(taskId) ?? 0,
						costUsd: spent.get(taskId) ?? null,
						inputTokens: null,
						outputTokens: null,
						workMs: 0,
					}) satisfies TaskSpending,
			);
			return Promise.resolve({ ...NO_SPENDING, tasks });
		},
	} as unknown as Records;
	const reservations = new Reservations();
	const waits: WaitReason[] = [];
	const stop = new AbortController();
	const context = (id: string): Parameters<typeof budgetStanding>[0] => ({
		run: run(),
		workflow: { ...run().workflow, budget },
		// Of a task only its budget and its id are looked at.
		task: { id, budget: ofTask } as TaskDefinition,
		records,
		clock: systemClock,
		commit: () => Promise.resolve(),
	});
	const ask = (taskId: string, agent = "dev"): Promise<Reserved> =>
		reservations.reserve({
			taskId,
			agent,
			isBound: hasBudget(context(taskId)),
			signal: stop.signal,
			onWait: (why) =>
				deaf.has(taskId)
					? Promise.reject(new Error("not told"))
					: Promise.resolve(void waits.push(why)),
			standing: () => budgetStanding(context(taskId)),
			highestCosts: () => Promise.resolve(new Map(known)),
		});
	/** Stores what a call cost, as the loop does, and ends it. */
	const end = (task: string, call: Reserved, outcome: AgentOutcome | null): void => {
		if (call.kind !== "reserved") throw new Error(call.reason);
		const cost = outcome?.usage?.costUsd ?? null;
		if (cost !== null) spent.set(task, (spent.get(task) ?? 0) + cost);
		else if (outcome !== null) unknown.set(task, (unknown.get(task) ?? 0) + 1);
		call.end(outcome);
	};
	const total = (): number => [...spent.values()].reduce((sum, cost) => sum + cost, 0);
	return { ask, end, total, waits, reads, stop, fail, deaf };
}

/** Everything that can happen without an end has happened. */
const rested = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise is still open once nothing else happens. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
	let isOpen = true;
	void promise.finally(() => {
		isOpen = false;
	});
	await rested();
	return isOpen;
}

describe("whether a call fits beside those under way", () => {
	test("alone it always does: it is the one that may cross the limit", () => {
		expect(fits(0.01, 5, [])).toBe(true);
		expect(fits(0.01, null, [])).toBe(true);
	});

	test("beside others it does as long as all of them stay below the limit", () => {
		expect(fits(1, 0.4, [0.6])).toBe(true);
		expect(fits(1, 0.5, [0.6])).toBe(false);
		expect(fits(0.1 + 0.2, 0.1, [0.2])).toBe(true);
	});

	test("one call of unknown cost is let in beside others, and no second one", () => {
		expect(fits(1, null, [0.6])).toBe(true);
		expect(fits(1, null, [null])).toBe(false);
		expect(fits(1, 0.6, [null])).toBe(true);
		expect(fits(1, null, [1])).toBe(false);
	});

	test("an agent that never tells a cost fits until all is set aside", () => {
		expect(fits(1, 0, [0.6, 0])).toBe(true);
		expect(fits(1, 0, [1])).toBe(false);
	});
});

test("a call that would not fit beside those under way waits for one to end, and asks again", async () => {
	const { ask, end, waits } = scene({ budget: { usd: 1 }, known: [["dev", 0.4]] });
	const [a, b] = [await ask("a"), await ask("b")];
	const third = ask("c");
	expect(await isWaiting(third)).toBe(true);
	expect(waits).toEqual(["budget"]);
	end("a", a, answered(0.1));
	// 0.1 is spent, and 0.4 are set aside for the second: 0.5 are left.
	const c = await third;
	expect(c.kind).toBe("reserved");
	end("b", b, answered(0.4));
	end("c", c, answered(0.4));
	const last = await ask("d");
	expect(last.kind).toBe("reserved");
	end("d", last, answered(0.4));
	expect(await ask("e")).toEqual({
		kind: "unpaid",
		reason: "the budget of the run is spent: $1.30 of $1.00",
	});
});

test("a budget that the calls before spent is said to all who wait", async () => {
	const { ask, end } = scene({ budget: { usd: 1 }, known: [["dev", 0.6]] });
	const first = await ask("a");
	const others = [ask("b"), ask("c")];
	await rested();
	end("a", first, answered(1));
	for (const other of others) expect((await other).kind).toBe("unpaid");
});

test("before an agent's first answer one call of it runs; then its cost is known, and all others go", async () => {
	const { ask, end } = scene({ budget: { usd: 10 } });
	const first = await ask("a");
	const others = ["b", "c", "d"].map((task) => ask(task));
	for (const other of others) expect(await isWaiting(other)).toBe(true);
	end("a", first, answered(0.5));
	for (const other of others) expect((await other).kind).toBe("reserved");
});

test("a first call that failed without a cost tells nothing: the next one goes alone as well", async () => {
	const { ask, end } = scene({ budget: { usd: 10 } });
	end("a", await ask("a"), failed);
	const second = await ask("a");
	const third = ask("b");
	expect(await isWaiting(third)).toBe(true);
	end("a", second, null);
	expect((await third).kind).toBe("reserved");
});

test("an agent that answers without telling a cost holds nobody back after its first answer", async () => {
	const { ask, end } = scene({ budget: { usd: 1 } });
	end("a", await ask("a"), answered(null));
	const calls = await Promise.all(["a", "b", "c", "d"].map((task) => ask(task)));
	expect(calls.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => "reserved"));
});

test("what an earlier process of the run paid is known from the records", async () => {
	const { ask } = scene({ budget: { usd: 1 }, known: [["dev", 0.3]] });
	const calls = ["a", "b", "c", "d"].map((task) => ask(task));
	for (const call of calls.slice(0, 3)) expect((await call).kind).toBe("reserved");
	expect(await isWaiting(calls[3] ?? Promise.resolve())).toBe(true);
});

test("calls of another task do not count against a task's own budget", async () => {
	const { ask } = scene({ ofTask: { usd: 1 }, known: [["dev", 0.9]] });
	expect((await ask("a")).kind).toBe("reserved");
	expect((await ask("b")).kind).toBe("reserved");
	expect(await isWaiting(ask("a"))).toBe(true);
	// Nor does one that waits for its own task's.
	expect((await ask("c")).kind).toBe("reserved");
});

test("without a budget nothing is looked up and nobody waits", async () => {
	const { ask, reads } = scene({});
	for (const task of ["a", "b", "c"]) expect((await ask(task)).kind).toBe("reserved");
	expect(reads.spending).toBe(0);
});

test("many who wait for the same cost one look at the records when a call ends", async () => {
	const { ask, end, reads } = scene({ budget: { usd: 1 }, known: [["dev", 0.6]] });
	const first = await ask("t0");
	const waiting = Array.from({ length: 100 }, (_, nth) => ask(`t${nth + 1}`));
	await rested();
	const before = reads.spending;
	end("t0", first, answered(0.1));
	await rested();
	// One for the call that is let in, and one for the first that is not.
	expect(reads.spending - before).toBe(2);
	await expect(waiting[0]).resolves.toMatchObject({ kind: "reserved" });
});

test("records that cannot be read are the fault of the call that asks, and of no other", async () => {
	const { ask, fail } = scene({ budget: { usd: 1 }, known: [["dev", 0.1]] });
	fail.next = new Error("disk I/O error");
	const calls = [ask("a"), ask("b")];
	await expect(calls[0]).rejects.toThrow("disk I/O error");
	await expect(calls[1]).resolves.toMatchObject({ kind: "reserved" });
});

test("a call whose wait cannot be told is not made, and holds nobody up", async () => {
	const { ask, end, deaf } = scene({ budget: { usd: 1 }, known: [["dev", 0.9]] });
	const first = await ask("a");
	deaf.add("b");
	await expect(ask("b")).rejects.toThrow("not told");
	const third = ask("c");
	end("a", first, answered(0.1));
	expect((await third).kind).toBe("reserved");
});

test("a call that is aborted while its wait is told ends once, with the reason of the abort", async () => {
	const { ask, stop, deaf } = scene({ budget: { usd: 1 }, known: [["dev", 0.9]] });
	await ask("a");
	deaf.add("b");
	const second = ask("b");
	const reason = new Error("Ctrl-C");
	stop.abort(reason);
	await expect(second).rejects.toBe(reason);
	await rested();
	await expect(ask("c")).rejects.toBe(reason);
});

test("a call that waits ends with the run", async () => {
	const { ask, stop } = scene({ budget: { usd: 1 } });
	await ask("a");
	const second = ask("b");
	await rested();
	const reason = new Error("Ctrl-C");
	stop.abort(reason);
	await expect(second).rejects.toBe(reason);
});

/** Tasks that call one after another until the budget is spent; `picks` says which call under way ends next. */
async function spendAll(
	{ ask, end, total }: ReturnType<typeof scene>,
	{
		tasks,
		picks,
		costOf,
	}: {
		readonly tasks: number;
		readonly picks: readonly number[];
		readonly costOf: (nth: number, agent: string) => number;
	},
): Promise<{ readonly total: number; readonly most: number }> {
	const open: { task: string; agent: string; end: () => void }[] = [];
	let [calls, most, stopped] = [0, 0, 0];
	const work = async (task: string, agent: string): Promise<void> => {
		for (;;) {
			const call = await ask(task, agent);
			if (call.kind === "unpaid") break;
			const cost = costOf(calls, agent);
			calls += 1;
			await new Promise<void>((resolve) => {
				const finish = (): void => {
					end(task, call, answered(cost));
					resolve();
				};
				open.push({ task, agent, end: finish });
				most = Math.max(most, open.length);
			});
		}
		stopped += 1;
	};
	const all = Array.from({ length: tasks }, (_, nth) => work(`t${nth}`, `agent-${nth % 3}`));
	await rested();
	for (let nth = 0; open.length > 0; nth += 1) {
		const at = (picks[nth % picks.length] ?? 0) % open.length;
		open.splice(at, 1)[0]?.end();
		await rested();
	}
	// Else somebody waits for a call that nobody makes.
	expect(stopped).toBe(tasks);
	await Promise.all(all);
	return { total: total(), most };
}

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => value / 100);
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 20 });
const tasks = fc.integer({ min: 1, max: 8 });

test("where no call costs more than its agent is known for, calls at once spend less than one call more than the limit", async () => {
	await fc.assert(
		fc.asyncProperty(
			cents(500),
			fc.tuple(cents(100), cents(100), cents(100)),
			fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 }),
			tasks,
			picks,
			async (usd, highest, shares, count, order) => {
				const known = highest.map((cost, nth) => [`agent-${nth}`, cost] as const);
				const most = new Map<string, number>(known);
				const { total } = await spendAll(scene({ budget: { usd }, known }), {
					tasks: count,
					picks: order,
					costOf: (nth, agent) =>
						(most.get(agent) ?? 0) * ((shares[nth % shares.length] ?? 100) / 100),
				});
				expect(total).toBeGreaterThanOrEqual(usd - 1e-6);
				expect(total).toBeLessThan(usd + Math.max(...highest) + 1e-6);
			},
		),
		{ numRuns: 60 },
	);
});

test("where nothing is known before, the same holds of agents whose first call is their dearest", async () => {
	await fc.assert(
		fc.asyncProperty(
			cents(500),
			fc.tuple(cents(100), cents(100), cents(100)),
			tasks,
			picks,
			async (usd, costs, count, order) => {
				const { total } = await spendAll(scene({ budget: { usd } }), {
					tasks: count,
					picks: order,
					costOf: (_, agent) => costs[Number(agent.slice(-1))] ?? 0,
				});
				expect(total).toBeLessThan(usd + Math.max(...costs) + 1e-6);
			},
		),
		{ numRuns: 60 },
	);
});

test("whatever calls cost, each call under way adds at most what it costs more than was known", async () => {
	await fc.assert(
		fc.asyncProperty(
			cents(300),
			fc.array(cents(100), { minLength: 1, maxLength: 30 }),
			tasks,
			picks,
			async (usd, costs, count, order) => {
				const { total } = await spendAll(scene({ budget: { usd } }), {
					tasks: count,
					picks: order,
					costOf: (nth) => costs[nth % costs.length] ?? 0,
				});
				expect(total).toBeLessThan(usd + count * Math.max(...costs) + 1e-6);
			},
		),
		{ numRuns: 60 },
	);
});

test("where the budget has room for all, they run at once", async () => {
	const { most } = await spendAll(
		scene({
			budget: { usd: 100 },
			known: [0, 1, 2].map((nth) => [`agent-${nth}`, 1] as const),
		}),
		{ tasks: 8, picks: [3, 1, 4], costOf: () => 1 },
	);
	expect(most).toBe(8);
});

describe("beside the calls of other machines", () => {
	/** Calls of which some are made elsewhere; each decision is alone. */
	function elsewhere(...others: readonly CallInFlight[]) {
		const calls = new Set<CallInFlight>(others);
		const isEnded: boolean[] = [];
		const shared: CallsInFlight = {
			enter: async (decide) => {
				const decision = await decide([...calls]);
				const { call } = decision;
				if (call === null) return { decision, end: null };
				calls.add(call);
				return { decision, end: () => void isEnded.push(calls.delete(call)) };
			},
		};
		return { calls, shared, isEnded };
	}

	const request = (signal: AbortSignal, costs: () => number): ReservationRequest => ({
		taskId: "here",
		agent: "dev",
		isBound: true,
		signal,
		onWait: () => Promise.resolve(),
		standing: () => Promise.resolve({ stop: null, rooms: [{ scope: "run", leftUsd: 1 }] }),
		highestCosts: () => Promise.resolve(new Map([["dev", costs()]])),
	});

	test("a call waits for one that is made elsewhere, and looks again by itself", async () => {
		const other = { taskId: "there", reserve: 0.6 };
		const { calls, shared } = elsewhere(other);
		const reservations = new Reservations({ calls: shared, lookMs: 1 });
		const reserved = reservations.reserve(request(new AbortController().signal, () => 0.5));
		expect(await isWaiting(reserved)).toBe(true);
		calls.delete(other);
		expect((await reserved).kind).toBe("reserved");
		expect([...calls]).toEqual([{ taskId: "here", reserve: 0.5 }]);
	});

	test("what other machines learned of an agent's costs is asked for at each look", async () => {
		const { shared } = elsewhere({ taskId: "there", reserve: 0.6 });
		let cost = 0.5;
		const reservations = new Reservations({ calls: shared, lookMs: 1 });
		const reserved = reservations.reserve(request(new AbortController().signal, () => cost));
		expect(await isWaiting(reserved)).toBe(true);
		cost = 0.4;
		expect((await reserved).kind).toBe("reserved");
	});

	test("a call that is given up while it is entered is ended again", async () => {
		const stop = new AbortController();
		const { calls, shared, isEnded } = elsewhere();
		const slow: CallsInFlight = {
			enter: async (decide) => {
				const entered = await shared.enter(decide);
				stop.abort(new Error("Ctrl-C"));
				return entered;
			},
		};
		const reservations = new Reservations({ calls: slow, lookMs: 1 });
		await expect(reservations.reserve(request(stop.signal, () => 0.5))).rejects.toThrow("Ctrl-C");
		await rested();
		expect(isEnded).toEqual([true]);
		expect(calls.size).toBe(0);
	});

	test("a store that is away fails the call that asked, and no other", async () => {
		const { shared } = elsewhere();
		let isAway = true;
		const flaky: CallsInFlight = {
			enter: (decide) => (isAway ? Promise.reject(new Error("away")) : shared.enter(decide)),
		};
		const reservations = new Reservations({ calls: flaky, lookMs: 1 });
		const { signal } = new AbortController();
		await expect(reservations.reserve(request(signal, () => 0.5))).rejects.toThrow("away");
		isAway = false;
		expect((await reservations.reserve(request(signal, () => 0.5))).kind).toBe("reserved");
	});
});

test("a call that ends while another one is decided about leaves nobody waiting", async () => {
	for (let offset = 0; offset < 12; offset += 1) {
		const reservations = new Reservations();
		let leftUsd = 1;
		const request = (taskId: string): ReservationRequest => ({
			taskId,
			agent: "dev",
			isBound: true,
			signal: new AbortController().signal,
			onWait: () => Promise.resolve(),
			standing: async () => {
				const seen = leftUsd;
				await Promise.resolve();
				await Promise.resolve();
				return { stop: null, rooms: [{ scope: "run", leftUsd: seen }] };
			},
			highestCosts: () => Promise.resolve(new Map([["dev", 0.6]])),
		});
		const first = await reservations.reserve(request("a"));
		const second = reservations.reserve(request("b"));
		for (let step = 0; step < offset; step += 1) await Promise.resolve();
		leftUsd = 0.7;
		if (first.kind === "reserved") first.end(answered(0.3));
		expect((await second).kind, `${offset} steps after it was asked`).toBe("reserved");
	}
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../kernel/clock.ts";
import {
	CallLimits,
	type LimitsElsewhere,
	pauseMs,
	WaitingLine,
	type WaitReason,
} from "./call-limits.ts";

const { signal } = new AbortController();
const told: WaitReason[] = [];
const tell = (why: WaitReason): Promise<void> => Promise.resolve(void told.push(why));
const dev = { name: "dev", maxParallel: undefined, requestsPerMinute: undefined };

/** A clock that waiting moves, as if everybody slept for as long as was asked for. */
function scriptedClock(now = 1_000_000): Clock & { set(at: number): void } {
	return {
		now: () => now,
		sleep: (ms, given) => {
			given?.throwIfAborted();
			now += ms;
			return Promise.resolve();
		},
		set: (at) => {
			now = at;
		},
	};
}

test("an agent without limits never waits", async () => {
	const limits = new CallLimits(scriptedClock());
	told.length = 0;
	for (let call = 0; call < 100; call += 1) {
		await limits.place(dev, signal, tell);
		await limits.start(dev, signal, tell);
	}
	expect(told).toEqual([]);
});

test("no more calls of an agent are under way than its max_parallel, whichever task they are of", async () => {
	const limits = new CallLimits(scriptedClock());
	const [limited, other] = [
		{ ...dev, maxParallel: 3 },
		{ name: "other", maxParallel: 1 },
	];
	told.length = 0;
	let [now, most] = [0, 0];
	const call = async (): Promise<void> => {
		const leave = await limits.place(limited, signal, tell);
		now += 1;
		most = Math.max(most, now);
		for (let pause = 0; pause < 5; pause += 1) await Promise.resolve();
		now -= 1;
		leave();
	};
	const calls = Array.from({ length: 10 }, call);
	// Its own places, not those of `dev`.
	(await limits.place(other, signal, tell))();
	await Promise.all(calls);
	expect(most).toBe(3);
	expect(told).toEqual(Array.from({ length: 7 }, () => "max_parallel"));
});

test("the start after the last one allowed waits for the rest of the minute, and is told once", async () => {
	const clock = scriptedClock(0);
	const limits = new CallLimits(clock);
	const limited = { ...dev, requestsPerMinute: 2 };
	told.length = 0;
	await limits.start(limited, signal, tell);
	clock.set(10_000);
	await limits.start(limited, signal, tell);
	clock.set(15_000);
	await limits.start(limited, signal, tell);
	expect(clock.now()).toBe(60_000);
	expect(told).toEqual(["requests_per_minute"]);
	expect(pauseMs([0, 10_000], 2, 15_000)).toBe(45_000);
});

test("within any 60 s no more calls start than allowed", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 5 }),
			fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 40 }),
			async (requestsPerMinute, gaps) => {
				const clock = scriptedClock();
				const limits = new CallLimits(clock);
				const starts: number[] = [];
				for (const gap of gaps) {
					await clock.sleep(gap);
					await limits.start({ ...dev, requestsPerMinute }, signal, tell);
					starts.push(clock.now());
				}
				for (const [index, start] of starts.entries()) {
					const next = starts[index + requestsPerMinute];
					if (next !== undefined) expect(next - start).toBeGreaterThanOrEqual(60_000);
				}
			},
		),
	);
});

test("calls at once that all fit into the minute are told of no wait", async () => {
	const limits = new CallLimits(scriptedClock());
	told.length = 0;
	const limited = { ...dev, requestsPerMinute: 3 };
	await Promise.all([1, 2, 3].map(() => limits.start(limited, signal, tell)));
	expect(told).toEqual([]);
	await Promise.all([4, 5].map(() => limits.start(limited, signal, tell)));
	expect(new Set(told)).toEqual(new Set(["requests_per_minute"]));
});

test("a clock that is set back by hours holds a call for a minute at most", async () => {
	const clock = scriptedClock(100_000_000);
	const limits = new CallLimits(clock);
	const limited = { ...dev, requestsPerMinute: 1 };
	await limits.start(limited, signal, tell);
	clock.set(50_000_000);
	await limits.start(limited, signal, tell);
	expect(clock.now()).toBe(50_060_000);
});

test("a call that waits for the minute ends with the run, and the next one is not held up by it", async () => {
	const reason = new Error("Ctrl-C");
	const stop = new AbortController();
	let now = 0;
	const clock: Clock = {
		now: () => now,
		sleep: (_ms, given) =>
			new Promise((_, reject) => {
				if (given?.aborted === true) reject(given.reason);
				given?.addEventListener("abort", () => reject(given.reason));
			}),
	};
	const limits = new CallLimits(clock);
	const limited = { ...dev, requestsPerMinute: 1 };
	await limits.start(limited, signal, tell);
	const waiting = limits.start(limited, stop.signal, tell);
	stop.abort(reason);
	await expect(waiting).rejects.toBe(reason);
	now = 60_000;
	await limits.start(limited, signal, tell);
});

describe("beside the calls of other machines", () => {
	/** Answers that are given one after the other; the last one stays. */
	const answers = <T>(...given: readonly T[]) => {
		let at = 0;
		return () => {
			const answer = given[Math.min(at, given.length - 1)] as T;
			at += 1;
			return Promise.resolve(answer);
		};
	};

	const limitsBeside = (elsewhere: Partial<LimitsElsewhere>, clock = scriptedClock()) =>
		new CallLimits(clock, { place: answers(null), start: answers(0), ...elsewhere });

	test("a call asks twice a second for a place that another machine has, and gives back both of its own", async () => {
		const clock = scriptedClock(0);
		let ended = 0;
		const place = answers(null, null, () => {
			ended += 1;
		});
		const limits = limitsBeside({ place }, clock);
		const limited = { ...dev, maxParallel: 1 };
		told.length = 0;
		const leave = await limits.place(limited, signal, tell);
		expect([clock.now(), told]).toEqual([1_000, ["max_parallel", "max_parallel"]]);
		leave();
		expect(ended).toBe(1);
		(await limits.place(limited, signal, tell))();
		expect(ended).toBe(2);
	});

	test("a call that cannot ask the others leaves its place here", async () => {
		let isAway = true;
		const limits = limitsBeside({
			place: () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(() => undefined)),
		});
		const limited = { ...dev, maxParallel: 1 };
		await expect(limits.place(limited, signal, tell)).rejects.toThrow("away");
		isAway = false;
		await limits.place(limited, signal, tell);
	});

	test("a start waits for as long as the other machines' starts ask for, and is told", async () => {
		const clock = scriptedClock(0);
		const limits = limitsBeside({ start: answers(20_000, 3_000, 0) }, clock);
		told.length = 0;
		await limits.start({ ...dev, requestsPerMinute: 5 }, signal, tell);
		expect([clock.now(), told]).toEqual([23_000, ["requests_per_minute", "requests_per_minute"]]);
	});

	test("an agent without limits asks nobody", async () => {
		const never = () => Promise.reject(new Error("asked"));
		const limits = limitsBeside({ place: never, start: never });
		(await limits.place(dev, signal, tell))();
		await limits.start(dev, signal, tell);
	});
});

test("places are given out in the order in which they were asked for", async () => {
	const line = new WaitingLine(2);
	const order: string[] = [];
	const use = async (name: string): Promise<void> => {
		const leave = await line.take(signal);
		order.push(`${name} in`);
		await Promise.resolve();
		order.push(`${name} out`);
		leave();
	};
	await Promise.all(["a", "b", "c", "d"].map(use));
	expect(order.filter((step) => step.endsWith("in"))).toEqual(["a in", "b in", "c in", "d in"]);
	expect(order.indexOf("c in")).toBeGreaterThan(order.indexOf("a out"));
	expect(order.indexOf("d in")).toBeGreaterThan(order.indexOf("b out"));
});

test("only who really waits is told so", async () => {
	const line = new WaitingLine(1);
	const told: string[] = [];
	const tell = (name: string) => () => Promise.resolve(void told.push(name));
	const leave = await line.take(signal, tell("first"));
	const second = line.take(signal, tell("second"));
	leave();
	(await second)();
	await line.take(signal, tell("third"));
	expect(told).toEqual(["second"]);
});

test("who is aborted leaves the line, and the next one moves up", async () => {
	const line = new WaitingLine(1);
	const leave = await line.take(signal);
	const stop = new AbortController();
	const reason = new Error("cancelled");
	const second = line.take(stop.signal);
	const third = line.take(signal);
	stop.abort(reason);
	await expect(second).rejects.toBe(reason);
	leave();
	await expect(third).resolves.toBeTypeOf("function");
	await expect(line.take(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("where telling of the wait fails, no place is taken and none is lost", async () => {
	const line = new WaitingLine(1);
	const leave = await line.take(signal);
	const failed = line.take(signal, () => Promise.reject(new Error("disk full")));
	await expect(failed).rejects.toThrow("disk full");
	leave();
	await expect(line.take(signal)).resolves.toBeTypeOf("function");
});

test("a place that is given back twice is one place", async () => {
	const line = new WaitingLine(1);
	const leave = await line.take(signal);
	leave();
	leave();
	await line.take(signal);
	let entered = false;
	const stop = new AbortController();
	const waiting = line.take(stop.signal).then(() => {
		entered = true;
	});
	await Promise.resolve();
	stop.abort(new Error("enough"));
	await expect(waiting).rejects.toThrow("enough");
	expect(entered).toBe(false);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startHeartbeat } from "./leases.ts";

/** When beats were sent, in seconds. */
let sent: number[];
/** When the lease was given up, in seconds. */
let lost: number[];
let now: number;
let beat: () => Promise<boolean>;
let stop: () => void;

const held = async (): Promise<boolean> => true;
const another = async (): Promise<boolean> => false;
const away = async (): Promise<boolean> => {
	throw new Error("the server is away");
};
/** A server that swallows what it is sent. */
const silent = (): Promise<boolean> => new Promise(() => undefined);

beforeEach(() => {
	vi.useFakeTimers();
	sent = [];
	lost = [];
	now = 0;
	beat = held;
	stop = startHeartbeat({
		beat: () => {
			sent.push(now / 1000);
			return beat();
		},
		onLost: () => lost.push(now / 1000),
		now: () => now,
		heldAt: 0,
	});
});
afterEach(() => {
	stop();
	vi.useRealTimers();
});

/** The clock and the timers move together. */
async function pass(seconds: number): Promise<void> {
	for (let step = 0; step < seconds * 2; step += 1) {
		now += 500;
		await vi.advanceTimersByTimeAsync(500);
	}
}

test("a lease that is renewed each 10 s lasts", async () => {
	await pass(100);
	expect(sent).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
	expect(lost).toEqual([]);
});

test("a lease that is another's by now is lost at that beat, and no further one is sent", async () => {
	await pass(15);
	beat = another;
	await pass(60);
	expect(sent).toEqual([10, 20]);
	expect(lost).toEqual([20]);
});

test("a server that is away is asked again each second, and the lease ends 25 s after the last beat that counted", async () => {
	await pass(15);
	beat = away;
	await pass(60);
	expect(sent.slice(1, 4)).toEqual([20, 21, 22]);
	expect(sent.at(-1)).toBe(34);
	expect(lost).toEqual([35]);
});

test("a server that comes back in time renews the lease", async () => {
	beat = away;
	await pass(23.5);
	beat = held;
	await pass(60);
	expect(lost).toEqual([]);
	expect(sent.slice(-3)).toEqual([54, 64, 74]);
});

test("a server that never answers ends the lease all the same", async () => {
	beat = silent;
	await pass(60);
	expect(sent).toEqual([10]);
	expect(lost).toEqual([25]);
});

test("an answer counts from when its beat was sent", async () => {
	let answer: (isHeld: boolean) => void = () => undefined;
	beat = () => new Promise((resolve) => (answer = resolve));
	await pass(24);
	beat = silent;
	answer(true);
	await pass(60);
	// Sent at 10: held until 35.
	expect(sent).toEqual([10, 24.5]);
	expect(lost).toEqual([35]);
});

test("an answer that comes after the lease was given up changes nothing", async () => {
	let answer: (isHeld: boolean) => void = () => undefined;
	beat = () => new Promise((resolve) => (answer = resolve));
	await pass(25);
	answer(true);
	await pass(60);
	expect(sent).toEqual([10]);
	expect(lost).toEqual([25]);
});

test.each([25, 3_600])(
	"a process that was stopped for %d s gives the lease up before it sends anything",
	async (seconds) => {
		// The clock goes on while no timer runs.
		now += seconds * 1000;
		await vi.advanceTimersByTimeAsync(10_000);
		expect(sent).toEqual([]);
		expect(lost).toHaveLength(1);
	},
);

test("a process that was stopped for less goes on", async () => {
	now += 24_000;
	await vi.advanceTimersByTimeAsync(10_000);
	expect(sent).toEqual([24]);
	expect(lost).toEqual([]);
});

test("what has ended sends nothing, loses nothing and leaves no timer", async () => {
	beat = away;
	await pass(12);
	stop();
	stop();
	expect(vi.getTimerCount()).toBe(0);
	await pass(60);
	expect(sent).toEqual([10, 11, 12]);
	expect(lost).toEqual([]);
});

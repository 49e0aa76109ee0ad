import { expect, test } from "vitest";
import { everyByTimer, Looking } from "./looking.ts";

function stage() {
	const timers = new Set<() => void>();
	let pulse = 0;
	let asked = 0;
	const looking = new Looking(
		() => {
			asked += 1;
			return Promise.resolve(String(pulse));
		},
		(_ms, tick) => {
			timers.add(tick);
			return () => timers.delete(tick);
		},
	);
	const tick = (times = 1): void => {
		for (let count = 0; count < times; count += 1) for (const each of timers) each();
	};
	const write = (): void => {
		pulse += 1;
	};
	return { looking, tick, write, timers, asked: () => asked };
}

const open = new AbortController().signal;

test("nothing is asked while nobody looks, and one timer serves all who do", async () => {
	const { looking, timers, asked } = stage();
	expect([timers.size, asked()]).toEqual([0, 0]);
	const [one, two] = await Promise.all([looking.start(), looking.start()]);
	expect([timers.size, asked()]).toEqual([1, 1]);
	one.end();
	expect(timers.size).toBe(1);
	two.end();
	expect(timers.size).toBe(0);
	const again = await looking.start();
	expect(timers.size).toBe(1);
	again.end();
});

test("what is written wakes everybody, also who was not waiting", async () => {
	const { looking, tick, write } = stage();
	const [one, two] = await Promise.all([looking.start(), looking.start()]);
	const waiting = one.next(open);
	write();
	tick();
	expect(await waiting).toBe("written");
	expect(await two.next(open)).toBe("written");
});

test("after its looks without anything written a look is slow; news outrank that", async () => {
	const { looking, tick, write } = stage();
	const [fast, slow] = await Promise.all([looking.start(3), looking.start()]);
	tick(3);
	expect(await fast.next(open)).toBe("slow");
	write();
	tick(17);
	expect([await fast.next(open), await slow.next(open)]).toEqual(["written", "written"]);
});

test("who begins to look is told what is written from then on, however slow the answer is", async () => {
	const answers: ((pulse: string) => void)[] = [];
	const ticks = new Set<() => void>();
	const looking = new Looking(
		() => new Promise((resolve) => answers.push(resolve)),
		(_ms, tick) => {
			ticks.add(tick);
			return () => ticks.delete(tick);
		},
	);
	const starting = [looking.start(), looking.start()] as const;
	for (const tick of ticks) tick();
	expect(answers).toHaveLength(1);
	answers[0]?.("1");
	const [one, two] = await Promise.all(starting);
	for (let count = 0; count < 3; count += 1) for (const tick of ticks) tick();
	expect(answers).toHaveLength(2);
	answers[1]?.("2");
	expect(await Promise.all([one.next(open), two.next(open)])).toEqual(["written", "written"]);
});

test("who leaves is told at once, also when there is news", async () => {
	const { looking, tick, write } = stage();
	const look = await looking.start();
	const left = new AbortController();
	const waiting = look.next(left.signal);
	left.abort();
	expect(await waiting).toBe("over");
	write();
	tick();
	expect(await look.next(left.signal)).toBe("over");
});

test("a timer ticks until it is stopped", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const stop = everyByTimer(1, resolve);
	// A timer that keeps no process alive needs somebody who does.
	const alive = setInterval(() => undefined, 1_000);
	await promise;
	stop();
	clearInterval(alive);
});

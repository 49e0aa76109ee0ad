import { expect, onTestFinished, test, vi } from "vitest";
import { type Desk, Desks } from "./desk.ts";

/** Something to wait for, which the test ends. */
function gate() {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { wait: () => promise, open: resolve };
}

/** Lets everything that can go on do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Desks of one place, and tasks at them that tell what they do. */
function office(...names: string[]) {
	const desks = new Desks(1);
	const never = new AbortController().signal;
	const told: string[] = [];
	const tasks = names.map((name) => {
		const call = gate();
		const desk = desks.desk(never);
		const done = desk.work(async () => {
			told.push(`${name} prepares`);
			await settle();
			await desk.away(async () => {
				told.push(`${name} calls`);
				await call.wait();
			});
			told.push(`${name} judges`);
			await settle();
			told.push(`${name} merges`);
		});
		return { call, done };
	});
	return { tasks, told };
}

test("the first task is in its call before the second begins, and what waits for calls is in nobody's way", async () => {
	const { tasks, told } = office("a", "b");
	await vi.waitUntil(() => told.length === 4);
	expect(told).toEqual(["a prepares", "a calls", "b prepares", "b calls"]);
	for (const { call } of tasks) call.open();
	await Promise.all(tasks.map(({ done }) => done));
	expect(told.slice(4)).toEqual(["a judges", "a merges", "b judges", "b merges"]);
});

test("tasks go on in the order in which their calls ended", async () => {
	const { tasks, told } = office("a", "b");
	await vi.waitUntil(() => told.length === 4);
	for (const { call } of tasks.toReversed()) {
		call.open();
		await settle();
	}
	await Promise.all(tasks.map(({ done }) => done));
	expect(told.slice(4)).toEqual(["b judges", "b merges", "a judges", "a merges"]);
});

test("a task that waits for something unforeseen lets the others pass after a quarter of a second", async () => {
	vi.useFakeTimers();
	try {
		const desks = new Desks(1);
		const never = new AbortController().signal;
		const unforeseen = gate();
		const first = desks.desk(never).work(unforeseen.wait);
		let passed = false;
		const second = desks.desk(never).work(async () => {
			passed = true;
		});
		await vi.advanceTimersByTimeAsync(249);
		expect(passed).toBe(false);
		await vi.advanceTimersByTimeAsync(1);
		await second;
		expect(passed).toBe(true);
		unforeseen.open();
		await first;
	} finally {
		vi.useRealTimers();
	}
});

test("a place is given back once, also after waits that overlap, failures and an abort in the line", async () => {
	// Places are kept for as long as they are not given back.
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const desks = new Desks(1);
	const controller = new AbortController();
	const desk = desks.desk(controller.signal);
	const [one, two] = [gate(), gate()];
	const failing = desk.work(async () => {
		const waits = [desk.away(one.wait), desk.away(two.wait)];
		one.open();
		await waits[0];
		let isFree = false;
		void desks.desk(controller.signal).work(async () => {
			isFree = true;
		});
		await settle();
		// The other wait goes on.
		expect(isFree).toBe(true);
		two.open();
		await waits[1];
		throw new Error("the work failed");
	});
	await expect(failing).rejects.toThrow("the work failed");
	const holding = gate();
	const holder = desks.desk(controller.signal).work(holding.wait);
	const waiting = desks.desk(controller.signal).work(settle);
	controller.abort(new Error("cancelled"));
	await expect(waiting).rejects.toThrow("cancelled");
	holding.open();
	await holder;
	await desks.desk(new AbortController().signal).work(settle);
});

test("a task whose waits end while it stands in the line gets one place, and gives that one back", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const never = new AbortController().signal;
	const desks = new Desks(2);
	const holding = [gate(), gate()];
	const busy = desks.desk(never);
	const call = gate();
	const done = busy.work(async () => {
		const called = busy.away(call.wait);
		await settle();
		const holders = holding.map(({ wait }) => desks.desk(never).work(wait));
		call.open();
		await settle();
		// It stands in the line, and a wait of its own begins and ends meanwhile.
		const other = busy.away(settle);
		await settle();
		await settle();
		for (const { open } of holding) open();
		await Promise.all([called, other, ...holders]);
	});
	await done;
	let free = 0;
	const last = gate();
	const takers = [1, 2].map(() =>
		desks.desk(never).work(async () => {
			free += 1;
			await last.wait();
		}),
	);
	await settle();
	expect(free).toBe(2);
	last.open();
	await Promise.all(takers);
});

test("outside of work, a wait takes no place", async () => {
	const desks = new Desks(1);
	const never = new AbortController().signal;
	const idle: Desk = desks.desk(never);
	await idle.away(settle);
	await desks.desk(never).work(settle);
	expect(await idle.away(() => Promise.resolve(7))).toBe(7);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { type MergePlace, MergeQueue } from "./merge-queue.ts";

const signal = new AbortController().signal;
const ORDINARY = { task: "a", alone: false };

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	let settled = false;
	promise.then(
		() => (settled = true),
		() => (settled = true),
	);
	await new Promise((resolve) => setImmediate(resolve));
	return settled;
}

test("the first entry is built on the tip, and may land", async () => {
	const place = new MergeQueue().enter(ORDINARY, signal);
	expect((await place.ground()).ahead).toBeNull();
	await place.first();
});

test("an entry is built on the commit of the one before, as soon as there is one", async () => {
	const queue = new MergeQueue();
	const [one, two] = [queue.enter(ORDINARY, signal), queue.enter(ORDINARY, signal)];
	await one.ground();
	const ground = two.ground();
	expect(await isSettled(ground)).toBe(false);
	one.propose("c1");
	expect((await ground).ahead).toBe("c1");
	const first = two.first();
	expect(await isSettled(first)).toBe(false);
	one.landed("c1");
	one.leave();
	await first;
	expect((await ground).gone.aborted).toBe(false);
	expect(queue.landedBy("a")).toBe("c1");
	expect(queue.landedBy("b")).toBeNull();
});

test("a refused entry sets back those behind it, and only those", async () => {
	const queue = new MergeQueue();
	const places = [1, 2, 3].map(() => queue.enter(ORDINARY, signal));
	const [one, two, three] = places as [(typeof places)[0], (typeof places)[0], (typeof places)[0]];
	const first = await one.ground();
	one.propose("c1");
	const second = await two.ground();
	two.propose("c2");
	const third = await three.ground();
	two.leave();
	expect([first, second, third].map(({ gone }) => gone.aborted)).toEqual([false, false, true]);
	expect((await three.ground()).ahead).toBe("c1");
});

test("an entry that is built again sets back those behind it", async () => {
	const queue = new MergeQueue();
	const [one, two, three] = [
		queue.enter(ORDINARY, signal),
		queue.enter(ORDINARY, signal),
		queue.enter(ORDINARY, signal),
	];
	await one.ground();
	one.propose("c1");
	await two.ground();
	two.propose("c2");
	const third = await three.ground();
	one.leave();
	// Its ground is gone: it asks again, which withdraws its commit.
	await two.first();
	expect((await two.ground()).ahead).toBeNull();
	expect(third.gone.aborted).toBe(true);
	const again = three.ground();
	expect(await isSettled(again)).toBe(false);
	two.propose("c2b");
	expect((await again).ahead).toBe("c2b");
});

test("no more entries than the depth are built at once", async () => {
	const queue = new MergeQueue();
	const places = [1, 2, 3, 4].map(() => queue.enter(ORDINARY, signal));
	const last = queue.enter(ORDINARY, signal);
	for (const [index, place] of places.entries()) {
		await place.ground();
		place.propose(`c${index + 1}`);
	}
	const fifth = last.ground();
	expect(await isSettled(fifth)).toBe(false);
	places[0]?.landed("c1");
	places[0]?.leave();
	expect((await fifth).ahead).toBe("c4");
});

test("what was refused several times comes next, and is built on nothing but the tip", async () => {
	const queue = new MergeQueue();
	const one = queue.enter(ORDINARY, signal);
	await one.ground();
	one.propose("c1");
	const waiting = queue.enter(ORDINARY, signal);
	const alone = queue.enter({ task: "b", alone: true }, signal);
	const ground = alone.ground();
	expect(await isSettled(ground)).toBe(false);
	one.landed("c1");
	one.leave();
	expect((await ground).ahead).toBeNull();
	const behind = waiting.ground();
	expect(await isSettled(behind)).toBe(false);
	alone.propose("c2");
	expect((await behind).ahead).toBe("c2");
});

test("while a place is kept for a task, nothing else is built; what is tested by now lands", async () => {
	const queue = new MergeQueue();
	const one = queue.enter(ORDINARY, signal);
	await one.ground();
	one.propose("c1");
	expect(queue.reserve("b")).toBe(true);
	expect(queue.reserve("b")).toBe(true);
	expect(queue.reserve("d")).toBe(false);
	const other = queue.enter({ task: "c", alone: false }, signal);
	const waiting = other.ground();
	one.landed("c1");
	one.leave();
	expect(await isSettled(waiting)).toBe(false);
	const kept = queue.enter({ task: "b", alone: true }, signal);
	expect((await kept.ground()).ahead).toBeNull();
	// Refused, it keeps the place for its next attempt.
	kept.leave();
	expect(await isSettled(waiting)).toBe(false);
	const again = queue.enter({ task: "b", alone: true }, signal);
	await again.ground();
	again.landed("c2");
	again.leave();
	expect(await isSettled(waiting)).toBe(false);
	queue.release("d");
	expect((await waiting).ahead).toBeNull();
});

test("what is tested before a kept place is built again there, and the kept place comes after it", async () => {
	const queue = new MergeQueue();
	const [one, two] = [
		queue.enter(ORDINARY, signal),
		queue.enter({ task: "b", alone: false }, signal),
	];
	await one.ground();
	one.propose("c1");
	await two.ground();
	queue.reserve("c");
	const kept = queue.enter({ task: "c", alone: true }, signal);
	const last = kept.ground();
	one.leave();
	await two.first();
	expect((await two.ground()).ahead).toBeNull();
	// Somebody moved the branch: once more.
	two.propose("c2");
	expect((await two.ground()).ahead).toBeNull();
	expect(await isSettled(last)).toBe(false);
	two.leave();
	expect((await last).ahead).toBeNull();
});

test("of two tasks that keep a place, the first one has it, whoever enters first", async () => {
	for (const order of [
		["b", "c"],
		["c", "b"],
	]) {
		const queue = new MergeQueue();
		const one = queue.enter(ORDINARY, signal);
		await one.ground();
		queue.reserve("b");
		queue.reserve("c");
		const places = order.map((task) => ({
			task,
			place: queue.enter({ task, alone: true }, signal),
		}));
		const landed = places.map(async ({ task, place }) => {
			await place.ground();
			place.landed(task);
			place.leave();
			return task;
		});
		one.leave();
		expect(await Promise.race(landed)).toBe("b");
		expect(await Promise.all(landed)).toEqual(order);
	}
});

test("an entry that asks for a place behind another's lets that one pass", async () => {
	const queue = new MergeQueue();
	const late = queue.enter({ task: "c", alone: false }, signal);
	await late.ground();
	queue.reserve("b");
	const kept = queue.enter({ task: "b", alone: true }, signal);
	const first = kept.ground();
	expect(queue.reserve("c")).toBe(false);
	const again = late.ground();
	expect((await first).ahead).toBeNull();
	expect(await isSettled(again)).toBe(false);
	kept.landed("c1");
	kept.leave();
	expect((await again).ahead).toBeNull();
});

test("a place that a refused entry kept before it left stays kept", async () => {
	const queue = new MergeQueue();
	const refused = queue.enter(ORDINARY, signal);
	await refused.ground();
	const waiting = queue.enter({ task: "b", alone: false }, signal).ground();
	queue.reserve(ORDINARY.task);
	refused.leave();
	expect(await isSettled(waiting)).toBe(false);
	const again = queue.enter({ ...ORDINARY, alone: true }, signal);
	expect((await again.ground()).ahead).toBeNull();
	again.landed("c1");
	again.leave();
	expect((await waiting).ahead).toBeNull();
});

test("a task that rests is waited for no longer", async () => {
	const queue = new MergeQueue();
	queue.reserve("b");
	const waiting = queue.enter(ORDINARY, signal).ground();
	expect(await isSettled(waiting)).toBe(false);
	queue.release("b");
	expect((await waiting).ahead).toBeNull();
});

test("an abort ends every wait with its reason", async () => {
	const stop = new AbortController();
	const queue = new MergeQueue();
	queue.enter(ORDINARY, stop.signal);
	const two = queue.enter(ORDINARY, stop.signal);
	const waits = [two.ground(), two.first()];
	stop.abort(new Error("cancelled"));
	for (const wait of waits) await expect(wait).rejects.toThrow("cancelled");
});

interface Commit {
	readonly name: string;
	readonly onto: string;
}

interface Path {
	/** How often the work is given back to its player; from the second time on the next place is kept for it. */
	readonly refusals: number;
	/** How often somebody else moves the branch first, each time that it could land. */
	readonly races: number;
	/** How long a test takes, and a player's turn. */
	readonly delay: number;
}

async function pause(steps: number): Promise<void> {
	for (let step = 0; step < steps; step += 1) await Promise.resolve();
}

/** Builds and tests until the work may land, and the branch has stayed where it was. Returns what may land then. */
async function tested(
	place: MergePlace,
	{ races, delay, built }: Path & { readonly built: (ahead: string | null) => Commit },
): Promise<Commit> {
	for (let moved = 0; ; ) {
		const { ahead, gone } = await place.ground();
		const commit = built(ahead);
		place.propose(commit.name);
		await pause(delay);
		await place.first();
		if (gone.aborted) continue;
		if (moved === races) return commit;
		moved += 1;
	}
}

/** Takes one task through the queue, as the node does. */
async function passThrough(
	queue: MergeQueue,
	path: Path & { readonly task: string },
	landed: Commit[],
): Promise<void> {
	const { task, refusals, delay } = path;
	const tip = (): string => landed.at(-1)?.name ?? "base";
	let attempts = 0;
	const built = (ahead: string | null): Commit => {
		attempts += 1;
		return { name: `${task}.${attempts}`, onto: ahead ?? tip() };
	};
	for (let round = 0; round <= refusals; round += 1) {
		await pause(delay);
		const place = queue.enter({ task, alone: round >= 2 }, signal);
		let commit = await tested(place, { ...path, built });
		// Before its last turn it waits until the next place is its own.
		while (round < refusals && round >= 1 && !queue.reserve(task))
			commit = await tested(place, { ...path, built });
		if (round === refusals) {
			expect(commit.onto).toBe(tip());
			landed.push(commit);
			place.landed(commit.name);
		}
		place.leave();
	}
}

thorough(
	"whatever is refused or moved, all land, each on the commit that landed before it",
	async () => {
		const path = fc.record({
			refusals: fc.nat(3),
			races: fc.nat(2),
			delay: fc.nat(20),
		});
		const plan = fc.array(path, { minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(plan, async (paths) => {
				const queue = new MergeQueue();
				const landed: Commit[] = [];
				const work = paths.map((each, nth) =>
					passThrough(queue, { ...each, task: `t${nth}` }, landed),
				);
				// Nothing here waits for anything but the queue: what is not over by then stands still for good.
				expect(await isSettled(Promise.all(work))).toBe(true);
				await Promise.all(work);
				const tasks = landed.map(({ name }) => name.split(".")[0]);
				expect(tasks).toHaveLength(paths.length);
				expect(new Set(tasks)).toEqual(new Set(paths.map((_, nth) => `t${nth}`)));
			}),
		);
	},
);

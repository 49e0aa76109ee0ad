import { expect, test } from "vitest";
import { bytesOf, eventStream, type StreamQuery } from "./event-stream.ts";
import { anEvent, FakeFeed } from "./fake-feed.fixture.ts";
import { Looking } from "./looking.ts";
import type { ActionState } from "./protocol.ts";

const ALL: StreamQuery = { after: null, filter: { run: null, task: null }, log: null };

function stage() {
	const feed = new FakeFeed();
	const ticks = new Set<() => void>();
	const looking = new Looking(
		() => feed.pulse(),
		(_ms, tick) => {
			ticks.add(tick);
			return () => ticks.delete(tick);
		},
	);
	const leave = new AbortController();
	const open = (query: Partial<StreamQuery> = {}) =>
		eventStream({ feed, looking }, { ...ALL, ...query }, leave.signal);
	const tick = (times = 1): void => {
		for (let count = 0; count < times; count += 1) for (const each of ticks) each();
	};
	return { feed, open, tick, ticks, leave };
}

/** Frames up to the first that says so, as one text. */
async function until(texts: AsyncGenerator<string, undefined>, mark: string): Promise<string> {
	let all = "";
	while (!all.includes(mark)) {
		const { value, done } = await texts.next();
		if (done === true) throw new Error(`the stream ended before ${mark}: ${all}`);
		all += value;
	}
	return all;
}

const idsIn = (text: string): number[] =>
	[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test("a stream begins with now, and sends what is written after it", async () => {
	const { feed, open, tick } = stage();
	feed.write(anEvent(1), anEvent(2));
	const texts = open();
	expect(await until(texts, "caught-up")).toBe(
		'retry: 1000\n\nevent: caught-up\ndata: {"cursor":2}\n\n',
	);
	const next = texts.next();
	feed.write(anEvent(3));
	tick();
	const { value } = await next;
	expect(value).toBe(`id: 3\ndata: ${JSON.stringify(anEvent(3))}\n\n`);
});

test("behind an id all events come once, in their order, in batches", async () => {
	const { feed, open } = stage();
	feed.write(...Array.from({ length: 1_203 }, (_, index) => anEvent(index + 1)));
	const text = await until(open({ after: 3 }), "caught-up");
	expect(idsIn(text)).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 4));
});

test("other runs and tasks are left out, and what they wrote is not asked for again", async () => {
	const { feed, open, tick } = stage();
	feed.write(anEvent(1, "r1", "a"), anEvent(2, "r2", "a"), anEvent(3, "r1", "b"));
	const ofRun = open({ after: 0, filter: { run: "r1", task: null } });
	expect(idsIn(await until(ofRun, "caught-up"))).toEqual([1, 3]);
	const ofTask = open({ after: 0, filter: { run: "r1", task: "a" } });
	expect(await until(ofTask, "caught-up")).toContain('{"cursor":3}');
	feed.write(anEvent(4, "r2"), anEvent(5, "r1", "a"));
	tick();
	expect(idsIn((await ofTask.next()).value ?? "")).toEqual([5]);
});

test("who holds a run is told when it changes, of the runs that are looked at", async () => {
	const { feed, open, tick } = stage();
	feed.standing.set("r1", "running");
	feed.standing.set("r2", "running");
	const texts = open({ filter: { run: "r1", task: null } });
	await until(texts, "caught-up");
	feed.standing.set("r2", "held");
	feed.standing.delete("r1");
	tick(20);
	expect((await texts.next()).value).toBe('event: run-changed\ndata: {"run_id":"r1"}\n\n');
});

test("the growth of a log is told within three looks, and nothing while it does not grow", async () => {
	const { feed, open, tick } = stage();
	feed.bytes = 5;
	const log = { place: { run: "r1", task: "a" }, path: "transcripts/x.log" };
	const texts = open({ log });
	const first = await until(texts, "log-grown");
	expect(first).toContain('data: {"path":"transcripts/x.log","bytes":5}');
	const next = texts.next();
	tick(3);
	feed.bytes = 9;
	tick(3);
	expect((await next).value).toContain('"bytes":9');
	feed.bytes = null;
	tick(3);
	const silent = texts.next();
	for (let count = 0; count < 12; count += 1) {
		tick(3);
		await new Promise(setImmediate);
	}
	expect((await silent).value).toBe(":\n\n");
});

test("an action that ends is told to whoever looks", async () => {
	const { feed, open, tick } = stage();
	const texts = open();
	await until(texts, "caught-up");
	const state: ActionState = {
		run_id: "r1",
		action: "land",
		started_at: "2026-11-22T05:00:00.000Z",
		ended_at: "2026-11-22T05:00:01.000Z",
		exit_code: 1,
		said: ["refused"],
	};
	for (const listener of feed.listeners) listener(state);
	tick(20);
	expect(await until(texts, "action-ended")).toContain(JSON.stringify(state));
});

test("nothing is looked at before a stream is read, nor after it was left", async () => {
	const { feed, open, ticks, leave, tick } = stage();
	const texts = open();
	expect(ticks.size).toBe(0);
	await until(texts, "caught-up");
	expect([ticks.size, feed.listeners.size]).toEqual([1, 1]);
	const last = texts.next();
	leave.abort();
	expect(await last).toEqual({ value: undefined, done: true });
	expect([ticks.size, feed.listeners.size]).toEqual([0, 0]);
	tick();
});

const nothing = (): void => undefined;

test("as a body it ends with its reader, and closes when it ends by itself", async () => {
	const { open, leave } = stage();
	const reader = bytesOf(open(), { cancel: () => leave.abort(), onBug: nothing }).getReader();
	expect(new TextDecoder().decode((await reader.read()).value)).toBe("retry: 1000\n\n");
	await reader.cancel();
	expect(leave.signal.aborted).toBe(true);
	const { open: again, leave: end } = stage();
	const other = bytesOf(again(), { cancel: nothing, onBug: nothing }).getReader();
	await other.read();
	await other.read();
	const last = other.read();
	end.abort();
	expect(await last).toEqual({ value: undefined, done: true });
});

test("a bug ends the body, and is told", async () => {
	const { feed, open } = stage();
	const bugs: unknown[] = [];
	const bug = new Error("broken");
	feed.standings = () => Promise.reject(bug);
	const body = bytesOf(open(), { cancel: nothing, onBug: (error) => bugs.push(error) });
	expect(await body.getReader().read()).toEqual({ value: undefined, done: true });
	expect(bugs).toEqual([bug]);
});

import { expect, test } from "vitest";
import type { StoredEvent } from "../trace/event.ts";
import type { RunReport } from "../view/report.ts";
import { runStream } from "./run-stream.ts";

/** Only its id counts here. */
const event = (id: number): StoredEvent => ({ id }) as StoredEvent;
const REPORT = { run_id: "r1" } as RunReport;

type Begin = Parameters<typeof runStream>[0];

/** A run that does what it is told, when it is told. */
function heldRun() {
	const { promise, resolve, reject } = Promise.withResolvers<RunReport>();
	let given: Parameters<Begin>[0] = {};
	const begin: Begin = (supervision) => {
		given = supervision;
		supervision.signal?.addEventListener("abort", () => reject(supervision.signal?.reason), {
			once: true,
		});
		return promise;
	};
	return {
		begin,
		tell: (id: number) => given.onEvent?.(event(id)),
		end: () => resolve(REPORT),
		fail: reject,
		signal: () => given.signal,
	};
}

async function idsOf(stream: AsyncIterable<StoredEvent>): Promise<number[]> {
	const ids: number[] = [];
	for await (const { id } of stream) ids.push(id);
	return ids;
}

test("the loop gets every event in its order and ends with the run", async () => {
	const run = heldRun();
	const stream = runStream(run.begin, {});
	run.tell(1);
	run.tell(2);
	const ids = idsOf(stream);
	await Promise.resolve();
	run.tell(3);
	run.end();
	expect(await ids).toEqual([1, 2, 3]);
	expect(await stream.report).toBe(REPORT);
	expect(run.signal()?.aborted).toBe(false);
});

test("the caller's own listener hears all of it too", async () => {
	const heard: number[] = [];
	const run = heldRun();
	const stream = runStream(run.begin, { onEvent: ({ id }) => heard.push(id) });
	run.tell(1);
	run.end();
	expect([await idsOf(stream), heard]).toEqual([[1], [1]]);
});

test("an error of the run rejects the iteration, after the events before it", async () => {
	const run = heldRun();
	const stream = runStream(run.begin, {});
	run.tell(1);
	run.fail(new Error("the disk is full"));
	expect(await stream.next()).toEqual({ done: false, value: event(1) });
	await expect(stream.next()).rejects.toThrow("the disk is full");
	await expect(stream.report).rejects.toThrow("the disk is full");
});

test("leaving the loop aborts the run and waits for its end", async () => {
	const run = heldRun();
	const stream = runStream(run.begin, {});
	run.tell(1);
	run.tell(2);
	for await (const { id } of stream) {
		expect(id).toBe(1);
		break;
	}
	expect(run.signal()?.aborted).toBe(true);
	await expect(stream.report).rejects.toThrow("was left");
	expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test("what fails while the loop is left is not lost", async () => {
	const run = heldRun();
	const begin: Begin = (supervision) =>
		run.begin(supervision).catch(() => {
			throw new Error("an agent could not be ended");
		});
	const stream = runStream(begin, {});
	await expect(stream.return()).rejects.toThrow("an agent could not be ended");
});

test("a stream that nobody has read from can be left", async () => {
	const run = heldRun();
	const stream = runStream(run.begin, {});
	expect(await stream.return()).toEqual({ done: true, value: undefined });
	expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test("the caller's signal aborts the run, and the iteration rejects with its reason", async () => {
	const run = heldRun();
	const own = new AbortController();
	const ids = idsOf(runStream(run.begin, { signal: own.signal }));
	own.abort(new Error("enough"));
	await expect(ids).rejects.toThrow("enough");
});

test("several requests at once are answered in their order", async () => {
	const run = heldRun();
	const stream = runStream(run.begin, {});
	const both = Promise.all([stream.next(), stream.next()]);
	run.tell(1);
	run.tell(2);
	expect((await both).map(({ value }) => value?.id)).toEqual([1, 2]);
	run.end();
});

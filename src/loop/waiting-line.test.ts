import { expect, test } from "vitest";
import { WaitingLine } from "./waiting-line.ts";

const { signal } = new AbortController();

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

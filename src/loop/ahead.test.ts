import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Ahead } from "./context.ts";

const never = new AbortController().signal;

/** Begins work that ends only when it is stopped, and waits until it has begun. */
async function beginEndless(ahead: Ahead<string>, ended: string[]): Promise<void> {
	const begun = Promise.withResolvers<void>();
	ahead.begin(
		(signal) =>
			new Promise((_resolve, reject) => {
				begun.resolve();
				signal.addEventListener("abort", () => {
					ended.push("first");
					reject(new Error("stopped"));
				});
			}),
	);
	await begun.promise;
}

test("what was begun is handed over once", async () => {
	const ahead = new Ahead<string>(never);
	expect(await ahead.take()).toBeNull();
	ahead.begin(() => Promise.resolve("ready"));
	expect(await ahead.take()).toBe("ready");
	expect(await ahead.take()).toBeNull();
});

test("work that fails gives nothing, and no error", async () => {
	const ahead = new Ahead<string>(never);
	ahead.begin(() => Promise.reject(new Error("no disk")));
	expect(await ahead.take()).toBeNull();
});

test("another piece begins after the one before has ended", async () => {
	const ahead = new Ahead<string>(never);
	const ended: string[] = [];
	await beginEndless(ahead, ended);
	ahead.begin(() => Promise.resolve(ended.join()));
	expect(await ahead.take()).toBe("first");
});

test("what was done and not taken is handed to the next piece", async () => {
	const ahead = new Ahead<string>(never);
	ahead.begin(() => Promise.resolve("ready"));
	await setImmediate();
	ahead.begin((_signal, before) => Promise.resolve(`${before} again`));
	expect(await ahead.take()).toBe("ready again");
	ahead.begin((_signal, before) => Promise.resolve(`${before}`));
	expect(await ahead.take()).toBe("null");
});

test("stopping waits for the end, and may be repeated", async () => {
	const ahead = new Ahead<string>(never);
	const ended: string[] = [];
	await beginEndless(ahead, ended);
	await ahead.stop();
	expect(ended).toEqual(["first"]);
	await ahead.stop();
	expect(await ahead.take()).toBeNull();
});

test("the signal of the run stops it, and nothing begins after that", async () => {
	const run = new AbortController();
	const ahead = new Ahead<string>(run.signal);
	const ended: string[] = [];
	await beginEndless(ahead, ended);
	run.abort(new Error("Ctrl-C"));
	expect(await ahead.take()).toBeNull();
	ahead.begin(() => Promise.resolve("late"));
	expect(await ahead.take()).toBeNull();
	expect(ended).toEqual(["first"]);
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { turnAtSame } from "./same-work.ts";

/** Result of work, done here or elsewhere. */
async function onceForSame(
	what: unknown,
	place: Parameters<typeof turnAtSame>[1],
	work: () => Promise<string>,
): Promise<string> {
	const turn = await turnAtSame<string>(what, place);
	if (turn.given !== undefined) return turn.given;
	const result = await work();
	await turn.give(result);
	return result;
}

function scene() {
	const home = mkdtempSync(join(tmpdir(), "spar-same-"));
	onTestFinished(() => rmSync(home, { recursive: true }));
	const said: string[] = [];
	const placeOf = (name: string, signal = new AbortController().signal) => {
		const directory = join(home, name);
		mkdirSync(directory);
		return { home, directory, signal, onWait: () => void said.push(name) };
	};
	return { home, said, placeOf };
}

test("equal work is done once, other work beside it", async () => {
	const { placeOf, said } = scene();
	const { promise: go, resolve } = Promise.withResolvers<string>();
	const done: string[] = [];
	const work = (name: string) => async () => {
		done.push(name);
		return await go;
	};
	const what = { a: 1, b: { c: undefined } };
	const first = onceForSame(what, placeOf("check-1-a"), work("first"));
	const second = onceForSame({ b: {}, a: 1 }, placeOf("check-1-b"), work("second"));
	const other = onceForSame({ a: 2 }, placeOf("check-1-c"), work("other"));
	await expect.poll(() => said).toEqual(["check-1-b"]);
	resolve("result");
	expect(await Promise.all([first, second, other])).toEqual(["result", "result", "result"]);
	expect(done.sort()).toEqual(["first", "other"]);
});

test("where the first fails, the next one does the work", async () => {
	const { placeOf, said, home } = scene();
	const { promise: go, reject } = Promise.withResolvers<string>();
	const first = onceForSame("x", placeOf("check-1-a"), () => go);
	const second = onceForSame("x", placeOf("check-1-b"), () => Promise.resolve("second"));
	await expect.poll(() => said).toHaveLength(1);
	reject(new Error("no"));
	await expect(first).rejects.toThrow("no");
	// As every check does at its end.
	rmSync(join(home, "check-1-a"), { recursive: true });
	expect(await second).toBe("second");
});

test("one that waits can be ended, and nobody waits for a process whose number another one has", async () => {
	const { placeOf, said, home } = scene();
	const stop = new AbortController();
	const { promise: go, resolve } = Promise.withResolvers<string>();
	const first = onceForSame("x", placeOf("check-1-a"), () => go);
	const second = onceForSame("x", placeOf("check-1-b", stop.signal), () => go);
	await expect.poll(() => said).toHaveLength(1);
	stop.abort(new Error("enough"));
	await expect(second).rejects.toThrow("enough");
	resolve("first");
	await first;
	const [mark = ""] = readdirSync(join(home, "check-1-a"));
	writeFileSync(join(home, "check-1-a", mark), `${process.pid} 1`);
	rmSync(join(home, "check-1-b"), { recursive: true });
	expect(await onceForSame("x", placeOf("check-1-c"), () => Promise.resolve("own"))).toBe("own");
});

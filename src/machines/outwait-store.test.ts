import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { outwaitStore } from "./outwait-store.ts";

const away = new Fault("the store is away", { code: "store-unreachable", retryable: true });

/** A look that fails so often before it succeeds. */
function failing(times: number, error: unknown = away): () => Promise<string> {
	let left = times;
	return () => {
		left -= 1;
		return left < 0 ? Promise.resolve("seen") : Promise.reject(error);
	};
}

test("a store that is away is asked until it is back, and its absence is told once", async () => {
	const told: string[] = [];
	let pauses = 0;
	const pause = async (): Promise<void> => {
		pauses += 1;
	};
	const onNotice = (text: string): void => void told.push(text);
	expect(await outwaitStore(failing(3), { onNotice, pause })).toBe("seen");
	expect([pauses, told]).toEqual([3, ["the store is away; it is tried again"]]);
});

test("whoever interrupts the waiting ends it", async () => {
	const interrupted = new AbortController();
	const pause = async (): Promise<void> => interrupted.abort(new Error("Ctrl-C"));
	const waiting = outwaitStore(failing(99), { signal: interrupted.signal, pause });
	await expect(waiting).rejects.toThrow("Ctrl-C");
});

test("a store that refuses is not waited for", async () => {
	const refused = new Fault("the store refuses", { code: "store-refused" });
	const pause = (): Promise<void> => Promise.reject(new Error("it waited"));
	await expect(outwaitStore(failing(1, refused), { pause })).rejects.toBe(refused);
});

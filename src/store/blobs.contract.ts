import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Blobs } from "../kernel/blobs.ts";
import { HOSTILE } from "./record-builders.contract.ts";

/** Files of runs to try, and what removes them. */
export interface BlobsUnderTest {
	readonly blobs: Blobs;
	close(): Promise<void>;
}

const KEY = "runs/r1/evidence/limiter/turn-1/turn-tests.log";

/** What every adapter of `Blobs` keeps; called by the adapter's own test. */
export function blobsContract(name: string, open: () => Promise<BlobsUnderTest>): void {
	let given: BlobsUnderTest;
	let blobs: Blobs;
	beforeEach(async () => {
		given = await open();
		blobs = given.blobs;
	});
	afterEach(() => given.close());

	describe(`${name}: files of runs`, () => {
		test("any text is read as it was put, and the last one counts", async () => {
			await blobs.put(KEY, "first, and longer than the next");
			await blobs.put(KEY, HOSTILE);
			expect(await blobs.read(KEY)).toBe(HOSTILE);
			await blobs.put(KEY, "");
			expect(await blobs.read(KEY)).toBe("");
		});

		test("what is appended stands at the end, also of what was put", async () => {
			await blobs.append(KEY, "one ");
			await blobs.append(KEY, "two");
			expect(await blobs.read(KEY)).toBe("one two");
			await blobs.put(KEY, "new ");
			await blobs.append(KEY, "three");
			expect(await blobs.read(KEY)).toBe("new three");
		});

		test("a text is read from a byte on, and is empty beyond its end", async () => {
			await blobs.put(KEY, "é first\nsecond\n");
			expect(await blobs.read(KEY, 9)).toBe("second\n");
			expect(await blobs.read(KEY, 99)).toBe("");
		});

		test("a part is read in bytes, with the size of the whole", async () => {
			await blobs.put(KEY, "é first\nsecond\n");
			const part = await blobs.readBytes(KEY, 1, 4);
			expect([...(part?.bytes ?? [])]).toEqual([0xa9, 0x20, 0x66, 0x69]);
			expect(part?.size).toBe(16);
			const rest = await blobs.readBytes(KEY, 9, 99);
			expect(Buffer.from(rest?.bytes ?? []).toString()).toBe("second\n");
			expect((await blobs.readBytes(KEY, 99, 4))?.bytes).toHaveLength(0);
		});

		test("what is not there is neither read nor listed, and a folder is no file", async () => {
			expect(await blobs.read(KEY)).toBeUndefined();
			expect(await blobs.readBytes(KEY, 0, 9)).toBeUndefined();
			expect(await blobs.entry(KEY)).toBeUndefined();
			expect(await blobs.list("runs/r1")).toEqual([]);
			expect(await blobs.has(KEY)).toBe(false);
			expect(await blobs.has("runs/r1")).toBe(false);
			await blobs.put(KEY, "x");
			expect(await blobs.has(KEY)).toBe(true);
			expect(await blobs.has("runs/r1")).toBe(true);
			expect(await blobs.has("runs/r")).toBe(false);
			expect(await blobs.read("runs/r1")).toBeUndefined();
			expect(await blobs.entry("runs/r1")).toBeUndefined();
		});

		test("all files below a folder are listed with their sizes in bytes", async () => {
			await blobs.put(KEY, "é");
			await blobs.put("runs/r1/traces/limiter.json", "{}");
			await blobs.put("runs/r10/traces/limiter.json", "another run");
			const listed = [...(await blobs.list("runs/r1"))].sort((a, b) => a.key.localeCompare(b.key));
			expect(listed).toEqual([
				{ key: KEY, bytes: 2, changedMs: expect.any(Number) as unknown },
				{ key: "runs/r1/traces/limiter.json", bytes: 2, changedMs: expect.any(Number) as unknown },
			]);
			expect(await blobs.entry(KEY)).toEqual(listed[0]);
		});

		test("a folder goes with all that is below it, and no other one; twice is once", async () => {
			await blobs.put(KEY, "x");
			await blobs.put("runs/r10/traces/limiter.json", "another run");
			await blobs.remove("runs/r1");
			await blobs.remove("runs/r1");
			expect(await blobs.read(KEY)).toBeUndefined();
			expect(await blobs.read("runs/r10/traces/limiter.json")).toBe("another run");
		});

		test.each(["", "/etc/passwd", "a//b", "../a", "a/../../b", "a/.", "a\0b"])(
			"%j is no key, whatever is asked of it",
			async (key) => {
				await expect(blobs.put(key, "x")).rejects.toThrow("no key");
				await expect(blobs.append(key, "x")).rejects.toThrow("no key");
				await expect(blobs.read(key)).rejects.toThrow("no key");
				await expect(blobs.readBytes(key, 0, 9)).rejects.toThrow("no key");
				await expect(blobs.entry(key)).rejects.toThrow("no key");
				await expect(blobs.list(key)).rejects.toThrow("no key");
				await expect(blobs.has(key)).rejects.toThrow("no key");
				await expect(blobs.remove(key)).rejects.toThrow("no key");
			},
		);
	});
}

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobsContract } from "../../../src/store/blobs.contract.ts";
import { postgresBlobs } from "../../../src/store/postgres/blobs.ts";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { leasesOfTheDead, type TestStore, testStore } from "../support/store.ts";

blobsContract("postgres", async () => {
	const { postgres, remove } = await testStore();
	return { blobs: postgresBlobs(postgres), close: remove };
});

const KEY = "transcripts/r/t/turn-1-player-1.log";

describe("files of runs in rows", () => {
	let store: TestStore;
	beforeEach(async () => {
		store = await testStore();
	});
	afterEach(() => store.remove());

	const chunks = async () =>
		(await store.postgres.query("SELECT at, length(body) AS length FROM blob_chunks ORDER BY at"))
			.rows;

	test("a piece that is appended is one more row, whatever the size of the file", async () => {
		const blobs = postgresBlobs(store.postgres);
		await blobs.put(KEY, "x".repeat(600_000));
		await blobs.append(KEY, "end");
		await blobs.append(KEY, "");
		expect(await chunks()).toEqual([
			{ at: 0, length: 262_144 },
			{ at: 262_144, length: 262_144 },
			{ at: 524_288, length: 75_712 },
			{ at: 600_000, length: 3 },
		]);
	});

	test("any part is the same as that of the whole text, across the edges of chunks", async () => {
		const blobs = postgresBlobs(store.postgres);
		const pieces = ["ab", "cdefg", "h", "ijklmnop"];
		for (const piece of pieces) await blobs.append(KEY, piece);
		const whole = pieces.join("");
		for (let from = 0; from <= whole.length; from += 1) {
			expect(await blobs.read(KEY, from)).toBe(whole.slice(from));
			for (const most of [0, 1, 4, 99]) {
				const part = await blobs.readBytes(KEY, from, most);
				expect(Buffer.from(part?.bytes ?? []).toString()).toBe(whole.slice(from, from + most));
				expect(part?.size).toBe(whole.length);
			}
		}
	});

	test("a part reads only the chunks that it touches", async () => {
		const blobs = postgresBlobs(store.postgres);
		await blobs.put(KEY, "x".repeat(600_000));
		// A chunk that nobody may touch: its column is no longer what its reader expects.
		await store.postgres.query("UPDATE blob_chunks SET body = 'y' WHERE at <> 262144");
		const part = await blobs.readBytes(KEY, 300_000, 1_000);
		expect(Buffer.from(part?.bytes ?? []).toString()).toBe("x".repeat(1_000));
	});

	test("pieces that several append at once are all there, each whole", async () => {
		const blobs = postgresBlobs(store.postgres);
		const pieces = Array.from({ length: 40 }, (_, index) => `<${index}>`);
		await Promise.all(pieces.map((piece) => blobs.append(KEY, piece)));
		const text = (await blobs.read(KEY)) ?? "";
		expect(text.match(/<\d+>/g)?.sort()).toEqual([...pieces].sort());
		expect(text).toHaveLength(pieces.join("").length);
	});

	test("whoever lost the lease writes and removes nothing, and who has it does", async () => {
		const { postgres } = store;
		const lost = await leasesOfTheDead(postgres).take("r1", { task: "t" });
		const stale = postgresBlobs(postgres, lost);
		await stale.put(KEY, "before");
		const lease = await postgresLeases(postgres).take("r1", { task: "t" });
		const own = postgresBlobs(postgres, lease);
		await own.append(KEY, ", after");
		const isLost = expect.objectContaining({ code: "lease-lost" }) as unknown;
		await expect(stale.put(KEY, "late")).rejects.toEqual(isLost);
		await expect(stale.append(KEY, "late")).rejects.toEqual(isLost);
		await expect(stale.remove(KEY)).rejects.toEqual(isLost);
		expect(await stale.read(KEY)).toBe("before, after");
		await own.remove(KEY);
		expect(await own.read(KEY)).toBeUndefined();
		await lease.release();
	});

	test("of several who put at once one text is there as a whole", async () => {
		const blobs = postgresBlobs(store.postgres);
		const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(300_000));
		await Promise.all(texts.map((text) => blobs.put(KEY, text)));
		expect(texts).toContain(await blobs.read(KEY));
	});
});

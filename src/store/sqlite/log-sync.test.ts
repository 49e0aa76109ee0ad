import { expect, test } from "vitest";
import { type LogFile, logSync } from "./log-sync.ts";

/** A disk that writes when it is told to. */
function slowDisk() {
	const waiting: ((error: Error | null) => void)[] = [];
	const closed: number[] = [];
	const opened: string[] = [];
	const file: LogFile = {
		open: (path) => opened.push(path),
		sync: (_descriptor, done) => void waiting.push(done),
		close: (descriptor) => void closed.push(descriptor),
	};
	const settle = async (error: Error | null = null): Promise<void> => {
		waiting.shift()?.(error);
		await new Promise(setImmediate);
	};
	return { file, waiting, closed, opened, settle };
}

test("those who ask during a sync share the next one, and wait for it", async () => {
	const { file, waiting, opened, settle } = slowDisk();
	const log = logSync("/state/db-wal", file);
	const done: string[] = [];
	const asks = ["first", "second", "third"].map((name) => log.sync().then(() => done.push(name)));
	expect(waiting).toHaveLength(1);
	await settle();
	expect(done).toEqual(["first"]);
	expect(waiting).toHaveLength(1);
	await settle();
	await Promise.all(asks);
	expect(done).toEqual(["first", "second", "third"]);
	expect(opened).toEqual(["/state/db-wal"]);
});

test("after a disk has failed, no sync says that it succeeded", async () => {
	const { file, waiting, settle } = slowDisk();
	const log = logSync("/state/db-wal", file);
	const [first, second] = [log.sync(), log.sync()];
	const outcomes = Promise.allSettled([first, second]);
	await settle(new Error("input/output error"));
	const failed = { status: "rejected", reason: new Error("input/output error") };
	expect(await outcomes).toEqual([failed, failed]);
	await expect(log.sync()).rejects.toThrow("input/output error");
	expect(waiting).toEqual([]);
});

test("a log that cannot be opened now may be opened later", async () => {
	const { file, settle } = slowDisk();
	let isThere = false;
	const open = (): number => {
		if (!isThere) throw new Error("no such file");
		return 7;
	};
	const log = logSync("/state/db-wal", { ...file, open });
	await expect(log.sync()).rejects.toThrow("no such file");
	isThere = true;
	const synced = log.sync();
	await settle();
	await expect(synced).resolves.toBeUndefined();
});

test("the file is closed once, and not under a sync or one that waits for it", async () => {
	const { file, closed, settle } = slowDisk();
	const log = logSync("/state/db-wal", file);
	log.close();
	const asks = [log.sync(), log.sync()];
	log.close();
	await settle();
	expect(closed).toEqual([]);
	await settle();
	await Promise.all(asks);
	expect(closed).toHaveLength(1);
	log.close();
	expect(closed).toHaveLength(1);
});

test("a file that is not used any more is closed at once", async () => {
	const { file, closed, settle } = slowDisk();
	const log = logSync("/state/db-wal", file);
	const synced = log.sync();
	await settle();
	await synced;
	log.close();
	expect(closed).toHaveLength(1);
});

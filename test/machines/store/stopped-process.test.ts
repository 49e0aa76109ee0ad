import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type TestStore, testStore } from "../support/store.ts";

const TASK = { task: "t" } as const;

let store: TestStore;
let holder: ChildProcess;
beforeEach(async () => {
	store = await testStore();
	await store.postgres.query("CREATE TABLE notes (text text)");
	const script = join(import.meta.dirname, "../support/holding-process.ts");
	holder = fork(script, [store.address]);
	expect(await once(holder, "message")).toEqual(["epoch 1", undefined]);
});
afterEach(async () => {
	if (holder.exitCode === null && holder.signalCode === null) {
		const exit = once(holder, "exit");
		holder.kill("SIGKILL");
		await exit;
	}
	await store.remove();
});

/** Lets the holder write, and gives what came of a transaction and of a checkpoint. */
async function write(): Promise<unknown> {
	const answer = once(holder, "message").then((message: readonly unknown[]) => message[0]);
	holder.send("write");
	return await answer;
}

/** Rows of what the holder writes: notes, and writes of checkpoints. */
const rows = async () =>
	(
		await store.postgres.query(
			"SELECT (SELECT count(*) FROM notes) AS notes, (SELECT count(*) FROM pending_writes) AS writes",
		)
	).rows[0];

const isStopped = (): boolean => / T /.test(readFileSync(`/proc/${holder.pid}/stat`, "utf8"));

test("a process that is stopped past its lease and goes on then writes nothing", async () => {
	expect(await write()).toEqual(["written", "written"]);
	holder.kill("SIGSTOP");
	await waitUntil("the process is stopped", isStopped);
	const leases = postgresLeases(store.postgres);
	await expect(leases.take("r", TASK)).rejects.toMatchObject({ code: "run-held" });
	await store.postgres.query("UPDATE leases SET beat = beat - 31000");
	const next = await leases.take("r", TASK);
	expect(next.epoch).toBe(2);
	holder.kill("SIGCONT");
	expect(await write()).toEqual(["lease-lost", "lease-lost"]);
	expect(await rows()).toEqual({ notes: 1, writes: 1 });
	await next.release();
});

test("what a killed process of this machine held is taken at once", async () => {
	const exit = once(holder, "exit");
	holder.kill("SIGKILL");
	await exit;
	const next = await postgresLeases(store.postgres).take("r", TASK);
	expect(next.epoch).toBe(2);
	await next.release();
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { leasesContract } from "../../../src/store/leases.contract.ts";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import type { Postgres } from "../../../src/store/postgres/postgres.ts";
import { assertFence, postgresRecords } from "../../../src/store/postgres/records.ts";
import { ownIdentity } from "../../../src/store/process-identity.ts";
import { leasesOfTheDead, type TestStore, testStore } from "../support/store.ts";

leasesContract("postgres", async () => {
	const { postgres, remove } = await testStore();
	return {
		records: postgresRecords(postgres),
		leases: postgresLeases(postgres),
		leasesOfTheDead: leasesOfTheDead(postgres),
		close: remove,
	};
});

describe("leases by the clock of the database", () => {
	let store: TestStore;
	let postgres: Postgres;
	beforeEach(async () => {
		store = await testStore();
		({ postgres } = store);
	});
	afterEach(async () => {
		vi.useRealTimers();
		await store.remove();
	});

	const here = () => postgresLeases(postgres);
	const elsewhere = () =>
		postgresLeases(postgres, { identity: { ...ownIdentity(), host: "elsewhere", pid: 7 } });

	/** Sets all heartbeats back, as if time had passed. */
	const age = (seconds: number) =>
		postgres.query(`UPDATE leases SET beat = beat - ${seconds * 1_000}`);

	test("a holder on another machine is shown, and lives until its last heartbeat is over 30 s old", async () => {
		const lease = await elsewhere().take("r");
		expect(await here().holder("r")).toMatchObject({ host: "elsewhere", pid: 7 });
		await age(25);
		await expect(here().take("r")).rejects.toMatchObject({
			code: "run-held",
			retryable: true,
			message: expect.stringContaining("elsewhere:pid 7") as unknown,
		});
		await age(6);
		expect(await here().holder("r")).toBeUndefined();
		const next = await here().take("r");
		expect(next.epoch).toBe(2);
		await next.release();
		await lease.release();
	});

	test("a process that runs but does not beat, stopped for instance, is dead on its own machine too", async () => {
		const lease = await here().take("r");
		await age(31);
		expect((await elsewhere().take("r")).epoch).toBe(2);
		await lease.release();
		expect(await here().holder("r")).toMatchObject({ host: "elsewhere" });
	});

	test("times come from the database: a process whose clock is ten minutes ahead takes and shows as any other", async () => {
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
		const lease = await here().take("r");
		vi.useRealTimers();
		const { rows } = await postgres.query(
			"SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now",
		);
		const holder = await elsewhere().holder("r");
		const age = Number(rows[0]?.["now"]) - Date.parse(holder?.seenAt ?? "");
		expect(age).toBeGreaterThanOrEqual(0);
		expect(age).toBeLessThan(60_000);
		await lease.release();
	});

	test("of twenty who take a lease at once one gets it", async () => {
		const takers = Array.from({ length: 20 }, () => here().take("r"));
		const results = await Promise.allSettled(takers);
		const taken = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
		expect(taken.map(({ epoch }) => epoch)).toEqual([1]);
		const refused = results.flatMap((result) =>
			result.status === "rejected" ? [result.reason as unknown] : [],
		);
		expect(refused.map((fault) => String(Reflect.get(Object(fault), "code")))).toEqual(
			Array.from({ length: 19 }, () => "run-held"),
		);
		await taken[0]?.release();
	});

	test("a lease is not taken while a write of its holder is under way, and a later write is refused", async () => {
		const lease = await here().take("r");
		await age(31);
		const order: string[] = [];
		let taking: Promise<unknown> = Promise.resolve();
		await postgres.transaction(async (client) => {
			await assertFence(client, lease);
			taking = elsewhere()
				.take("r")
				.then(() => order.push("taken"));
			await waitForLock(postgres);
			order.push("written");
		});
		await taking;
		expect(order).toEqual(["written", "taken"]);
		const late = postgres.transaction((client) => assertFence(client, lease));
		await expect(late).rejects.toMatchObject({ code: "lease-lost" });
		await lease.release();
	});

	test("a write that waits for a lease to be taken finds the new epoch", async () => {
		const lease = await here().take("r");
		let writing: Promise<unknown> = Promise.resolve();
		await postgres.transaction(async (client) => {
			await client.query("SELECT epoch FROM leases WHERE run_id = 'r' FOR UPDATE");
			writing = postgres.transaction((other) => assertFence(other, lease));
			writing.catch(() => undefined);
			await waitForLock(postgres);
			await client.query("UPDATE leases SET epoch = epoch + 1 WHERE run_id = 'r'");
		});
		await expect(writing).rejects.toMatchObject({ code: "lease-lost" });
		await lease.release();
	});

	test("a lease that could not be renewed for 25 s by the clock that nobody sets is lost, and holds nothing back", async () => {
		let now = 0;
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const lease = await postgresLeases(postgres, { monotonic: () => now }).take("r");
		now += 25_000;
		expect(lease.lost.aborted).toBe(false);
		vi.advanceTimersByTime(10_000);
		expect(lease.lost.aborted).toBe(true);
		expect(lease.lost.reason).toMatchObject({ code: "lease-lost" });
		await lease.release();
		expect(await here().holder("r")).toBeUndefined();
	});

	test("a release is quiet when the store is closed already", async () => {
		const lease = await here().take("r");
		await postgres.close();
		await lease.release();
		await lease.release();
	});
});

/** Resolves when somebody waits for a lock in this database. */
async function waitForLock(client: Postgres): Promise<void> {
	const sql = `SELECT count(*) AS waiting FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`;
	while ((await client.query(sql)).rows[0]?.["waiting"] === 0);
}

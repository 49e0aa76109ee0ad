import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Clock } from "../../kernel/clock.ts";
import { ownIdentity } from "../process-identity.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteLeases } from "./leases.ts";

let directory: string;
let db: Database;
let now: number;
const clock: Clock = { now: () => now, sleep: async () => undefined };
beforeEach(() => {
	vi.useFakeTimers();
	directory = mkdtempSync(join(tmpdir(), "spar-leases-"));
	db = openDatabase(join(directory, "sparring.db"));
	now = Date.UTC(2026, 10, 21);
});
afterEach(() => {
	vi.useRealTimers();
	db.close();
	rmSync(directory, { recursive: true });
});

/** The scripted clock and the timers move together. */
function pass(ms: number): void {
	now += ms;
	vi.advanceTimersByTime(ms);
}

const here = () => sqliteLeases(db, { clock });
const elsewhere = () =>
	sqliteLeases(db, { clock, identity: { ...ownIdentity(), host: "elsewhere", pid: 7 } });

test("a holder is shown with its machine, process and since when", async () => {
	await elsewhere().take("r");
	now += 5_000;
	const since = "2026-11-21T00:00:00.000Z";
	const holder = { host: "elsewhere", pid: 7, since, seenAt: since };
	expect(await here().holder("r")).toEqual(holder);
	await expect(here().take("r")).rejects.toMatchObject({
		message: "run r is held by elsewhere:pid 7 since 2026-11-21T00:00:00.000Z",
		retryable: true,
	});
});

test("another machine's holder lives as long as its heart beats", async () => {
	await elsewhere().take("r");
	for (let minute = 0; minute < 3; minute += 1) pass(60_000);
	await expect(here().take("r")).rejects.toMatchObject({ code: "run-held" });
});

test("another machine's holder is dead when its last heartbeat is over 30 s old, not before", async () => {
	await elsewhere().take("r");
	now += 30_000;
	await expect(here().take("r")).rejects.toMatchObject({ code: "run-held" });
	now += 1;
	expect(await here().holder("r")).toBeUndefined();
	expect((await here().take("r")).epoch).toBe(2);
});

test.each([{ boot: "an earlier start" }, { namespace: "pid:[1]" }])(
	"a process that cannot be looked up counts by its heartbeat: %o",
	async (part) => {
		await sqliteLeases(db, { clock, identity: { ...ownIdentity(), ...part } }).take("r");
		await expect(here().take("r")).rejects.toMatchObject({ code: "run-held" });
		now += 30_001;
		expect((await here().take("r")).epoch).toBe(2);
	},
);

test("a process id that another process has by now holds nothing", async () => {
	await sqliteLeases(db, { clock, identity: { ...ownIdentity(), started: "1" } }).take("r");
	expect((await here().take("r")).epoch).toBe(2);
});

test("on one machine a silent heart does not matter while the process runs", async () => {
	await here().take("r");
	now += 3_600_000;
	await expect(here().take("r")).rejects.toMatchObject({ code: "run-held" });
});

test("a process that lost a run learns it at the next heartbeat, and leaves the new holder alone", async () => {
	const lease = await elsewhere().take("r");
	now += 30_001;
	const next = await here().take("r");
	expect(lease.lost.aborted).toBe(false);
	pass(10_000);
	await vi.advanceTimersByTimeAsync(0);
	expect(lease.lost.aborted).toBe(true);
	expect(lease.lost.reason).toMatchObject({ code: "lease-lost" });
	await lease.release();
	expect(await here().holder("r")).toBeDefined();
	expect(next.lost.aborted).toBe(false);
});

test("a heartbeat that cannot be written loses nothing", async () => {
	const lease = await here().take("r");
	db.exec("PRAGMA query_only = ON");
	pass(10_000);
	expect(lease.lost.aborted).toBe(false);
	db.exec("PRAGMA query_only = OFF");
	await lease.release();
});

test("after its release a lease has no timer left", async () => {
	const lease = await here().take("r");
	expect(vi.getTimerCount()).toBe(1);
	await lease.release();
	await lease.release();
	expect(vi.getTimerCount()).toBe(0);
});

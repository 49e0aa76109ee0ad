import { afterEach, beforeEach, expect, test } from "vitest";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { postgresRecords } from "../../../src/store/postgres/records.ts";
import { event, run, task } from "../../../src/store/record-builders.contract.ts";
import type { Lease, Leases, Records } from "../../../src/store/records.ts";
import type { StoredEvent } from "../../../src/trace/event.ts";
import { grabbedLeases, type RecordStore, recordStore } from "./record-store.fixture.ts";

const RUNS = ["r1", "r2"] as const;
const TASKS = ["a", "b", "c"] as const;
const COMMITS = 40;

let store: RecordStore;
let records: Records;
let leases: Leases;
let connections: Postgres[];

beforeEach(async () => {
	store = await recordStore();
	records = postgresRecords(store.postgres);
	leases = grabbedLeases(store.postgres);
	connections = [];
	for (const runId of RUNS) {
		const tasks = TASKS.map((taskId, position) => task({ runId, taskId, position }));
		await records.createRun(run({ runId }), tasks, await leases.take(runId));
	}
});
afterEach(async () => {
	await Promise.all(connections.map((connection) => connection.close()));
	await store.remove();
});

/** Somebody with connections and a task of their own. */
async function holder(
	runId: string,
	taskId: string,
): Promise<{ readonly records: Records; readonly lease: Lease }> {
	const connection = await connectPostgres(store.address);
	connections.push(connection);
	const lease = await leases.take(runId, { task: taskId });
	return { records: postgresRecords(connection), lease };
}

/** Commits one to three events at a time, numbered from 0 on; gives them as the commits did. */
async function write(runId: string, taskId: string): Promise<StoredEvent[]> {
	const writer = await holder(runId, taskId);
	const stored: StoredEvent[] = [];
	for (let commit = 0; commit < COMMITS; commit += 1) {
		const batch = Array.from({ length: 1 + (commit % 3) }, (_, index) => ({
			kind: "event" as const,
			run: runId,
			event: event(stored.length + index, taskId),
		}));
		stored.push(...(await writer.records.commit(writer.lease, batch)));
	}
	return stored;
}

/** Reads behind its own cursor until it is told that all was written and then finds nothing more. */
async function follow(
	read: (after: number) => Promise<readonly StoredEvent[]>,
	written: Promise<unknown>,
): Promise<StoredEvent[]> {
	const writing = { isOver: false };
	const end = (): void => {
		writing.isOver = true;
	};
	void written.then(end, end);
	const seen: StoredEvent[] = [];
	for (;;) {
		const isLast = writing.isOver;
		const events = await read(seen.at(-1)?.id ?? 0);
		seen.push(...events);
		if (isLast && events.length === 0) return seen;
	}
}

const byId = (one: StoredEvent, other: StoredEvent): number => one.id - other.id;

test("of six writers at once a reader finds each event once, as the commits gave them, in the order of each run", async () => {
	const writing = Promise.all(RUNS.flatMap((runId) => TASKS.map((taskId) => write(runId, taskId))));
	const all = follow(
		(after) => records.eventsAfter(after, { runId: null, taskId: null }, 7),
		writing,
	);
	const ofOne = follow((after) => records.events("r1", { after }), writing);
	const written = (await writing).flat();
	expect(await all).toEqual(written.toSorted(byId));
	expect(await ofOne).toEqual(written.filter((one) => one.run === "r1").toSorted(byId));
	expect(written.toSorted(byId).map(({ id }) => id)).toEqual(written.map((_, index) => index + 1));
	expect(await records.newestEvent()).toBe(written.length);
});

test("who writes first and commits last comes last, and nobody waits for it", async () => {
	const slow = await holder("r1", "a");
	const quick = await holder("r1", "b");
	const { promise: opened, resolve: open } = Promise.withResolvers<void>();
	const { promise: release, resolve: go } = Promise.withResolvers<void>();
	const held = postgresRecords(connections[0] ?? store.postgres, {
		announce: async () => {
			open();
			await release;
		},
	});
	const late = held.commit(slow.lease, [
		{ kind: "event", run: "r1", event: event(1, "a") },
		{ kind: "task", runId: "r1", taskId: "a", patch: { status: "running" } },
	]);
	await opened;
	const early = await quick.records.commit(quick.lease, [
		{ kind: "event", run: "r1", event: event(2, "b") },
	]);
	const cursor = await records.newestEvent();
	expect(await records.events("r1")).toEqual(early);
	go();
	const stored = await late;
	expect(await records.events("r1", { after: cursor })).toEqual(stored);
	// An order by the place in the table would have lost it.
	const { rows } = await store.postgres.query("SELECT id FROM events ORDER BY seq");
	expect(rows).toEqual([{ id: 2 }, { id: 1 }]);
});

test("an event whose transaction is undone leaves no gap", async () => {
	const { lease } = await holder("r1", "a");
	const one = { kind: "event", run: "r1", event: event(1, "a") } as const;
	const undone = records.commit(lease, [
		one,
		{ kind: "task", runId: "r1", taskId: "a", patch: { status: "completed" } },
	]);
	await expect(undone).rejects.toThrow("may not move");
	expect((await records.commit(lease, [one])).map(({ id }) => id)).toEqual([1]);
});

test("the pulse beats once for each commit, whatever its rows, and not for one that is undone", async () => {
	const { lease } = await holder("r1", "a");
	const beats = async (): Promise<number> => Number((await records.pulse()).split("/")[1]);
	const before = await beats();
	await records.commit(lease, [
		{ kind: "task", runId: "r1", taskId: "a", patch: { turns: 1 } },
		{ kind: "step", key: { runId: "r1", taskId: "a", turn: 1, step: "x" }, result: 1 },
		{ kind: "step", key: { runId: "r1", taskId: "a", turn: 1, step: "y" }, result: 1 },
	]);
	expect(await beats()).toBe(before + 1);
	await records.commit(lease, []);
	await expect(
		records.commit({ ...lease, epoch: 9 }, [
			{ kind: "task", runId: "r1", taskId: "a", patch: { turns: 2 } },
		]),
	).rejects.toMatchObject({ code: "lease-lost" });
	expect(await beats()).toBe(before + 1);
});

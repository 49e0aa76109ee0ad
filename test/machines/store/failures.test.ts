import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { postgresLeases } from "../../../src/store/postgres/leases.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { type Network, proxyTo } from "../support/proxy.ts";
import { startPostgres } from "../support/servers.ts";
import { type TestStore, testStore } from "../support/store.ts";

/** Short, so that a test need not wait; each still longer than any answer takes on a busy machine. */
const LIMITS = { connectMs: 2_000, statementMs: 2_000, answerMs: 3_000, idleMs: 1_000 };

/** The longest that a call may take: a connection and an answer, and what a busy machine adds. */
const MOST_MS = 20_000;

const AWAY = { code: "store-unreachable", retryable: true } as const;

let store: TestStore;
let proxy: Network;
let postgres: Postgres;
beforeEach(async () => {
	store = await testStore();
	await store.postgres.query("CREATE TABLE notes (text text PRIMARY KEY)");
	await store.postgres.query("INSERT INTO notes VALUES ('first')");
	proxy = await proxyTo(store.address);
	postgres = await connectPostgres(proxy.address, LIMITS);
});
afterEach(async () => {
	await postgres.close();
	await proxy.close();
	await store.remove();
});

const count = async (client: Postgres = postgres): Promise<unknown> =>
	(await client.query("SELECT count(*) AS notes FROM notes")).rows[0]?.["notes"];

/** Resolves when a statement that begins like this is being worked on. */
async function underWay(beginning: string): Promise<void> {
	const sql = `SELECT count(*) AS found FROM pg_stat_activity
		WHERE datname = current_database() AND state = 'active' AND starts_with(query, $1)`;
	while ((await store.postgres.query(sql, [beginning])).rows[0]?.["found"] === 0);
}

/** Makes several connections that stand idle. */
const warm = () => Promise.all([1, 2, 3, 4].map(() => postgres.query("SELECT pg_sleep(0.05)")));

async function inTime(work: Promise<unknown>): Promise<void> {
	const began = performance.now();
	await expect(work).rejects.toMatchObject(AWAY);
	expect(performance.now() - began).toBeLessThan(MOST_MS);
}

describe("a network that cuts", () => {
	test("a statement under way ends, and the next one works when the network does", async () => {
		const ending = inTime(postgres.query("SELECT pg_sleep(60)"));
		await underWay("SELECT pg_sleep");
		proxy.cut();
		await ending;
		await inTime(count());
		proxy.restore();
		expect(await count()).toBe(1);
	});

	test("a transaction is undone, and its locks are free", async () => {
		const cut = postgres.transaction(async (client) => {
			await client.query("INSERT INTO notes VALUES ('second')");
			proxy.cut();
			await client.query("SELECT 1");
		});
		await inTime(cut);
		// It waits for the row as long as the other transaction lives.
		await store.postgres.query("INSERT INTO notes VALUES ('second')");
		expect(await count(store.postgres)).toBe(2);
	});
});

describe("a network that swallows", () => {
	test("a statement ends within its limit, and all connections that stood are given up with it", async () => {
		await warm();
		proxy.swallow();
		await inTime(count());
		proxy.restore();
		for (let call = 0; call < 4; call += 1) expect(await count()).toBe(1);
	});

	test("a connection that cannot be made ends within its limit", async () => {
		proxy.swallow();
		await inTime(connectPostgres(proxy.address, LIMITS));
	});

	test("locks of a transaction that nobody hears of are free again after its idle time", async () => {
		const swallowed = postgres.transaction(async (client) => {
			await client.query("UPDATE notes SET text = 'lost'");
			proxy.swallow();
			await client.query("SELECT 1");
		});
		swallowed.catch(() => undefined);
		await inTime(swallowed);
		await store.postgres.query("UPDATE notes SET text = 'kept'");
		const { rows } = await store.postgres.query("SELECT text FROM notes");
		expect(rows).toEqual([{ text: "kept" }]);
	});

	test("a commit whose answer is lost fails, though it was done", async () => {
		const unsure = postgres.transaction(async (client) => {
			await client.query("INSERT INTO notes VALUES ('second')");
			proxy.mute();
		});
		await inTime(unsure);
		expect(await count(store.postgres)).toBe(2);
	});

	test("a lease is released quietly, and the store is closed, within their limits", async () => {
		const lease = await postgresLeases(postgres).take("r");
		await warm();
		proxy.swallow();
		const began = performance.now();
		await lease.release();
		await postgres.close();
		expect(performance.now() - began).toBeLessThan(MOST_MS);
		expect(await postgresLeases(store.postgres).holder("r")).toBeDefined();
	});

	test("a lease outlives a trouble that is over in time, and is released on another connection", async () => {
		const lease = await postgresLeases(postgres).take("r");
		proxy.swallow();
		await inTime(count());
		proxy.restore();
		await lease.release();
		expect(await postgresLeases(store.postgres).holder("r")).toBeUndefined();
	});
});

describe("a server that is slow, restarts or ends a session", () => {
	test("a statement that takes too long is ended by the server, and its connection stays", async () => {
		await inTime(postgres.query("SELECT pg_sleep(60)"));
		// The server sends the error before it notes that the session stands idle again.
		const sleeping = async () => {
			const { rows } = await store.postgres.query(
				"SELECT count(*) AS sleeping FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'",
			);
			return rows[0]?.["sleeping"];
		};
		await expect.poll(sleeping, { timeout: MOST_MS }).toBe(0);
		expect(await count()).toBe(1);
	});

	test("a session that the server ends in a transaction is a store that is away, for now", async () => {
		const ended = postgres.transaction(async (client) => {
			const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
			await store.postgres.query("SELECT pg_terminate_backend($1)", [rows[0]?.["pid"]]);
			await client.query("SELECT 1");
		});
		await inTime(ended);
		expect(await count()).toBe(1);
	});

	test("a store whose server restarts is away, then there again with what was committed", async () => {
		const server = await startPostgres();
		const restarted = await connectPostgres(server.address, LIMITS);
		try {
			await restarted.query("CREATE SCHEMA sparring; CREATE TABLE notes (text text)");
			await restarted.query("INSERT INTO notes VALUES ('first')");
			const asleep = inTime(restarted.query("SELECT pg_sleep(60)"));
			const restart = server.restart();
			await asleep;
			await restart;
			expect(await count(restarted)).toBe(1);
		} finally {
			await restarted.close();
			await server.stop();
		}
	});
});

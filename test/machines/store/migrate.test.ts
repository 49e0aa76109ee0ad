import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, requireSchema } from "../../../src/store/postgres/migrate.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { type FreshDatabase, freshDatabase } from "../support/postgres.ts";

let database: FreshDatabase;
let postgres: Postgres;
beforeEach(async () => {
	database = await freshDatabase();
	postgres = await connectPostgres(database.address);
});
afterEach(async () => {
	await postgres.close();
	await database.drop();
});

const tables = async (): Promise<unknown[]> => {
	const sql = "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1";
	return (await postgres.query(sql, [postgres.schema])).rows.map(({ name }) => name);
};

test("a new database gets all tables, and once is enough", async () => {
	await expect(requireSchema(postgres)).rejects.toMatchObject({
		code: "store-outdated",
		message: expect.stringContaining("no tables of Sparring") as unknown,
		hint: expect.stringContaining("spar store migrate") as unknown,
	});
	expect(await migrate(database.address)).toEqual({ changed: true });
	await requireSchema(postgres);
	const made = await tables();
	expect(made).toEqual(expect.arrayContaining(["blobs", "checkpoints", "leases", "workers"]));
	expect(await migrate(database.address)).toEqual({ changed: false });
	expect(await tables()).toEqual(made);
});

test("each schema of a database is a store of its own", async () => {
	const address = `${database.address}?schema=team`;
	await migrate(address);
	const team = await connectPostgres(address);
	await requireSchema(team);
	await expect(requireSchema(postgres)).rejects.toMatchObject({ code: "store-outdated" });
	expect(await tables()).toEqual([]);
	await team.close();
});

test("older tables are told from newer ones, and newer ones are not touched", async () => {
	await migrate(database.address);
	await postgres.query("UPDATE schema_version SET version = 0");
	await expect(requireSchema(postgres)).rejects.toMatchObject({
		code: "store-outdated",
		message: expect.stringContaining("older") as unknown,
	});
	await expect(migrate(database.address)).rejects.toMatchObject({
		code: "store-outdated",
		hint: expect.stringContaining("?schema=NAME") as unknown,
	});
	await postgres.query("UPDATE schema_version SET version = 99");
	await expect(requireSchema(postgres)).rejects.toMatchObject({ code: "state-too-new" });
	await expect(migrate(database.address)).rejects.toMatchObject({ code: "state-too-new" });
});

test("six processes that migrate at once make the tables once", async () => {
	const script = join(import.meta.dirname, "../support/migrate-process.ts");
	const children = Array.from({ length: 6 }, () => fork(script, [database.address]));
	const ends = children.map((child) => once(child, "exit"));
	const messages = await Promise.all(children.map((child) => once(child, "message")));
	await Promise.all(ends);
	const changed = messages.flat().filter((message) => message === "changed");
	expect(messages.flat().filter((message) => message === "unchanged")).toHaveLength(5);
	expect(changed).toHaveLength(1);
	await requireSchema(postgres);
});

test("tables are told to be there only when all that belongs to them is", async () => {
	const broken = migrate(database.address, () => Promise.reject(new Error("cut off")));
	await expect(broken).rejects.toThrow("cut off");
	await expect(requireSchema(postgres)).rejects.toMatchObject({ code: "store-outdated" });
	expect(await migrate(database.address, async () => true)).toEqual({ changed: true });
	expect(await migrate(database.address, async () => true)).toEqual({ changed: true });
	expect(await migrate(database.address, async () => false)).toEqual({ changed: false });
});

test("the schema that every database has can be that of a store", async () => {
	const address = `${database.address}?schema=public`;
	expect(await migrate(address)).toEqual({ changed: true });
	const opened = await connectPostgres(address);
	await requireSchema(opened);
	await opened.close();
});

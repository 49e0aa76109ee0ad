import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate, requireSchema } from "../../../src/store/postgres/migrate.ts";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { type FreshDatabase, freshDatabase, serverAddress } from "../support/postgres.ts";

let database: FreshDatabase;
let postgres: Postgres;
beforeEach(async () => {
	database = await freshDatabase();
	postgres = await connectPostgres(database.address);
	await postgres.query("CREATE SCHEMA sparring; CREATE TABLE sparring.notes (text text)");
});
afterEach(async () => {
	await postgres.close();
	await database.drop();
});

const notes = async (): Promise<unknown> =>
	(await postgres.query("SELECT text FROM notes ORDER BY text")).rows.map((row) => row["text"]);

test("names are those of the store's schema, and whole numbers are numbers", async () => {
	await postgres.query("INSERT INTO notes VALUES ($1)", ["a"]);
	const { rows, changes } = await postgres.query(
		"SELECT count(*) AS notes, sum(2::bigint) AS sum, 7::bigint AS big FROM notes",
	);
	expect(rows).toEqual([{ notes: 1, sum: 2, big: 7 }]);
	expect(changes).toBe(1);
});

test("another schema of the same database is another store", async () => {
	const other = await connectPostgres(`${database.address}?schema=team`);
	expect(other.schema).toBe("team");
	await expect(other.query("SELECT * FROM notes")).rejects.toMatchObject({ code: "42P01" });
	await other.close();
});

test("of several statements in one text the last one's outcome counts", async () => {
	const sql = "INSERT INTO notes VALUES ('a'); INSERT INTO notes VALUES ('b'), ('c')";
	expect(await postgres.query(sql)).toMatchObject({ changes: 2 });
});

test("a transaction is stored as a whole, or not at all when its work throws", async () => {
	await postgres.transaction(async (client) => {
		await client.query("INSERT INTO notes VALUES ('kept')");
		await client.query("INSERT INTO notes VALUES ('too')");
	});
	const failing = postgres.transaction(async (client) => {
		await client.query("INSERT INTO notes VALUES ('gone')");
		throw new Error("no");
	});
	await expect(failing).rejects.toThrow("no");
	expect(await notes()).toEqual(["kept", "too"]);
});

test("a transaction whose failed statement nobody passed on is no success", async () => {
	const failing = postgres.transaction(async (client) => {
		await client.query("INSERT INTO notes VALUES ('gone')");
		await client.query("SELECT 1 / 0").catch(() => undefined);
	});
	await expect(failing).rejects.toThrow("failed statement");
	expect(await notes()).toEqual([]);
});

test("a transaction's connection cannot be used after its end", async () => {
	const kept = await postgres.transaction(async (client) => client);
	expect(() => kept.query("SELECT 1")).toThrow("after its release");
});

test("statements that nobody waited for between are sent in order, one after the other", async () => {
	await postgres.transaction(async (client) => {
		const names = ["a", "b", "c", "d"];
		await Promise.all(names.map((name) => client.query("INSERT INTO notes VALUES ($1)", [name])));
	});
	expect(await notes()).toEqual(["a", "b", "c", "d"]);
});

test("a closed store is closed once, and whoever uses it is told so", async () => {
	await postgres.close();
	await postgres.close();
	await expect(postgres.query("SELECT 1")).rejects.toMatchObject({ code: "usage" });
});

test("a database that does not exist is refused, and so is a user without the right", async () => {
	const missing = new URL(serverAddress());
	missing.pathname = "/no_such_database";
	await expect(connectPostgres(missing.href)).rejects.toMatchObject({
		code: "store-refused",
		retryable: false,
		message: expect.stringContaining("no_such_database") as unknown,
	});
	const nobody = new URL(database.address);
	nobody.username = "nobody_of_this_name";
	nobody.password = "hidden-password";
	const refusal = await connectPostgres(nobody.href).catch((error: unknown) => error);
	expect(refusal).toMatchObject({ code: "store-refused" });
	expect(String(refusal)).not.toContain("hidden-password");
});

test("where encryption is asked for and the server has none, it is refused", async () => {
	await expect(connectPostgres(`${database.address}?sslmode=verify-full`)).rejects.toMatchObject({
		code: "store-refused",
		message: expect.stringContaining("SSL") as unknown,
	});
});

test("a port where nobody listens is no store, for now", async () => {
	await expect(connectPostgres("postgres://spar:hidden@127.0.0.1:1/x")).rejects.toMatchObject({
		code: "store-unreachable",
		retryable: true,
		message: expect.stringContaining("postgres://spar@127.0.0.1:1/x") as unknown,
	});
});

test.each(["sslrootcert", "sslcert", "sslkey"])(
	"a file that %s names and that is missing is a mistake in the address",
	async (name) => {
		const address = `${database.address}?sslmode=verify-full&${name}=/none/here.pem`;
		await expect(connectPostgres(address)).rejects.toMatchObject({
			code: "usage",
			message: expect.stringContaining("/none/here.pem") as unknown,
			hint: expect.stringContaining(name) as unknown,
		});
	},
);

test("a socket that is not there is no file of the address", async () => {
	const away = "postgres://spar@localhost/x?host=/none";
	await expect(connectPostgres(away)).rejects.toMatchObject({ code: "store-unreachable" });
});

test("a right that is missing is told in the server's words, and a password is not asked for", async () => {
	const name = `guest_${process.pid}`;
	await postgres.query(`CREATE ROLE ${name} LOGIN`);
	const guest = new URL(database.address);
	guest.username = name;
	const refusal = {
		code: "store-refused",
		hint: expect.not.stringContaining("PGPASSWORD") as unknown,
	};
	try {
		const opened = await connectPostgres(guest.href);
		await expect(requireSchema(opened)).rejects.toMatchObject({
			...refusal,
			message: expect.stringContaining("use the schema sparring") as unknown,
		});
		await postgres.query(`GRANT USAGE ON SCHEMA sparring TO ${name}`);
		await expect(opened.query("SELECT * FROM notes")).rejects.toMatchObject({
			...refusal,
			message: expect.stringContaining("permission denied for table notes") as unknown,
		});
		await opened.close();
		await expect(migrate(guest.href)).rejects.toMatchObject({
			...refusal,
			message: expect.stringContaining("permission denied for") as unknown,
		});
	} finally {
		await postgres.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
	}
});

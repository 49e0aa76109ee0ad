import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres.ts";
import { startPostgres, type TestPostgres } from "../support/servers.ts";

const MODULE = join(import.meta.dirname, "../../../src/store/postgres/postgres.ts");

/** The server would end a connection that gives no password after 60 s. */
const AT_ONCE_MS = 30_000;

let server: TestPostgres;

const addressOf = (user: string): string => {
	const url = new URL(server.address);
	url.username = user;
	return url.href;
};

beforeAll(async () => {
	const rule = (user: string, method: string) => `host all ${user} 127.0.0.1/32 ${method}`;
	server = await startPostgres(rule("scram", "scram-sha-256"), rule("plain", "password"));
	const postgres = await connectPostgres(server.address);
	await postgres.query(
		"CREATE ROLE scram LOGIN PASSWORD 'known'; CREATE ROLE plain LOGIN PASSWORD 'known'",
	);
	await postgres.close();
});
afterAll(() => server.stop());

test("a password that was forgotten is named, with how to give one", async () => {
	await expect(connectPostgres(addressOf("scram"))).rejects.toMatchObject({
		code: "store-refused",
		message: expect.stringContaining("asks for a password, and none was given") as unknown,
		hint: expect.stringContaining("PGPASSWORD") as unknown,
	});
});

test.each(["scram", "plain"])(
	"a process that gives no password where %s is asked for ends at once",
	(user) => {
		const script = `const { connectPostgres } = await import(${JSON.stringify(MODULE)});
			await connectPostgres(${JSON.stringify(addressOf(user))}).catch(({ code }) => console.log(code));`;
		const { status, stdout } = spawnSync(
			process.execPath,
			["--input-type=module", "--eval", script],
			{ encoding: "utf8", env: { PATH: process.env["PATH"] }, timeout: AT_ONCE_MS },
		);
		expect(stdout).toBe("store-refused\n");
		expect(status).toBe(0);
	},
);

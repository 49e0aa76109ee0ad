import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres.ts";
import { startPostgres, type TestPostgres } from "../support/servers.ts";

let folder: string;
let server: TestPostgres;

/** A certificate that signs itself, for the address of this machine. */
function certificate(name: string): { readonly cert: string; readonly key: string } {
	const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
	const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
	const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
	const args = ["req", "-x509", "-days", "2", ...curve, ...subject, "-out", cert, "-keyout", key];
	const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
	if (status !== 0) throw new Error(stderr);
	return { cert, key };
}

/** Gives the server a certificate, by its own statements: its folder is another user's. */
async function serveEncrypted({ cert, key }: ReturnType<typeof certificate>): Promise<void> {
	const client = new Client({ connectionString: server.address });
	await client.connect();
	try {
		const put = async (file: string, path: string): Promise<void> => {
			await client.query("DROP TABLE IF EXISTS lines; CREATE TABLE lines (at serial, line text)");
			for (const line of readFileSync(path, "utf8").trimEnd().split("\n"))
				await client.query("INSERT INTO lines (line) VALUES ($1)", [line]);
			const program = `umask 077; cat > ${file}`;
			await client.query(`COPY (SELECT line FROM lines ORDER BY at) TO PROGRAM '${program}'`);
		};
		await put("server.crt", cert);
		await put("server.key", key);
		await client.query("CREATE DATABASE encrypted");
		await client.query("ALTER SYSTEM SET ssl = on");
	} finally {
		await client.end();
	}
	await server.restart();
}

let cert: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "spar-tls-"));
	server = await startPostgres(
		"hostnossl encrypted all 127.0.0.1/32 reject",
		"hostssl encrypted all 127.0.0.1/32 trust",
	);
	const own = certificate("server");
	cert = own.cert;
	await serveEncrypted(own);
});
afterAll(async () => {
	await server.stop();
	rmSync(folder, { recursive: true });
});

const addressWith = (parameters: string): string =>
	`${server.address.replace(/\/postgres$/, "/encrypted")}?${parameters}`;

test("with sslmode and sslrootcert the connection is encrypted, to a server that is checked", async () => {
	const postgres = await connectPostgres(addressWith(`sslmode=verify-full&sslrootcert=${cert}`));
	const { rows } = await postgres.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
	await postgres.close();
	expect(rows).toEqual([{ ssl: true }]);
});

test("another certificate, and a connection without one, are refused with what to look at", async () => {
	const other = certificate("other").cert;
	const refused = { code: "store-refused", hint: expect.stringContaining("sslmode") as unknown };
	await expect(
		connectPostgres(addressWith(`sslmode=verify-full&sslrootcert=${other}`)),
	).rejects.toMatchObject(refused);
	await expect(connectPostgres(addressWith("sslmode=disable"))).rejects.toMatchObject(refused);
	await expect(
		connectPostgres(addressWith("sslmode=verify-full&sslrootcert=/nowhere.pem")),
	).rejects.toMatchObject({
		code: "usage",
		hint: expect.stringContaining("sslrootcert") as unknown,
	});
});

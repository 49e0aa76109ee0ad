import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addressOf } from "./address.ts";

const dir = mkdtempSync(join(tmpdir(), "spar-nats-address-"));
afterAll(() => rmSync(dir, { recursive: true }));

const FILE = { servers: ["nats://mq:4222", "tls://mq2:5222"] };

test("the servers are those of NATS_URL, else of the file, else this machine's", () => {
	expect(addressOf({ servers: [] }, {}).servers).toEqual(["nats://127.0.0.1:4222"]);
	expect(addressOf(FILE, {}).servers).toEqual(["nats://mq:4222", "tls://mq2:5222"]);
	expect(addressOf(FILE, { NATS_URL: "nats://a, b:4333" }).servers).toEqual([
		"nats://a:4222",
		"nats://b:4333",
	]);
});

test("who asks is said by the environment, and no server that is shown holds it", () => {
	const { servers, shown, ...who } = addressOf(FILE, { NATS_URL: "nats://eve:p%40ss@mq:4222" });
	expect([servers, shown]).toEqual([["nats://mq:4222"], "nats://mq:4222"]);
	expect(who).toMatchObject({ user: "eve", password: "p@ss", token: undefined });
	const named = { NATS_USER: "ann", NATS_PASSWORD: "word", NATS_TOKEN: "t" };
	expect(addressOf(FILE, named)).toMatchObject({ user: "ann", password: "word", token: "t" });
});

test("a credentials file is read; one that cannot be read is named", () => {
	const path = join(dir, "eve.creds");
	writeFileSync(path, "creds");
	expect(addressOf(FILE, { NATS_CREDS: path }).creds).toBe("creds");
	expect(() => addressOf(FILE, { NATS_CREDS: join(dir, "gone") })).toThrow(
		/gone, which cannot be read \(ENOENT\)/,
	);
});

test("an address that is none is not repeated, as it may hold a password", () => {
	expect(() => addressOf(FILE, { NATS_URL: "nats://eve:hunter2@" })).toThrow(
		/^NATS_URL holds no address of a NATS server$/,
	);
});

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startRuntime } from "./runtime-client.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-runtime-"));
});

afterEach(() => rmSync(root, { recursive: true }));

const options = (env: Record<string, string>, directory = join(root, "own")) => ({
	directory,
	scratch: `${directory}.tmp`,
	env,
	allowHosts: [],
	unixSockets: false,
	programs: {},
});

test("an environment that cannot be passed on is a refusal, and nothing is thrown", async () => {
	const refused = await startRuntime(options({ BROKEN: "a\0b" }));
	expect(refused).toMatchObject({ missing: false });
	expect("message" in refused && refused.message).toContain("null bytes");
	expect(readdirSync(root)).toEqual([]);
});

test("a directory that cannot be created is a refusal that names it", async () => {
	const file = join(root, "file");
	writeFileSync(file, "");
	expect(await startRuntime(options({}, join(file, "own")))).toMatchObject({ missing: false });
	const taken = await startRuntime(options({}, file));
	const message = `the helper process of the sandbox is gone: ${file} cannot be created`;
	expect(taken).toEqual({ missing: false, message });
});

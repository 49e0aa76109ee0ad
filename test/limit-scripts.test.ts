import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limitScripts } from "../scripts/limit-scripts.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-scripts-"));
	writeFileSync(join(root, "page.js"), 'console.log("a page that says something");');
});

afterEach(() => rmSync(root, { recursive: true }));

const built = (mostBytes: number): Promise<unknown> =>
	build({
		root,
		configFile: false,
		logLevel: "silent",
		plugins: [limitScripts(mostBytes)],
		build: { write: false, rollupOptions: { input: join(root, "page.js") } },
	});

test("a page of more script than is allowed is not built", async () => {
	await expect(built(20)).rejects.toThrow(/scripts have \d+ bytes, compressed; at most 20/);
});

test("one within the limit is", async () => {
	await expect(built(1_000)).resolves.toBeDefined();
});

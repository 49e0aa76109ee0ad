import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limitScripts } from "../scripts/limit-scripts.ts";
import { thorough } from "./support/amount.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-scripts-"));
	writeFileSync(join(root, "page.js"), 'console.log("a page that says something");');
});

afterEach(() => rmSync(root, { recursive: true }));

const built = (opening: number, all = opening): Promise<unknown> =>
	build({
		root,
		configFile: false,
		logLevel: "silent",
		plugins: [limitScripts({ opening, all })],
		build: { write: false, rollupOptions: { input: join(root, "page.js") } },
	});

thorough("a page of more script than is allowed is not built", async () => {
	await expect(built(20)).rejects.toThrow(
		/scripts \(opening\) have \d+ bytes, compressed; at most 20/,
	);
});

thorough(
	"what is loaded later counts among all scripts, and not among those that open the page",
	async () => {
		const text = randomBytes(3_000).toString("hex");
		writeFileSync(join(root, "later.js"), `console.log("${text}");`);
		writeFileSync(join(root, "page.js"), 'void import("./later.js");');
		await expect(built(2_000, 9_000)).resolves.toBeDefined();
		await expect(built(2_000, 3_000)).rejects.toThrow(/scripts \(all\) have/);
	},
);

test("one within the limit is", async () => {
	await expect(built(1_000)).resolves.toBeDefined();
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshTemporary } from "./run-check.ts";

test("leftovers of an earlier run are removed, except caches", async () => {
	const home = mkdtempSync(join(tmpdir(), "spar-fresh-"));
	const directory = join(home, "tmp");
	try {
		await freshTemporary(directory);
		expect(readdirSync(directory)).toEqual([]);
		writeFileSync(join(directory, "21.pipe"), "");
		mkdirSync(join(directory, "tool-0", "deep"), { recursive: true });
		mkdirSync(join(directory, "cache", "npm"), { recursive: true });
		await freshTemporary(directory);
		expect(readdirSync(directory)).toEqual(["cache"]);
		expect(readdirSync(join(directory, "cache"))).toEqual(["npm"]);
	} finally {
		rmSync(home, { recursive: true });
	}
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { git, scratchDirectory } from "../git/scratch.fixture.ts";
import { openSparring } from "./open-sparring.ts";

test("a database of an older version is refused with a way out that works", async () => {
	const root = scratchDirectory("spar-old-database-");
	git(root, "init", "-q");
	mkdirSync(join(root, ".sparring"));
	const file = join(root, ".sparring", "sparring.db");
	const old = new DatabaseSync(file);
	old.exec("CREATE TABLE runs (run_id TEXT); PRAGMA user_version = 4");
	old.close();
	const sparring = await openSparring({ directory: root, env: process.env });
	await expect(sparring.runs()).rejects.toMatchObject({ code: "state-too-old" });
	expect(await sparring.prune({})).toMatchObject({
		pruned: [],
		kept: [],
		set_aside: `${file}.old`,
	});
	expect(await sparring.runs()).toEqual([]);
	expect(await sparring.prune({})).not.toHaveProperty("set_aside");
	sparring.close();
});

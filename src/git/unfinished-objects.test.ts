import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchDirectory } from "./scratch.fixture.ts";
import { removeUnfinishedObjects } from "./unfinished-objects.ts";

const NOW = 1_800_000_000_000;

/** A folder as git leaves it, with an object of each age in seconds. */
function left(objectsDir: string, name: string, ages: readonly number[]): void {
	const folder = join(objectsDir, name);
	for (const [at, age] of ages.entries()) {
		const inner = join(folder, `a${at}`);
		mkdirSync(inner, { recursive: true });
		writeFileSync(join(inner, "object"), "");
		for (const path of [join(inner, "object"), inner, folder])
			utimesSync(path, NOW / 1_000 - 600, NOW / 1_000 - 600);
		utimesSync(join(inner, "object"), NOW / 1_000 - age, NOW / 1_000 - age);
	}
}

test("what git left goes once nobody has written to it for a minute; all else stays", async () => {
	const objectsDir = scratchDirectory();
	left(objectsDir, "tmp_objdir-bulk-fsync-old", [90, 61]);
	left(objectsDir, "tmp_objdir-bulk-fsync-busy", [90, 59]);
	left(objectsDir, "tmp_objdir-incoming-old", [90]);
	left(objectsDir, "a1", [90]);
	await removeUnfinishedObjects({ objectsDir }, NOW);
	expect(readdirSync(objectsDir).sort()).toEqual([
		"a1",
		"tmp_objdir-bulk-fsync-busy",
		"tmp_objdir-incoming-old",
	]);
	await removeUnfinishedObjects({ objectsDir }, NOW + 1_000);
	expect(readdirSync(objectsDir).sort()).toEqual(["a1", "tmp_objdir-incoming-old"]);
	await removeUnfinishedObjects({ objectsDir: join(objectsDir, "none") }, NOW);
});

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { filesAt } from "./changes.ts";
import { git, scene, writeFiles } from "./scratch.fixture.ts";
import { holdsOnly } from "./strays.ts";

const FILES = {
	"a.txt": "a",
	"src/b.txt": "b",
	"src/deep/ü\n.txt": "c",
	".gitignore": "*.log\n",
};

thorough("a work tree of tracked files only holds nothing else, whatever is in them", async () => {
	const { user, vault } = await scene(FILES);
	const head = git(user, "rev-parse", "HEAD");
	expect(await holdsOnly(user, await filesAt(vault, head))).toBe(true);
	writeFileSync(join(user, "a.txt"), "changed");
	rmSync(join(user, "src/deep/ü\n.txt"));
	expect(await holdsOnly(user, await filesAt(vault, head))).toBe(true);
});

test.each<[string, (dir: string) => void]>(
	spread(
		[
			["a file", (dir) => writeFileSync(join(dir, "src", "new.txt"), "")],
			["an ignored file", (dir) => writeFileSync(join(dir, "run.log"), "")],
			["a link", (dir) => symlinkSync("a.txt", join(dir, "link"))],
			["a repository", (dir) => git(dir, "init", "-q", "src/inner")],
			["a directory", (dir) => mkdirSync(join(dir, "src", "empty"))],
			[
				"a directory in place of a file",
				(dir) => {
					rmSync(join(dir, "a.txt"));
					writeFiles(dir, { "a.txt/inner": "x" });
				},
			],
			[
				"a link in place of a directory",
				(dir) => {
					renameSync(join(dir, "src"), join(dir, ".git", "elsewhere"));
					symlinkSync(join(dir, ".git", "elsewhere"), join(dir, "src"));
				},
			],
			["a file of another case", (dir) => renameSync(join(dir, "a.txt"), join(dir, "A.txt"))],
			["nothing, since it is gone", (dir) => rmSync(dir, { recursive: true })],
		],
		4,
	),
)("what is there besides is left to git: %s", async (_what, plant) => {
	const { user, vault } = await scene(FILES);
	const head = git(user, "rev-parse", "HEAD");
	// Known, so that git is not asked in a repository that is gone.
	await holdsOnly(user, await filesAt(vault, head));
	plant(user);
	expect(await holdsOnly(user, await filesAt(vault, head))).toBe(false);
});

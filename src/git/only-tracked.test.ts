import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdsOnlyTracked } from "./only-tracked.ts";
import { git, scratchDirectory, writeFiles } from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";

/** A work tree with everything in its index; `format` are options of `git init`. */
function workTree(...format: string[]): string {
	const dir = scratchDirectory();
	git(dir, "init", "-q", ...format);
	writeFiles(dir, {
		"a.txt": "a",
		"src/b.txt": "b",
		"src/deep/ü\n.txt": "c",
		[`src/${"long".repeat(40)}.txt`]: "d",
		".gitignore": "*.log\n",
	});
	git(dir, "add", "--all");
	return dir;
}

const holds = (dir: string, indexFile = join(dir, ".git", "index")): boolean =>
	holdsOnlyTracked({
		host: standardHost,
		configuration: "sealed",
		cwd: dir,
		workTree: dir,
		indexFile,
	});

const others = (dir: string): string => git(dir, "ls-files", "--others", "--directory");

test("a work tree of tracked files only holds nothing else, as git says", () => {
	const dir = workTree();
	expect([holds(dir), others(dir)]).toEqual([true, ""]);
	writeFileSync(join(dir, "a.txt"), "changed");
	rmSync(join(dir, "src", "deep", "ü\n.txt"));
	expect([holds(dir), others(dir)]).toEqual([true, ""]);
});

test.each<[string, (dir: string) => void]>([
	["a file", (dir) => writeFileSync(join(dir, "src", "new.txt"), "")],
	["an ignored file", (dir) => writeFileSync(join(dir, "run.log"), "")],
	["a link", (dir) => symlinkSync("a.txt", join(dir, "link"))],
	["a repository", (dir) => git(dir, "init", "-q", "src/inner")],
	["a file named .git below the top", (dir) => writeFileSync(join(dir, "src", ".git"), "x")],
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
])("what is there besides is left to git: %s", (_what, plant) => {
	const dir = workTree();
	plant(dir);
	expect(holds(dir)).toBe(false);
});

test.each<[string, (dir: string) => void]>([
	["version 4", (dir) => git(dir, "update-index", "--index-version", "4")],
	["a split one", (dir) => git(dir, "update-index", "--split-index")],
	["a damaged one", (dir) => writeFileSync(join(dir, ".git", "index"), "DIRC")],
	["none", (dir) => rmSync(join(dir, ".git", "index"))],
	[
		"one with a submodule",
		(dir) => {
			const commit = "1234567890123456789012345678901234567890";
			git(dir, "update-index", "--add", "--cacheinfo", `160000,${commit},sub`);
		},
	],
	[
		"a large one",
		(dir) => {
			for (let file = 0; file < 1_000; file += 1) writeFiles(dir, { [`many/${file}`]: "" });
			git(dir, "add", "--all");
		},
	],
])("an index that is not read here is left to git: %s", (_what, change) => {
	const dir = workTree();
	change(dir);
	expect(holds(dir)).toBe(false);
});

test("an index with flags of its own is read, and one of SHA-256 is left to git", () => {
	const dir = workTree();
	writeFileSync(join(dir, "intended"), "");
	git(dir, "add", "--intent-to-add", "intended");
	expect([holds(dir), others(dir)]).toEqual([true, ""]);
	expect(holds(workTree("--object-format=sha256"))).toBe(false);
});

import {
	chmodSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdsOnlyTracked, holdsTree } from "./only-tracked.ts";
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

/** A work tree that stands at a commit, with `src/b.txt` as a program and a link, and the id of the commit's tree. */
function atTree(...format: string[]): { readonly dir: string; readonly tree: string } {
	const dir = workTree(...format);
	chmodSync(join(dir, "src", "b.txt"), 0o755);
	symlinkSync("a.txt", join(dir, "link"));
	git(dir, "add", "--all");
	git(dir, "commit", "-q", "-m", "first");
	git(dir, "read-tree", "--reset", "-u", "HEAD");
	return { dir, tree: git(dir, "rev-parse", "HEAD^{tree}") };
}

const holdsIts = ({ dir, tree }: { readonly dir: string; readonly tree: string }): boolean =>
	holdsTree(
		{
			host: standardHost,
			configuration: "sealed",
			cwd: dir,
			workTree: dir,
			indexFile: join(dir, ".git", "index"),
		},
		tree,
	);

/** Sets the times of a file back to those that it had. */
function keepingTimes(path: string, change: () => void): void {
	const { atime, mtime } = statSync(path);
	change();
	utimesSync(path, atime, mtime);
}

test("a work tree that was just brought to a commit holds its tree, also once its files are older than its index", () => {
	const at = atTree();
	expect(holdsIts(at)).toBe(true);
	const index = join(at.dir, ".git", "index");
	const later = new Date(Date.now() + 10_000);
	utimesSync(index, later, later);
	expect(holdsIts(at)).toBe(true);
	writeFileSync(join(at.dir, "new.txt"), "not of the tree, and not of this question");
	expect(holdsIts(at)).toBe(true);
});

test.each<[string, (dir: string) => void]>([
	["other content of another size", (dir) => writeFileSync(join(dir, "a.txt"), "longer")],
	[
		"other content of the same size, with its time set back",
		(dir) =>
			keepingTimes(join(dir, "a.txt"), () => {
				writeFileSync(join(dir, "a.txt"), "x");
			}),
	],
	["a file that is gone", (dir) => rmSync(join(dir, "a.txt"))],
	["a program that is none any more", (dir) => chmodSync(join(dir, "src", "b.txt"), 0o644)],
	["a file that became a program", (dir) => chmodSync(join(dir, "a.txt"), 0o755)],
	[
		"another file with the same content",
		(dir) => {
			renameSync(join(dir, "a.txt"), join(dir, ".git", "a.txt"));
			writeFileSync(join(dir, "a.txt"), "a");
		},
	],
	[
		"a link in place of a file",
		(dir) => {
			renameSync(join(dir, "a.txt"), join(dir, ".git", "a.txt"));
			symlinkSync(".git/a.txt", join(dir, "a.txt"));
		},
	],
	[
		"a link that leads elsewhere",
		(dir) => {
			rmSync(join(dir, "link"));
			symlinkSync("b.txt", join(dir, "link"));
		},
	],
	[
		"a link in place of a directory, with the same files behind it",
		(dir) => {
			renameSync(join(dir, "src"), join(dir, ".git", "src"));
			symlinkSync(".git/src", join(dir, "src"));
		},
	],
	[
		"a directory in place of a file",
		(dir) => {
			rmSync(join(dir, "a.txt"));
			mkdirSync(join(dir, "a.txt"));
		},
	],
	["staged content", (dir) => git(dir, "update-index", "--chmod=+x", "a.txt")],
	[
		"a file that git is to take for unchanged",
		(dir) => git(dir, "update-index", "--assume-unchanged", "a.txt"),
	],
	["a file that git is to skip", (dir) => git(dir, "update-index", "--skip-worktree", "a.txt")],
	["a file that is only intended", (dir) => git(dir, "rm", "-q", "--cached", "a.txt")],
])("where a file is not for certain that of the tree, git is asked: %s", (_what, change) => {
	const at = atTree();
	change(at.dir);
	expect(holdsIts(at)).toBe(false);
});

test("a change whose time was set back shows in the time that nobody can set", () => {
	const at = atTree();
	const [path, index] = [join(at.dir, "a.txt"), join(at.dir, ".git", "index")];
	const [early, late] = [new Date(1_000_000), new Date(Date.now() + 60_000)];
	utimesSync(path, early, early);
	git(at.dir, "update-index", "--refresh");
	utimesSync(index, late, late);
	expect(holdsIts(at)).toBe(true);
	writeFileSync(path, "x");
	utimesSync(path, early, early);
	expect(holdsIts(at)).toBe(false);
});

test("an entry with a flag of its own, such as one that git is to take for unchanged, is left to git", () => {
	const at = atTree();
	const path = join(at.dir, ".git", "index");
	const index = readFileSync(path);
	const flags = index.indexOf("a.txt") - 2;
	const plain = index.readUInt16BE(flags);
	for (const [flag, isKnown] of [
		[0, true],
		[0x8000, false],
		[0x1000, false],
	] as const) {
		index.writeUInt16BE(plain | flag, flags);
		writeFileSync(path, index);
		expect(holdsIts(at)).toBe(isKnown);
	}
});

test("content that was changed in the moment in which the index was written is noticed", () => {
	const at = atTree();
	const path = join(at.dir, "a.txt");
	// What the index knows of the file is made to be that of other content: only the content itself tells.
	writeFileSync(path, "x");
	const index = join(at.dir, ".git", "index");
	const known = readFileSync(index);
	git(at.dir, "update-index", "a.txt");
	const oid = (text: string): Buffer =>
		Buffer.from(git(at.dir, "hash-object", "--no-filters", text), "hex");
	writeFileSync(join(at.dir, ".git", "old"), "a");
	const staged = readFileSync(index);
	const [mine, old] = [oid("a.txt"), oid(".git/old")];
	staged.set(old, staged.indexOf(mine));
	const trees = known.indexOf("TREE");
	expect(trees).toBeGreaterThan(0);
	writeFileSync(
		index,
		Buffer.concat([staged.subarray(0, staged.indexOf("TREE")), known.subarray(trees)]),
	);
	const early = new Date(0);
	utimesSync(index, early, early);
	expect(holdsIts(at)).toBe(false);
	const late = new Date(Date.now() + 60_000);
	utimesSync(index, late, late);
	expect(holdsIts(at)).toBe(true);
});

test("the tree of another commit, and one that the index does not tell, are left to git", () => {
	const at = atTree();
	expect(holdsIts({ ...at, tree: "0".repeat(40) })).toBe(false);
	git(
		at.dir,
		"update-index",
		"--add",
		"--cacheinfo",
		`100644,${git(at.dir, "hash-object", "-w", "a.txt")},z`,
	);
	expect(holdsIts(at)).toBe(false);
	expect(holdsIts(atTree("--object-format=sha256"))).toBe(false);
});

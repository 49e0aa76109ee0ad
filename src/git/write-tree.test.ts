import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesNaming } from "./changed-texts.ts";
import { filesAt, readFileAt, treeOf } from "./changes.ts";
import { withOwnObjects } from "./repository.ts";
import { git, scene } from "./scratch.fixture.ts";
import type { Vault } from "./vault.ts";
import { commitEdits, inPassing, type TreeEdit, writeText } from "./write-tree.ts";

const COMMIT = { message: "x\n", at: 1_000 };

const made = (vault: Vault, base: string, edits: readonly TreeEdit[]) =>
	commitEdits(vault, { ...COMMIT, of: base, edits, parents: [base] });

test("a tree is written with paths put, written and removed, and nothing else changes", async () => {
	const { user, vault, base } = await scene({ "a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n" });
	const files = await filesAt(vault, base);
	const oid = files.find(({ path }) => path === "a.txt")?.oid ?? "";
	const { commit } = await made(vault, base, [
		{ kind: "put", path: "copy of a", mode: "100755", oid },
		{ kind: "write", path: "dir/new é.txt", mode: "100644", text: "new\n" },
		{ kind: "remove", path: "b.txt" },
	]);
	expect((await filesAt(vault, commit)).map(({ path, mode }) => `${mode} ${path}`)).toEqual([
		"100644 a.txt",
		"100755 copy of a",
		"100644 dir/c.txt",
		"100644 dir/new é.txt",
	]);
	expect((await readFileAt(vault, commit, "dir/new é.txt"))?.toString()).toBe("new\n");
	expect(git(user, "status", "--porcelain")).toBe("");
});

test("a file takes the place of a directory whose files are removed", async () => {
	const { vault, base } = await scene({ "a/b.txt": "b\n", "c.txt": "c\n" });
	const { commit } = await made(vault, base, [
		{ kind: "write", path: "a", mode: "100644", text: "now a file\n" },
		{ kind: "remove", path: "a/b.txt" },
	]);
	expect((await filesAt(vault, commit)).map(({ path }) => path)).toEqual(["a", "c.txt"]);
});

test("a text that is written where a link is becomes a file", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n" });
	const link = { kind: "write", path: "link", mode: "120000", text: "a long text\n" } as const;
	const { commit } = await made(vault, base, [link]);
	expect((await filesAt(vault, commit)).map(({ path, mode }) => `${mode} ${path}`)).toEqual([
		"100644 a.txt",
		"100644 link",
	]);
});

test("the files of what was written are known, and are those that git lists", async () => {
	const start = {
		"a/b.txt": "b\n",
		"c.txt": "c\n",
		"d/e/f.txt": "f\n",
		"z.txt": "z\n",
		"é.txt": "e\n",
	};
	const { vault, base } = await scene(start);
	const edits: readonly TreeEdit[] = [
		{ kind: "write", path: "a", mode: "100644", text: "now a file" },
		{ kind: "write", path: "c.txt/deep/er", mode: "100755", text: "now a folder" },
		{ kind: "write", path: "d/e/f.txt", mode: "120000", text: "" },
		{ kind: "remove", path: "z.txt" },
		{ kind: "remove", path: "not there" },
		{ kind: "write", path: "d/e.txt", mode: "100644", text: "\u0000é" },
	];
	const { commit } = await made(vault, base, edits);
	const listed = git(
		vault.gitDir,
		"-c",
		"core.quotePath=false",
		"ls-tree",
		"-r",
		"-z",
		"--format=%(objectmode) %(objectname) %(path)",
		commit,
	);
	const known = (await filesAt(vault, commit)).map(
		({ mode, oid, path }) => `${mode} ${oid} ${path}`,
	);
	expect(known).toEqual(listed.split("\0").filter((line) => line !== ""));
	expect(known.length).toBe(5);
});

test("files are put over those of a commit, a file in the way of a folder is replaced, and others go", async () => {
	const { user, vault, base } = await scene({ "a.txt": "a\n", test: "a file\n", "gone.txt": "x" });
	const oid = await writeText(vault, "new\n");
	const edits: readonly TreeEdit[] = [
		{ kind: "put", path: "test/it.txt", mode: "100644", oid },
		{ kind: "remove", path: "gone.txt" },
	];
	const { commit, tree } = await made(vault, base, edits);
	expect(git(user, "ls-tree", "-r", "--name-only", commit)).toBe("a.txt\ntest/it.txt");
	expect(git(user, "show", `${commit}:test/it.txt`)).toBe("new");
	expect(await made(vault, base, edits)).toEqual({ commit, tree });
	expect(tree).toBe(await treeOf(vault, commit));
});

test("a commit of given files alone has no history", async () => {
	const { user, vault } = await scene();
	const oid = await writeText(vault, "new\n");
	const edits = [{ kind: "put", path: "it.txt", mode: "100644", oid }] as const;
	const { commit } = await commitEdits(vault, { ...COMMIT, of: null, edits, parents: [] });
	expect(git(user, "log", "--format=%s", commit)).toBe("x");
	expect(git(user, "ls-tree", "-r", "--name-only", commit)).toBe("it.txt");
});

test("the files that name a word are found, whole words only", async () => {
	const { vault, base } = await scene({ "a.ts": "Task", "b/c.ts": "new Task()", "d.ts": "Tasks" });
	expect(await filesNaming(vault, base, "Task")).toEqual(["a.ts", "b/c.ts"]);
	expect(await filesNaming(vault, base, "-nobody")).toEqual([]);
});

test("in a folder that goes away with its objects they stay the pack as which git wrote them; elsewhere there is none", async () => {
	const { user, vault, base, state } = await scene({ "a.txt": "a\n" });
	const own = { ...vault, repository: withOwnObjects(vault.repository, join(state, "check")) };
	const edit = { kind: "write", path: "b.txt", mode: "100644", text: "b\n" } as const;
	const packs = (folder: string) =>
		globSync("pack/*.pack", { cwd: join(folder, "objects") }).length;
	const { commit } = await made(own, base, [edit]);
	expect(packs(join(state, "check"))).toBe(1);
	expect((await readFileAt(own, commit, "b.txt"))?.toString()).toBe("b\n");
	await made(vault, base, [{ ...edit, text: "c\n" }]);
	expect(packs(join(user, ".git"))).toBe(0);
	// A run's rows name objects: they wait for the disk.
	expect([inPassing(own).includes("core.fsync=none"), inPassing(vault)]).toEqual([true, []]);
});

test("without edits it is the tree of the commit", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n" });
	expect((await made(vault, base, [])).tree).toBe(await treeOf(vault, base));
});

test("nothing is left beside what was written, not even where git refuses it", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n" });
	const before = readdirSync(vault.gitDir);
	await made(vault, base, [{ kind: "write", path: "b", mode: "100644", text: "b" }]);
	const none = { kind: "put", path: "c", mode: "100644", oid: "1".repeat(40) } as const;
	await expect(made(vault, base, [none])).rejects.toMatchObject({ code: "git-failed" });
	expect(git(vault.gitDir, "for-each-ref")).toBe("");
	expect(readdirSync(vault.gitDir).filter((name) => !before.includes(name))).toEqual([]);
});

test("parents, author and names of any kind stand there as they were given", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n", "dir/b.txt": "b\n" });
	const names = [
		'quo"te',
		"back\\slash",
		" lead",
		"tr ail ",
		"new\nline",
		"tab\there",
		"é/ü",
		"dir",
	];
	const edits = names.map(
		(path): TreeEdit => ({ kind: "write", path, mode: "100755", text: path }),
	);
	const { commit: first } = await commitEdits(vault, { ...COMMIT, of: null, edits, parents: [] });
	const listed = (await filesAt(vault, first)).map(({ path, mode }) => `${mode} ${path}`);
	expect(listed.sort()).toEqual(names.map((name) => `100755 ${name}`).sort());
	for (const name of names) expect((await readFileAt(vault, first, name))?.toString()).toBe(name);
	const by = { name: "Ada <x>", email: "ada@example.org" };
	const parents = [first, base];
	const { commit, tree } = await commitEdits(vault, {
		...COMMIT,
		of: base,
		edits: [],
		parents,
		by,
	});
	expect(tree).toBe(await treeOf(vault, base));
	expect(git(vault.gitDir, "log", "-1", "--format=%P|%an|%ae|%at|%B", commit).trim()).toBe(
		`${first} ${base}|Ada x|ada@example.org|1|x`,
	);
});

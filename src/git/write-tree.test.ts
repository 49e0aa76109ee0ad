import { readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesAt, readFileAt, treeOf } from "./changes.ts";
import { commitMerge } from "./merging.ts";
import { git, scene } from "./scratch.fixture.ts";
import { withOwnIndex, writeTree } from "./write-tree.ts";

test("a tree is written with paths put, written and removed, and nothing else changes", async () => {
	const { user, vault, base } = await scene({ "a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n" });
	const files = await filesAt(vault, base);
	const oid = files.find(({ path }) => path === "a.txt")?.oid ?? "";
	const tree = await writeTree(vault, base, [
		{ kind: "put", path: "copy of a", mode: "100755", oid },
		{ kind: "write", path: "dir/new é.txt", mode: "100644", text: "new\n" },
		{ kind: "remove", path: "b.txt" },
	]);
	const commit = await commitMerge(vault, { tree, parents: [base], message: "x", at: 0 });
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
	const tree = await writeTree(vault, base, [
		{ kind: "write", path: "a", mode: "100644", text: "now a file\n" },
		{ kind: "remove", path: "a/b.txt" },
	]);
	const commit = await commitMerge(vault, { tree, parents: [base], message: "x", at: 0 });
	expect((await filesAt(vault, commit)).map(({ path }) => path)).toEqual(["a", "c.txt"]);
});

test("a text that is written where a link is becomes a file", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n" });
	const link = { kind: "write", path: "link", mode: "120000", text: "a long text\n" } as const;
	const tree = await writeTree(vault, base, [link]);
	const commit = await commitMerge(vault, { tree, parents: [base], message: "x", at: 0 });
	expect((await filesAt(vault, commit)).map(({ path, mode }) => `${mode} ${path}`)).toEqual([
		"100644 a.txt",
		"100644 link",
	]);
});

test("without edits it is the tree of the commit", async () => {
	const { vault, base } = await scene({ "a.txt": "a\n" });
	expect(await writeTree(vault, base, [])).toBe(await treeOf(vault, base));
});

test("nothing is left of an index of its own when a git command ends with its lock", async () => {
	const { vault } = await scene();
	const before = readdirSync(vault.gitDir);
	let during: string[] = [];
	const killed = withOwnIndex(vault, async ({ indexFile }) => {
		writeFileSync(`${indexFile}.lock`, "");
		during = readdirSync(vault.gitDir);
		throw new Error("git was ended from outside");
	});
	await expect(killed).rejects.toThrow("was ended from outside");
	expect(during).toHaveLength(before.length + 1);
	expect(readdirSync(vault.gitDir)).toEqual(before);
});

import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { filesAt, isCommit } from "./changes.ts";
import type { Scene } from "./scratch.fixture.ts";
import { commitAll, git, scene, sceneOf, userRepository, writeFiles } from "./scratch.fixture.ts";
import { submodulesAt } from "./submodules.ts";

const take = ({ checkout, base }: Scene, parent = base) =>
	checkout.snapshot({ parent, message: "turn\n", at: 1_700_000_000_000 });

const namesAt = async ({ vault }: Scene, commit: string) =>
	(await filesAt(vault, commit)).map(({ path }) => path);

thorough("any name and content survives a snapshot and a checkout of it", async () => {
	const at = await scene();
	const names = [
		"with space",
		"line\nend",
		'quo"te',
		"back\\slash",
		"-dash",
		":(top)x",
		"übér.txt",
		"sub/日本",
	];
	writeFiles(at.dir, Object.fromEntries(names.map((name) => [name, name])));
	const foreign = Buffer.from([0x66, 0xff, 0xfe]);
	writeFileSync(Buffer.concat([Buffer.from(`${at.dir}/`), foreign]), "bytes");
	const binary = Buffer.alloc(6_000_000, "\0\x01\xff");
	writeFileSync(join(at.dir, "large.bin"), binary);
	const { commit, embedded, leftOut, empty } = await take(at);
	expect({ embedded, leftOut, empty }).toEqual({ embedded: [], leftOut: [], empty: false });
	expect((await namesAt(at, commit)).sort()).toEqual(
		[...names, "a.txt", "f\\xff\\xfe", "large.bin"].sort(),
	);
	await at.checkout.forceTo(at.base);
	expect(existsSync(Buffer.concat([Buffer.from(`${at.dir}/`), foreign]))).toBe(false);
	await at.checkout.forceTo(commit);
	for (const name of names) expect(readFileSync(join(at.dir, name), "utf8")).toBe(name);
	expect(readFileSync(join(at.dir, "large.bin")).equals(binary)).toBe(true);
	expect(readFileSync(Buffer.concat([Buffer.from(`${at.dir}/`), foreign]), "utf8")).toBe("bytes");
	expect(await at.checkout.isUnchanged(commit)).toBe(true);
});

test("the same files, parent, message and time give the same commit", async () => {
	const at = await scene();
	writeFileSync(join(at.dir, "b"), "b");
	const first = await take(at);
	expect(await take(at)).toEqual(first);
	expect(git(at.user, "log", "-1", "--format=%an <%ae> %ct %s", first.commit)).toBe(
		"Sparring <sparring@localhost> 1700000000 turn",
	);
});

test("a snapshot without a change is the parent: there is nothing to commit", async () => {
	const at = await scene();
	const { commit, tree, empty } = await take(at);
	expect(empty).toBe(true);
	expect(commit).toBe(at.base);
	expect(tree).toBe(git(at.user, "rev-parse", `${at.base}^{tree}`));
});

test("files that the rules ignore stay out, links and the executable bit go in", async () => {
	const at = await scene({ ".gitignore": "*.log\n" });
	writeFiles(at.dir, { "x.log": "", run: "#!/bin/sh" });
	chmodSync(join(at.dir, "run"), 0o755);
	symlinkSync("/etc/passwd", join(at.dir, "escaping"));
	const { commit } = await take(at);
	const files = await filesAt(at.vault, commit);
	expect(files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
		"100644 .gitignore",
		"120000 escaping",
		"100755 run",
	]);
});

test("nested repositories, with commits and without, are left out and named", async () => {
	const at = await scene();
	for (const name of ["with", "deep/without"]) {
		mkdirSync(join(at.dir, name), { recursive: true });
		git(join(at.dir, name), "init", "-q");
	}
	writeFiles(at.dir, { "with/x": "x", "deep/y": "y" });
	commitAll(join(at.dir, "with"));
	const { commit, embedded, empty } = await take(at);
	expect(embedded).toEqual(["deep/without", "with"]);
	expect(empty).toBe(false);
	expect(await namesAt(at, commit)).toEqual(["a.txt", "deep/y"]);
});

test("a nested repository alone is no change; one in place of a file deletes the file", async () => {
	const at = await scene({ a: "a", b: "b" });
	git(at.dir, "init", "-q", "nest");
	writeFiles(at.dir, { "nest/x": "x" });
	commitAll(join(at.dir, "nest"));
	expect(await take(at)).toMatchObject({ empty: true, embedded: ["nest"] });
	rmSync(join(at.dir, "a"));
	git(at.dir, "clone", "-q", join(at.dir, "nest"), "a");
	const { commit, empty, embedded } = await take(at);
	expect({ empty, embedded }).toEqual({ empty: false, embedded: ["a", "nest"] });
	expect(await namesAt(at, commit)).toEqual(["b"]);
});

async function sceneWithSubmodule(): Promise<Scene> {
	const library = userRepository({ l: "l" });
	const user = userRepository();
	git(user, "submodule", "add", "-q", library, "lib");
	commitAll(user);
	return await sceneOf(user);
}

thorough("a submodule stays as in the base", async () => {
	const at = await sceneWithSubmodule();
	expect(await submodulesAt(at.repository, at.repository.headCommit)).toEqual(["lib"]);
	expect(existsSync(join(at.dir, "lib"))).toBe(true);
	expect((await take(at)).empty).toBe(true);
	git(join(at.dir, "lib"), "init", "-q");
	writeFiles(at.dir, { "lib/other": "x" });
	commitAll(join(at.dir, "lib"));
	expect(await take(at)).toMatchObject({ empty: true, embedded: [] });
	rmSync(join(at.dir, "lib"), { recursive: true });
	expect((await take(at)).empty).toBe(true);
	writeFileSync(join(at.dir, "lib"), "a file now");
	const { commit, empty } = await take(at);
	expect(empty).toBe(false);
	expect((await filesAt(at.vault, commit)).find(({ path }) => path === "lib")?.mode).toBe("100644");
	await at.checkout.forceTo(at.base);
	expect(existsSync(join(at.dir, "lib/other"))).toBe(false);
	expect((await take(at)).empty).toBe(true);
});

test("a conversion that fails does not stop a snapshot", async () => {
	const at = await scene();
	writeFiles(at.dir, {
		".gitattributes": "*.txt working-tree-encoding=UTF-16\n",
		"b.txt": "plain",
	});
	const { commit, leftOut } = await take(at);
	expect(leftOut).toEqual([]);
	expect(git(at.user, "show", `${commit}:b.txt`)).toBe("plain");
});

test("a name that git refuses is left out and named", async () => {
	const at = await scene();
	writeFiles(at.dir, { "git~1": "x", b: "b" });
	const { commit, leftOut } = await take(at);
	expect(leftOut).toEqual(["git~1"]);
	expect(await namesAt(at, commit)).toEqual(["a.txt", "b"]);
});

test("missing permissions and a stale lock do not stop a snapshot", async () => {
	const at = await scene({ "src/a": "a" });
	writeFileSync(join(at.dir, "src/b"), "b");
	chmodSync(join(at.dir, "src/b"), 0o000);
	chmodSync(join(at.dir, "src"), 0o000);
	writeFileSync(`${at.indexFile}.lock`, "");
	expect(await namesAt(at, (await take(at)).commit)).toEqual(["src/a", "src/b"]);
});

test("no snapshot is taken of a checkout whose folder is gone", async () => {
	const at = await scene();
	expect(await at.checkout.id()).toMatch(/^\w{16}$/);
	rmSync(at.dir, { recursive: true });
	expect(await at.checkout.id()).toBeNull();
	await expect(take(at)).rejects.toMatchObject({ code: "checkout-lost" });
	expect(existsSync(at.dir)).toBe(false);
});

test("a checkout has a new id each time it is forced to a commit", async () => {
	const { checkout, base } = await scene();
	const before = await checkout.id();
	await checkout.forceTo(base);
	expect(await checkout.id()).not.toBe(before);
	await checkout.remove();
	expect(await checkout.id()).toBeNull();
});

test("a parent that does not exist is a git failure", async () => {
	await expect(take(await scene(), "0".repeat(40))).rejects.toMatchObject({ code: "git-failed" });
});

test("objects that were removed after staging are written again", async () => {
	const { dir, base, checkout, user, vault } = await scene({ "a.txt": "a\n" });
	writeFiles(dir, { "new.txt": "new\n", "sub/b.txt": "b\n" });
	// Long ago, so that git trusts its index and looks at no file again.
	for (const name of ["new.txt", "sub/b.txt", "sub", "."])
		utimesSync(join(dir, name), 1_000, 1_000);
	const request = { parent: base, message: "turn", at: 1_000_000_000_000 };
	const first = await checkout.snapshot(request);
	git(user, "gc", "--prune=now", "--quiet");
	expect(await isCommit(vault, first.commit)).toBe(false);
	const again = await checkout.snapshot(request);
	expect(again.commit).toBe(first.commit);
	expect(git(user, "fsck", "--strict", "--no-dangling", again.commit)).toBe("");
	expect(git(user, "show", `${again.commit}:sub/b.txt`)).toBe("b");
});

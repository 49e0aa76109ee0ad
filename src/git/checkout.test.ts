import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openCheckout } from "./checkout.ts";
import {
	commitAll,
	git,
	scene,
	sceneOf,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "./scratch.fixture.ts";

describe("forcing", () => {
	test("a missing checkout is created, and an agent can use git in it", async () => {
		const { dir, base, checkout } = await scene({ "src/a.txt": "a\n" });
		expect(git(dir, "status", "--porcelain")).toBe("");
		expect(git(dir, "rev-parse", "HEAD")).toBe(base);
		expect(git(dir, "remote")).toBe("");
		expect(await checkout.isUnchanged(base)).toBe(true);
	});

	test("tracked files are forced; untracked files, folders and repositories are removed", async () => {
		const { dir, base, checkout } = await scene({ "a.txt": "a\n", "src/b.txt": "b\n" });
		writeFiles(dir, { "a.txt": "x\n", "new/deep/c.txt": "c", "-n": "", 'q"\\\n': "" });
		rmSync(join(dir, "src"), { recursive: true });
		mkdirSync(join(dir, "empty"));
		mkdirSync(join(dir, "nest"));
		git(join(dir, "nest"), "init", "-q");
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("a\n");
		expect(readFileSync(join(dir, "src/b.txt"), "utf8")).toBe("b\n");
		for (const name of ["new", "-n", 'q"\\\n', "empty", "nest"]) {
			expect(existsSync(join(dir, name)), name).toBe(false);
		}
		expect(await checkout.isUnchanged(base)).toBe(true);
	});

	thorough(
		"what the commit ignores stays, what only an untracked ignore file hides is removed",
		async () => {
			const { dir, base, checkout } = await scene({
				".gitignore": "node_modules/\n*.log\n",
				"src/a.txt": "a",
			});
			writeFiles(dir, {
				"node_modules/x/.gitignore": "*",
				"node_modules/x/i.js": "",
				"src/kept.log": "",
				"src/.gitignore": "*",
				"src/hidden.txt": "",
				"fresh/.gitignore": "f.txt\n",
				"fresh/f.txt": "",
				"logs/kept.log": "",
				"logs/.gitignore": "x",
			});
			expect(await checkout.isUnchanged(base)).toBe(false);
			await checkout.forceTo(base);
			const there = (name: string) => existsSync(join(dir, name));
			expect(
				[
					"node_modules/x/.gitignore",
					"node_modules/x/i.js",
					"src/kept.log",
					"logs/kept.log",
				].filter((name) => !there(name)),
			).toEqual([]);
			expect(
				["src/.gitignore", "src/hidden.txt", "fresh", "logs/.gitignore"].filter(there),
			).toEqual([]);
			expect(await checkout.isUnchanged(base)).toBe(true);
		},
	);

	test("a directory that ignores itself stays, such as a setup's .venv", async () => {
		const { dir, base, checkout } = await scene({ "a.txt": "a" });
		writeFiles(dir, {
			".venv/.gitignore": "*\n",
			".venv/bin/python": "",
			"partly/.gitignore": "*\n!x\n",
			"partly/x": "",
		});
		await checkout.forceTo(base);
		expect(existsSync(join(dir, ".venv/bin/python"))).toBe(true);
		expect(existsSync(join(dir, "partly"))).toBe(false);
		expect(await checkout.isUnchanged(base)).toBe(true);
	});

	test("a changed ignore file has no effect", async () => {
		const { dir, base, checkout } = await scene({ ".gitignore": "*.log\n" });
		writeFiles(dir, { ".gitignore": "*\n", "hidden.txt": "", "kept.log": "" });
		await checkout.forceTo(base);
		expect(existsSync(join(dir, "hidden.txt"))).toBe(false);
		expect(existsSync(join(dir, "kept.log"))).toBe(true);
	});

	test("a file can replace a folder and the reverse", async () => {
		const { dir, base, checkout } = await scene({ a: "file", "b/c": "inner" });
		rmSync(join(dir, "a"));
		rmSync(join(dir, "b"), { recursive: true });
		writeFiles(dir, { "a/x/y": "", b: "file" });
		git(join(dir, "a/x"), "init", "-q");
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "a"), "utf8")).toBe("file");
		expect(readFileSync(join(dir, "b/c"), "utf8")).toBe("inner");
	});

	test.each(["src", "vendor"])(
		"a link in place of the folder %s is replaced, its target untouched",
		async (name) => {
			const { dir, base, checkout, state } = await scene({
				".gitignore": "vendor\n",
				[`${name}/a.txt`]: "a\n",
			});
			const outside = join(state, "outside");
			renameSync(join(dir, name), outside);
			symlinkSync(outside, join(dir, name));
			await checkout.forceTo(base);
			expect(lstatSync(join(dir, name)).isDirectory()).toBe(true);
			expect(readFileSync(join(dir, name, "a.txt"), "utf8")).toBe("a\n");
			expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("a\n");
		},
	);

	test("a link in place of the checkout itself is never followed", async () => {
		const { dir, base, checkout, user } = await scene();
		writeFileSync(join(user, "precious"), "mine");
		rmSync(dir, { recursive: true });
		symlinkSync(user, dir);
		await checkout.forceTo(base);
		expect(lstatSync(dir).isDirectory()).toBe(true);
		expect(readFileSync(join(user, "precious"), "utf8")).toBe("mine");
	});

	test("a change with the same size and time is found", async () => {
		const { dir, base, checkout } = await scene({ "a.txt": "aaaa" });
		const { atime, mtime } = statSync(join(dir, "a.txt"));
		writeFileSync(join(dir, "a.txt"), "bbbb");
		utimesSync(join(dir, "a.txt"), atime, mtime);
		expect(await checkout.isUnchanged(base)).toBe(false);
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("aaaa");
	});

	test("flags that an agent sets in its own index hide nothing", async () => {
		const { dir, base, checkout } = await scene();
		git(dir, "update-index", "--assume-unchanged", "a.txt");
		writeFileSync(join(dir, "a.txt"), "changed");
		expect(await checkout.isUnchanged(base)).toBe(false);
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("a\n");
	});

	test("read-only folders and files are handled", async () => {
		const { dir, base, checkout } = await scene({ "src/a.txt": "a\n" });
		writeFileSync(join(dir, "src/a.txt"), "x");
		writeFiles(dir, { "locked/in/f": "" });
		for (const name of ["src/a.txt", "locked/in/f"]) chmodSync(join(dir, name), 0o000);
		for (const name of ["src", "locked/in", "locked"]) chmodSync(join(dir, name), 0o500);
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "src/a.txt"), "utf8")).toBe("a\n");
		expect(existsSync(join(dir, "locked"))).toBe(false);
	});

	test("files in an unreadable folder are found", async () => {
		const { dir, base, checkout } = await scene({ "src/a.txt": "a\n" });
		writeFiles(dir, { "src/stray": "" });
		chmodSync(join(dir, "src"), 0o300);
		expect(await checkout.isUnchanged(base)).toBe(false);
		chmodSync(join(dir, "src"), 0o300);
		await checkout.forceTo(base);
		expect(existsSync(join(dir, "src/stray"))).toBe(false);
	});

	test("a leftover lock, a damaged index and a lost index are repaired", async () => {
		const { dir, base, checkout, indexFile } = await scene();
		writeFileSync(`${indexFile}.lock`, "");
		writeFileSync(indexFile, "damaged");
		writeFileSync(join(dir, "a.txt"), "x");
		await checkout.forceTo(base);
		expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("a\n");
		rmSync(indexFile);
		expect(await checkout.isUnchanged(base)).toBe(true);
		rmSync(indexFile);
		const { empty } = await checkout.snapshot({ parent: base, message: "m", at: 0 });
		expect(empty).toBe(true);
	});

	test.each([
		[
			"a file",
			(path: string) => {
				writeFileSync(path, "gitdir: /nowhere");
			},
		],
		[
			"a link",
			(path: string) => {
				symlinkSync("/nowhere", path);
			},
		],
		["nothing", () => undefined],
	])("a .git that became %s is made again", async (_what, replace) => {
		const { dir, base, checkout } = await scene();
		rmSync(join(dir, ".git"), { recursive: true });
		replace(join(dir, ".git"));
		writeFileSync(join(dir, "b"), "b");
		expect((await checkout.snapshot({ parent: base, message: "m", at: 0 })).empty).toBe(false);
		await checkout.forceTo(base);
		expect(git(dir, "status", "--porcelain")).toBe("");
	});

	thorough(
		"a planted configuration with hooks, filters and a file watcher is never run",
		async () => {
			const { dir, base, checkout, state, vault } = await scene({
				".gitattributes": "*.txt filter=evil diff=evil\n",
				"a.txt": "a",
			});
			const canary = join(state, "canary");
			const script = join(state, "evil.sh");
			writeFileSync(script, `#!/bin/sh\ntouch "${canary}"\ncat\n`, { mode: 0o755 });
			writeFiles(dir, {
				".git/config": `[core]\n\tfsmonitor = ${script}\n\thooksPath = ${state}\n\tworktree = /\n[filter "evil"]\n\tclean = ${script}\n\tsmudge = ${script}\n\trequired = true\n[diff "evil"]\n\ttextconv = ${script}\n\tcommand = ${script}\n`,
				".git/info/exclude": "*\n",
				".git/info/attributes": "* filter=evil\n",
				".git/hooks/post-checkout": "#!/bin/sh\n",
				"a.txt": "changed",
				"new.txt": "new",
			});
			for (const hook of ["post-index-change", "post-checkout", "reference-transaction"]) {
				writeFileSync(join(state, hook), `#!/bin/sh\ntouch "${canary}"\n`, { mode: 0o755 });
			}
			expect(await checkout.isUnchanged(base)).toBe(false);
			const { commit } = await checkout.snapshot({ parent: base, message: "m", at: 0 });
			await checkout.forceTo(commit);
			expect(existsSync(canary)).toBe(false);
			expect(existsSync(join(dir, ".git/hooks"))).toBe(false);
			expect(git(vault.repository.root, "show", `${commit}:new.txt`)).toBe("new");
		},
	);

	test("links, also dangling and escaping ones, and the executable bit come back", async () => {
		const user = userRepository({ run: "#!/bin/sh\n" });
		chmodSync(join(user, "run"), 0o755);
		symlinkSync("nowhere", join(user, "dangling"));
		symlinkSync("../../outside", join(user, "escaping"));
		commitAll(user);
		const { dir, base, checkout } = await sceneOf(user);
		for (const name of ["run", "dangling", "escaping"]) rmSync(join(dir, name));
		await checkout.forceTo(base);
		expect(readlinkSync(join(dir, "dangling"))).toBe("nowhere");
		expect(readlinkSync(join(dir, "escaping"))).toBe("../../outside");
		expect(statSync(join(dir, "run")).mode & 0o111).not.toBe(0);
	});

	test("files that did not change are not written again", async () => {
		const { dir, user, checkout } = await scene({ a: "a", b: "b" });
		const { ino, mtimeMs } = statSync(join(dir, "a"));
		writeFileSync(join(user, "b"), "b2");
		await checkout.forceTo(commitAll(user));
		expect(statSync(join(dir, "a"))).toMatchObject({ ino, mtimeMs });
		expect(readFileSync(join(dir, "b"), "utf8")).toBe("b2");
	});

	test("line endings follow the commit's attributes", async () => {
		const { dir, base, checkout } = await scene({
			".gitattributes": "*.bat eol=crlf\n*.sh eol=lf\n",
			"a.bat": "x\n",
			"a.sh": "x\n",
		});
		expect(readFileSync(join(dir, "a.bat"), "utf8")).toBe("x\r\n");
		const { empty } = await checkout.snapshot({ parent: base, message: "m", at: 0 });
		expect(empty).toBe(true);
	});

	thorough("a shallow clone, a linked work tree and a sha256 repository work", async () => {
		const origin = userRepository();
		writeFiles(origin, { b: "b" });
		commitAll(origin);
		const parent = scratchDirectory();
		git(parent, "clone", "-q", "--depth", "1", `file://${origin}`, "shallow");
		const shallow = await sceneOf(join(parent, "shallow"));
		expect(shallow.repository.shallow).toBe(true);
		expect(git(shallow.dir, "log", "--format=%s")).toBe("change");
		git(origin, "worktree", "add", "-q", "-b", "side", join(parent, "linked"));
		const linked = await sceneOf(join(parent, "linked"));
		expect(linked.repository).toMatchObject({
			headBranch: "side",
			commonDir: join(origin, ".git"),
		});
		const sha256 = await scene({ a: "a" }, "--object-format=sha256");
		expect(sha256.base).toHaveLength(64);
		expect(git(sha256.dir, "status", "--porcelain")).toBe("");
		writeFileSync(join(sha256.dir, "b"), "b");
		const { commit } = await sha256.checkout.snapshot({ parent: sha256.base, message: "m", at: 0 });
		await sha256.checkout.forceTo(commit);
		expect(await sha256.checkout.isUnchanged(commit)).toBe(true);
	});

	test("files that no commit has are told apart by the ignore rules, also in a folder of nothing else", async () => {
		const { dir, base, checkout } = await scene({
			".gitignore": "node_modules/\n/vendor/bundle\n*.log\n",
			"logs/keep": "",
		});
		writeFiles(dir, {
			"node_modules/a/index.js": "a",
			"vendor/bundle/gem.rb": "g",
			".venv/.gitignore": "*\n",
			".venv/cfg": "c",
			"notes.txt": "n",
			"logs/debug.log": "l",
		});
		const { ignored, others } = await checkout.untracked(base);
		expect(ignored.toSorted()).toEqual([".venv/", "logs/debug.log", "node_modules/", "vendor/"]);
		expect(others).toEqual(["notes.txt"]);
	});

	test("ignored byte-code of Python beside tracked files goes, that of installed packages stays", async () => {
		const { dir, base, checkout } = await scene({
			".gitignore": "__pycache__/\n.venv/\nkept/\n",
			"app/a.py": "",
			"pkg/__pycache__/tracked.txt": "t",
		});
		writeFiles(dir, {
			"app/__pycache__/a.pyc": "poison",
			"__pycache__/b.pyc": "poison",
			"pkg/__pycache__/c.pyc": "poison",
			".venv/lib/__pycache__/d.pyc": "d",
			"kept/e.pyc": "e",
		});
		await checkout.forceTo(base);
		const { ignored } = await checkout.untracked(base);
		expect(ignored.toSorted()).toEqual([".venv/", "kept/"]);
		expect(readFileSync(join(dir, "pkg/__pycache__/tracked.txt"), "utf8")).toBe("t");
	});

	test("a checkout is removed with its index, even if neither exists", async () => {
		const { dir, state, checkout, indexFile, vault } = await scene();
		await checkout.remove();
		expect([dir, indexFile].filter((path) => existsSync(path))).toEqual([]);
		await openCheckout(vault, { dir: join(state, "none"), indexFile }).remove();
	});
});

describe("the repository in a checkout", () => {
	const configOf = (dir: string) => statSync(join(dir, ".git", "config"), { bigint: true }).ctimeNs;

	test("is written again where another process wrote it", async () => {
		const { vault, dir, indexFile, base } = await scene();
		git(dir, "config", "core.editor", "another");
		await openCheckout(vault, { dir, indexFile }).forceTo(base);
		expect(git(dir, "config", "--list", "--local")).not.toContain("another");
	});

	const inside = (dir: string, ...path: string[]) => join(dir, ".git", ...path);
	test.each<[string, (dir: string, outside: string) => void]>([
		["another setting", (dir) => git(dir, "config", "user.name", "Another")],
		[
			"a setting in place of one as long",
			(dir) => replaceIn(inside(dir, "config"), "auto = 0", "auto = 1"),
		],
		[
			"a commit",
			(dir) =>
				git(
					dir,
					"-c",
					"user.name=A",
					"-c",
					"user.email=a@b.c",
					"commit",
					"-qm",
					"x",
					"--allow-empty",
				),
		],
		["a branch", (dir) => git(dir, "branch", "other")],
		["rules of its own", (dir) => writeFileSync(inside(dir, "info", "exclude"), "*.txt\n")],
		[
			"attributes of its own",
			(dir) => writeFileSync(inside(dir, "info", "attributes"), "* text\n"),
		],
		["a hook", (dir) => writeFiles(inside(dir, "hooks"), { "post-checkout": "#!/bin/sh\n" })],
		["a lock", (dir) => writeFileSync(inside(dir, "index.lock"), "")],
		[
			"a link in place of a folder",
			(dir, outside) => {
				renameSync(inside(dir, "refs"), outside);
				symlinkSync(outside, inside(dir, "refs"));
			},
		],
		[
			"a link in place of HEAD",
			(dir, outside) => {
				renameSync(inside(dir, "HEAD"), outside);
				symlinkSync(outside, inside(dir, "HEAD"));
			},
		],
		["a file with a second name", (dir, outside) => linkSync(inside(dir, "config"), outside)],
		["an index with a second name", (dir, outside) => linkSync(inside(dir, "index"), outside)],
		["no index", (dir) => rmSync(inside(dir, "index"))],
		["rights of others", (dir) => chmodSync(inside(dir), 0o777)],
		["a file that everybody may write", (dir) => chmodSync(inside(dir, "config"), 0o666)],
		["something that is gone again", (dir) => git(dir, "update-ref", "-d", gone(dir))],
		["a file with another time", (dir) => utimesSync(inside(dir, "config"), 1, 1)],
		["a folder that nobody may write into", (dir) => chmodSync(inside(dir, "refs"), 0o500)],
		[
			"a file in its place",
			(dir) => {
				rmSync(inside(dir), { recursive: true });
				writeFileSync(inside(dir), "gitdir: /nowhere\n");
			},
		],
	])("is written again where it has %s", async (_what, change) => {
		const { dir, state, checkout, base } = await scene();
		const before = configOf(dir);
		const outside = join(state, "outside");
		change(dir, outside);
		const changed = existsSync(join(dir, ".git", "config")) ? configOf(dir) : before;
		const kept = existsSync(outside) && lstatSync(outside).isFile() ? readFileSync(outside) : null;
		await checkout.forceTo(base);
		expect([before, changed]).not.toContain(configOf(dir));
		if (kept !== null) expect(readFileSync(outside).equals(kept)).toBe(true);
		expect(git(dir, "status", "--porcelain", "--ignored")).toBe("");
		expect(git(dir, "rev-parse", "HEAD")).toBe(base);
		expect(git(dir, "for-each-ref")).toBe("");
		expect(statSync(inside(dir, "refs")).mode & 0o700).toBe(0o700);
	});
});

/** A ref that was made, and can be removed again. */
function gone(dir: string): string {
	git(dir, "update-ref", "refs/x/y", "HEAD");
	return "refs/x/y";
}

function replaceIn(path: string, from: string, to: string): void {
	const text = readFileSync(path, "utf8");
	expect(text).toContain(from);
	writeFileSync(path, text.replace(from, to));
}

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import {
	changesBetween,
	diffText,
	diffTexts,
	filesAt,
	ignoredBy,
	isAncestor,
	patchText,
	readFileAt,
	treeOf,
} from "./changes.ts";
import { alternatesLine } from "./git-directory.ts";
import { commitMerge, forecastMerge, mergeBase } from "./merging.ts";
import { joinZero, pathText, zeroFields } from "./parsing.ts";
import { openRepository } from "./repository.ts";
import type { Files } from "./scratch.fixture.ts";
import { commitAll, git, scene, sceneOf, userRepository, writeFiles } from "./scratch.fixture.ts";
import { openVault } from "./vault.ts";

/** Looks like an id in a diff. */
const from40 = "a".repeat(40);

async function history(before: Files, change: (user: string) => void) {
	const user = userRepository(before);
	const from = git(user, "rev-parse", "HEAD");
	change(user);
	const to = commitAll(user);
	return { from, to, ...(await sceneOf(user)) };
}

describe("changes", () => {
	thorough("have path and kind; a rename is two changes", async () => {
		const { vault, from, to } = await history({ a: "a", "b c": "b", l: "l" }, (user) => {
			writeFiles(user, { a: "a2", 'new"\n': "n" });
			rmSync(join(user, "b c"));
			rmSync(join(user, "l"));
			symlinkSync("a", join(user, "l"));
		});
		const changes = await changesBetween(vault, from, to);
		expect(
			changes.map(({ kind, path, oldMode, newMode }) => [kind, path, oldMode, newMode]),
		).toEqual([
			["modified", "a", "100644", "100644"],
			["deleted", "b c", "100644", "000000"],
			["type-changed", "l", "100644", "120000"],
			["added", 'new"\n', "000000", "100644"],
		]);
		expect(changes[3]?.oldOid).toBe("0".repeat(40));
		expect(await changesBetween(vault, to, to)).toEqual([]);
	});

	thorough("are shown as a unified diff with renames, truncated when too long", async () => {
		const { vault, from, to } = await history({ old: "1\n2\n3\n4\n" }, (user) => {
			git(user, "mv", "old", "new");
			writeFileSync(join(user, "latin"), Buffer.from([0x61, 0xff, 0x0a]));
		});
		const whole = await diffText(vault, from, to, { maxBytes: 100_000 });
		expect(whole.truncated).toBe(false);
		expect(whole.text).toContain("rename from old\nrename to new\n");
		expect(whole.text).toContain("+a\ufffd\n");
		const cut = await diffText(vault, from, to, { maxBytes: 60 });
		expect(cut.truncated).toBe(true);
		expect(cut.text).toMatch(/\n\[diff truncated after 60 bytes\]\n$/);
	});

	test("for git apply are whole, or refused when too long", async () => {
		const { vault, from, to } = await history({ a: "1\n" }, (user) => {
			writeFiles(user, { a: Buffer.from([0x00, 0xff, 0x0a]) });
		});
		const whole = await patchText(vault, from, to, { maxBytes: 100_000 });
		expect(whole).toContain("GIT binary patch\n");
		await expect(patchText(vault, from, to, { maxBytes: 60 })).rejects.toMatchObject({
			code: "usage",
			message: "the difference is longer than 60 bytes",
			hint: `Have git write it: git diff --binary ${from} ${to}`,
		});
	});

	thorough("a large diff is not read to its end", async () => {
		const { vault, from, to } = await history({ a: "" }, (user) => {
			writeFileSync(join(user, "large"), "a line of text\n".repeat(600_000));
		});
		const { text, truncated } = await diffText(vault, from, to, { maxBytes: 10_000 });
		expect(truncated).toBe(true);
		expect(text.length).toBeLessThan(10_100);
	});

	test.each(["kept", "started"])(
		"of several at once are those of each, also where one is empty or too long: %s",
		async (way) => {
			const {
				vault: own,
				from,
				to,
			} = await history({ a: "1\n", b: "b\n" }, (user) => {
				writeFiles(user, { a: `${"2\n".repeat(100)}\u0000`, b: `${from40} ${from40}\n` });
			});
			const vault = way === "kept" ? own : { ...own, kept: undefined };
			const pairs = [
				{ from, to },
				{ from: to, to },
				{ from: to, to: from },
				{ from, to: from },
			];
			const each = async (maxBytes: number) =>
				await Promise.all(pairs.map((pair) => diffText(vault, pair.from, pair.to, { maxBytes })));
			expect(await diffTexts(vault, pairs, { maxBytes: 100_000 })).toEqual(await each(100_000));
			const short = await diffTexts(vault, pairs, { maxBytes: 60 });
			expect(short).toEqual(await each(60));
			expect(short[0]?.truncated).toBe(true);
			expect(await diffTexts(vault, pairs.slice(0, 1), { maxBytes: 60 })).toEqual(
				short.slice(0, 1),
			);
		},
	);

	test.each([
		["git is asked", false],
		["its listing is known", true],
	])("files of a commit are read by their exact path: %s", async (_name, isListed) => {
		const texts = [
			["a b", "1"],
			["-x", "2"],
			["d/e", "3"],
			["*", "4"],
			["d/f\n", "5"],
			["back\\slash", "6"],
		] as const;
		const { vault, base } = await scene(Object.fromEntries(texts));
		const paths = ["*", "-x", "a b", "back\\slash", "d/e", "d/f\n"];
		const listed = async () => (await filesAt(vault, base)).map(({ path }) => path);
		if (isListed) expect(await listed()).toEqual(paths);
		for (const [path, text] of texts) {
			expect((await readFileAt(vault, base, path))?.toString(), path).toBe(text);
		}
		for (const path of ["", "none", "d", "d/", "/a b", "../x", "./a b", "d/../a b", "a\0b"]) {
			expect(await readFileAt(vault, base, path).catch(() => undefined), path).toBeUndefined();
		}
		expect(await listed()).toEqual(paths);
	});

	thorough(
		"a file whose name ends as git describes a commit is read, and not that commit",
		async () => {
			const { user, base: known } = await scene({ a: "a" });
			const short = known.slice(0, 8);
			const names = ["", "d/"].flatMap((folder) =>
				["", "~0", "^0", "^{tree}"].map((end) => `${folder}tool-g${short}${end}`),
			);
			writeFiles(user, Object.fromEntries(names.map((name) => [name, name])));
			commitAll(user);
			const { vault, base } = await sceneOf(user);
			for (const name of names) {
				expect((await readFileAt(vault, base, name))?.toString(), name).toBe(name);
			}
		},
	);

	test("a file is read as it is in the commit, also where another commit's files are known", async () => {
		const { vault, from, to } = await history({ a: "a", same: "s" }, (dir) => {
			writeFiles(dir, { a: "b" });
		});
		for (const commit of [from, to]) await filesAt(vault, commit);
		const read = async (commit: string, path: string) =>
			(await readFileAt(vault, commit, path))?.toString();
		expect(await read(from, "a")).toBe("a");
		expect(await read(to, "a")).toBe("b");
		expect(await read(from, "same")).toBe("s");
		expect(await read(to, "same")).toBe("s");
	});

	thorough("a submodule cannot be read as a file", async () => {
		const user = userRepository();
		git(user, "submodule", "add", "-q", userRepository(), "lib");
		commitAll(user);
		const { vault, base } = await sceneOf(user);
		expect(await readFileAt(vault, base, "lib")).toBeUndefined();
		await filesAt(vault, base);
		expect(await readFileAt(vault, base, "lib")).toBeUndefined();
	});

	test("equal files have equal trees, and ancestors are found", async () => {
		const { user, vault, from, to } = await history({ a: "a" }, (dir) => {
			writeFiles(dir, { a: "b" });
		});
		writeFiles(user, { a: "a" });
		const back = commitAll(user);
		expect(await treeOf(vault, back)).toBe(await treeOf(vault, from));
		expect(await treeOf(vault, to)).not.toBe(await treeOf(vault, from));
		expect(await isAncestor(vault, from, to)).toBe(true);
		expect(await isAncestor(vault, to, from)).toBe(false);
	});

	thorough("only the commit's rules decide which paths are ignored", async () => {
		const { vault, base, dir } = await scene({
			".gitignore": "*.log\nbuild/\n!keep.log\n",
			"sub/.gitignore": "/local\n",
			"tracked.log": "",
		});
		writeFiles(dir, { ".gitignore": "*" });
		const asked = [
			"x.log",
			"keep.log",
			"build/a/b",
			"build/",
			"sub/local",
			"local",
			"tracked.log",
			"-a.log",
			":b.log",
			"ü\n.log",
			"../x.log",
			"/x.log",
			"a\0.log",
			"",
		];
		expect(await ignoredBy(vault, base, asked)).toEqual([
			"x.log",
			"build/a/b",
			"build/",
			"sub/local",
			"tracked.log",
			"-a.log",
			":b.log",
			"ü\n.log",
		]);
		expect(await ignoredBy(vault, base, [])).toEqual([]);
		const plain = await scene();
		expect(await ignoredBy(plain.vault, plain.base, ["x.log"])).toEqual([]);
	});
});

describe("merging", () => {
	async function fork(ours: Files, theirs: Files) {
		const user = userRepository({ a: "1\n2\n3\n", "b c": "b\n" });
		const base = git(user, "rev-parse", "HEAD");
		writeFiles(user, ours);
		const one = commitAll(user);
		git(user, "checkout", "-q", "-b", "other", base);
		writeFiles(user, theirs);
		const other = commitAll(user);
		return { ...(await sceneOf(user)), base, one, other };
	}

	thorough("a clean forecast has the tree of the merge commit", async () => {
		const { vault, user, base, one, other } = await fork({ a: "x\n2\n3\n" }, { n: "n" });
		const forecast = await forecastMerge(vault, one, other);
		expect(forecast.clean).toBe(true);
		const tree = forecast.clean ? forecast.tree : "";
		const request = { tree, parents: [one, other], message: "merge\n", at: 5_999 };
		const commit = await commitMerge(vault, request);
		expect(await commitMerge(vault, request)).toBe(commit);
		expect(git(user, "show", `${commit}:a`)).toBe("x\n2\n3");
		expect(git(user, "log", "-1", "--format=%P %ct", commit)).toBe(`${one} ${other} 5`);
		expect(await mergeBase(vault, one, other)).toBe(base);
	});

	test("a conflict names each path once", async () => {
		const { vault, one, other } = await fork(
			{ a: "x\n", "b c": "x\n" },
			{ a: "y\n", "b c": "y\n" },
		);
		const forecast = await forecastMerge(vault, one, other);
		expect(forecast).toMatchObject({ clean: false, conflicts: ["a", "b c"] });
		const both = await readFileAt(vault, forecast.tree, "a");
		expect(both?.toString()).toContain("<<<<<<<");
	});

	test("a commit that is gone is no conflict, and may come back", async () => {
		const { vault, one } = await fork({ a: "x" }, { a: "y" });
		const gone = forecastMerge(vault, one, "0123456789".repeat(4));
		await expect(gone).rejects.toMatchObject({ code: "git-failed", retryable: true });
	});

	thorough("without a common history there is no base and no merge", async () => {
		const { vault, user, one } = await fork({ a: "x" }, { a: "y" });
		git(user, "checkout", "-q", "--orphan", "alone");
		const alone = commitAll(user, "alone");
		expect(await mergeBase(vault, one, alone)).toBeUndefined();
		await expect(forecastMerge(vault, one, alone)).rejects.toMatchObject({ code: "git-failed" });
	});
});

describe("the vault", () => {
	test("can be opened again, even after a kill", async () => {
		const { repository, state, vault, base } = await scene();
		mkdirSync(join(state, "vault.git.new/objects"), { recursive: true });
		rmSync(join(state, "vault.git/plain.git/HEAD"));
		const again = await openVault(repository, state);
		const like = { ...vault, kept: undefined };
		expect(again).toEqual(like);
		expect(await treeOf(again, base)).toMatch(/^[0-9a-f]{40}$/);
		expect(await openVault(repository, state)).toEqual(like);
	});

	thorough("borrows from a repository with any path", async () => {
		const at = await scene();
		const { renameSync } = await import("node:fs");
		const moved = join(at.state, 'odd\n"path\\');
		renameSync(at.user, moved);
		const repository = await openRepository(moved);
		const vault = await openVault(repository, at.state);
		expect(await readFileAt(vault, at.base, "a.txt")).toEqual(Buffer.from("a\n"));
		await at.checkout.remove();
		const other = await sceneOf(moved);
		expect(git(other.dir, "log", "--format=%s")).toBe("first");
	});

	test("a directory that cannot be written is a fault with a hint", async () => {
		const { repository, state } = await scene();
		writeFileSync(join(state, "file"), "");
		await expect(openVault(repository, join(state, "file"))).rejects.toMatchObject({
			code: "state-unwritable",
		});
	});

	thorough("only objects change in the user's repository", async () => {
		const user = userRepository({ a: "a" });
		const look = () =>
			git(user, "for-each-ref") +
			git(user, "config", "--local", "-l") +
			git(user, "status", "--porcelain");
		const before = look();
		const { checkout, dir, base } = await sceneOf(user);
		writeFiles(dir, { b: "b" });
		await checkout.snapshot({ parent: base, message: "m", at: 0 });
		await checkout.forceTo(base);
		expect(look()).toBe(before);
	});
});

describe("parsing", () => {
	test("fields survive joining and splitting", () => {
		const field = fc
			.uint8Array({ minLength: 0 })
			.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0)));
		fc.assert(
			fc.property(fc.array(field), (fields) => {
				expect(zeroFields(joinZero(fields))).toEqual(fields);
			}),
		);
		expect(zeroFields(Buffer.from("a\0b"))).toEqual([Buffer.from("a"), Buffer.from("b")]);
	});

	test("a path is shown as text, and as bytes when it is not UTF-8", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				expect(pathText(Buffer.from(text))).toBe(text);
			}),
		);
		expect(pathText(Buffer.from([0x61, 0xff]))).toBe("a\\xff");
	});

	test("only a path that needs quotes gets them in the list of alternates", () => {
		expect(alternatesLine("/a b/ü")).toBe("/a b/ü");
		expect(alternatesLine('/a\n"\\')).toBe('"/a\\n\\"\\\\"');
	});
});

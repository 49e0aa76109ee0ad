import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import { moveRef } from "./move-refs.ts";
import { openRepository } from "./repository.ts";
import { LOCKED_HINT } from "./run-git.ts";
import type { Files } from "./scratch.fixture.ts";
import { commitAll, git, scratchDirectory, userRepository, writeFiles } from "./scratch.fixture.ts";

const way = { base: "main", again: "spar land r1" };

/** A user on main at `from`, and a commit `to` ahead of it that nothing has checked out. */
async function ahead(before: Files, after: Files, gone: readonly string[] = []) {
	const user = userRepository(before);
	const from = git(user, "rev-parse", "HEAD");
	git(user, "checkout", "-q", "-b", "ahead");
	for (const name of gone) rmSync(join(user, name), { recursive: true });
	writeFiles(user, after);
	const to = commitAll(user);
	git(user, "checkout", "-q", "main");
	const repository = await openRepository(user);
	const land = () => moveRef(repository, { ref: "refs/heads/main", from, to }, way);
	const tip = () => git(user, "rev-parse", "main");
	return { user, from, to, land, tip };
}

describe("landing on a branch that is checked out", () => {
	thorough("moves work tree, index and branch forward without running hooks", async () => {
		const { user, to, land, tip } = await ahead({ a: "a", b: "b" }, { a: "a2", "d/e": "e" }, ["b"]);
		const canary = join(user, ".git/canary");
		for (const hook of ["post-merge", "reference-transaction", "post-index-change"]) {
			writeFiles(user, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch ${canary}\n` });
			chmodSync(join(user, ".git/hooks", hook), 0o755);
		}
		await land();
		expect(existsSync(canary)).toBe(false);
		expect(tip()).toBe(to);
		expect(readFileSync(join(user, "a"), "utf8")).toBe("a2");
		expect(existsSync(join(user, "b"))).toBe(false);
		expect(git(user, "status", "--porcelain")).toBe("");
		expect(await land()).toBe(false);
		expect(tip()).toBe(to);
	});

	thorough(
		"overwrites files that nobody touched even if git reports them, and stops at the user's changes",
		async () => {
			const user = userRepository({ "a.txt": "a\r\n", "b.txt": "b\r\n" });
			writeFiles(user, { ".gitattributes": "*.txt text\n" });
			git(user, "add", ".gitattributes");
			git(user, "commit", "-q", "-m", "attributes");
			const from = git(user, "rev-parse", "HEAD");
			git(user, "checkout", "-q", "-b", "edit");
			const oid = git(user, "rev-parse", "HEAD:b.txt");
			git(user, "update-index", "--cacheinfo", `100644,${oid},a.txt`);
			git(user, "commit", "-q", "-m", "edit");
			const next = git(user, "rev-parse", "HEAD");
			git(user, "checkout", "-q", "-f", "main");
			const before = git(user, "status", "--porcelain");
			const repository = await openRepository(user);
			const again = () => moveRef(repository, { ref: "refs/heads/main", from, to: next }, way);
			writeFiles(user, { "a.txt": "mine\r\n" });
			await expect(again()).rejects.toMatchObject({ code: "checkout-dirty" });
			expect(readFileSync(join(user, "a.txt"), "utf8")).toBe("mine\r\n");
			writeFiles(user, { "a.txt": "a\r\n" });
			await again();
			expect(git(user, "rev-parse", "main")).toBe(next);
			expect(readFileSync(join(user, "a.txt"), "utf8")).toBe("b\r\n");
			expect(git(user, "status", "--porcelain")).toBe(before);
		},
	);

	test("keeps untracked files and uses the user's line endings", async () => {
		const { user, land } = await ahead({ a: "a\n" }, { a: "a\nb\n" });
		git(user, "config", "core.autocrlf", "true");
		rmSync(join(user, "a"));
		git(user, "checkout", "-q", "--", "a");
		writeFiles(user, { notes: "mine" });
		await land();
		expect(readFileSync(join(user, "a"), "utf8")).toBe("a\r\nb\r\n");
		expect(readFileSync(join(user, "notes"), "utf8")).toBe("mine");
	});

	test.each(
		spread<[string, Files, Files, readonly string[], string[]]>(
			[
				["a changed file", { a: "a", b: "b" }, { a: "a2" }, [], ["a"]],
				["a changed file that goes", { a: "a", b: "b" }, {}, ["a"], ["a"]],
				["an untracked file", { a: "a" }, { n: "new" }, [], ["n"]],
				["an ignored file", { a: "a", ".gitignore": "*.env\n" }, { "x.env": "new" }, [], ["x.env"]],
				["a file where a folder comes", { a: "a" }, { "n/x": "new" }, [], ["n"]],
				["a folder where a file comes", { a: "a" }, { n: "new" }, [], ["n/own"]],
			],
			4,
		),
	)("refuses %s and changes nothing", async (_what, before, after, gone, own) => {
		const { user, from, land, tip } = await ahead(before, after, gone);
		writeFiles(user, Object.fromEntries(own.map((name) => [name, "precious"])));
		const named = expect.stringContaining(own[0]?.split("/")[0] ?? "") as unknown;
		await expect(land()).rejects.toMatchObject({ code: "checkout-dirty", message: named });
		expect(tip()).toBe(from);
		for (const name of own) expect(readFileSync(join(user, name), "utf8")).toBe("precious");
	});

	test.each(
		spread<[string, string[], string[]]>(
			[
				["staged", ["a"], []],
				["deleted", [], ["a"]],
				["staged where a folder comes", ["d"], []],
				["staged below a file that comes", ["n/own"], []],
			],
			2,
		),
	)("refuses what the user %s, and changes nothing", async (_what, staged, deleted) => {
		const { user, from, land, tip } = await ahead({ a: "a" }, { a: "a2", "d/e": "e", n: "n" });
		for (const name of staged) writeFiles(user, { [name]: "mine" });
		git(user, "add", "-A");
		for (const name of deleted) rmSync(join(user, name));
		const before = git(user, "status", "--porcelain");
		const named = expect.stringContaining(`"${[...staged, ...deleted][0]}"`) as unknown;
		await expect(land()).rejects.toMatchObject({ code: "checkout-dirty", message: named });
		expect([tip(), git(user, "status", "--porcelain")]).toEqual([from, before]);
	});

	/** A user who changed, staged, staged and changed, deleted, renamed and added files that the landed work does not touch. */
	const busy = async () => {
		const before = { a: "a", c: "c", s: "s", both: "1", gone: "g", "old/name": "n", "d/own": "o" };
		const set = await ahead(before, { a: "a2", "d/e": "e" });
		const { user } = set;
		writeFiles(user, { s: "mine", both: "2", staged: "new" });
		git(user, "add", "s", "both", "staged");
		writeFiles(user, { both: "3", c: "mine", "d/own": "mine", notes: "mine" });
		rmSync(join(user, "gone"));
		git(user, "mv", "old/name", "name");
		return { ...set, status: () => git(user, "status", "--porcelain") };
	};

	test("leaves alone what the user did to other files", async () => {
		const { user, to, land, tip, status } = await busy();
		const before = [status(), git(user, "diff"), git(user, "diff", "--cached")];
		expect(await land()).toBe(true);
		expect(tip()).toBe(to);
		expect([status(), git(user, "diff"), git(user, "diff", "--cached")]).toEqual(before);
		expect(readFileSync(join(user, "a"), "utf8")).toBe("a2");
		expect(readFileSync(join(user, "d/e"), "utf8")).toBe("e");
	});

	test.each(spread(["files", "index"], 1))(
		"finishes a landing that was killed behind its %s beside the user's own changes",
		async (reached) => {
			const { user, from, to, land, tip, status } = await busy();
			const before = status();
			if (reached === "index") git(user, "read-tree", "-m", "-u", from, to);
			else writeFiles(user, { a: "a2", "d/e": "e" });
			expect(await land()).toBe(true);
			expect([tip(), status()]).toEqual([to, before]);
		},
	);

	test("where a lock keeps the branch from moving, the user's own changes stay", async () => {
		const { user, from, land, tip, status } = await busy();
		const before = status();
		writeFileSync(join(user, ".git/HEAD.lock"), "");
		await expect(land()).rejects.toMatchObject({ code: "git-failed", hint: LOCKED_HINT });
		expect([tip(), status()]).toEqual([from, before]);
	});

	thorough("refuses while a conflict is unresolved, wherever it is", async () => {
		const { user, from, land, tip } = await ahead({ a: "a", b: "b" }, { a: "a2" });
		writeFiles(user, { b: "stashed" });
		git(user, "stash", "-q");
		writeFiles(user, { b: "other" });
		git(user, "commit", "-q", "-a", "-m", "other");
		expect(() => git(user, "stash", "pop")).toThrow();
		git(user, "update-ref", "refs/heads/main", from);
		await expect(land()).rejects.toMatchObject({
			code: "checkout-dirty",
			message: expect.stringContaining('"b"') as unknown,
		});
		expect(tip()).toBe(from);
	});

	test("a file becomes a folder and a folder a file", async () => {
		const { user, land } = await ahead({ f: "f", "d/x": "x" }, { "f/y": "y", d: "d" }, ["f", "d"]);
		await land();
		expect(readFileSync(join(user, "f/y"), "utf8")).toBe("y");
		expect(readFileSync(join(user, "d"), "utf8")).toBe("d");
	});

	test("finishes what a killed landing began: files written, nothing else", async () => {
		const { user, to, land, tip } = await ahead(
			{ a: "a", b: "b", c: "c" },
			{ a: "a2", "n/x": "new" },
			["b"],
		);
		writeFiles(user, { a: "a2", "n/x": "new" });
		rmSync(join(user, "b"));
		await land();
		expect(tip()).toBe(to);
		expect(git(user, "status", "--porcelain")).toBe("");
	});

	test("finishes what a killed landing began: files and index written", async () => {
		const { user, from, to, land, tip } = await ahead({ a: "a" }, { a: "a2", b: "b" });
		git(user, "read-tree", "-m", "-u", from, to);
		await land();
		expect(tip()).toBe(to);
		expect(git(user, "status", "--porcelain")).toBe("");
	});

	test("moves the linked work tree that has the branch", async () => {
		const { user, to, land, tip } = await ahead({ a: "a" }, { a: "a2" });
		const linked = join(scratchDirectory(), "with\nline");
		git(user, "checkout", "-q", "--detach");
		git(user, "worktree", "add", "-q", linked, "main");
		await land();
		expect(tip()).toBe(to);
		expect(readFileSync(join(linked, "a"), "utf8")).toBe("a2");
		expect(readFileSync(join(user, "a"), "utf8")).toBe("a");
	});

	test("a lock of another git process is named, and can be retried", async () => {
		const { user, from, land, tip } = await ahead({ a: "a" }, { a: "a2" });
		writeFileSync(join(user, ".git/index.lock"), "");
		await expect(land()).rejects.toMatchObject({ code: "git-failed", retryable: true });
		expect(tip()).toBe(from);
	});
});

thorough("where a lock keeps the branch from moving, index and files go back", async () => {
	const { user, from, to, land, tip } = await ahead({ a: "a", b: "b" }, { a: "a2", "d/e": "e" }, [
		"b",
	]);
	const lock = join(user, ".git/HEAD.lock");
	writeFileSync(lock, "");
	await expect(land()).rejects.toMatchObject({ code: "git-failed", hint: LOCKED_HINT });
	expect([tip(), git(user, "status", "--porcelain")]).toEqual([from, ""]);
	rmSync(lock);
	await land();
	expect([tip(), git(user, "status", "--porcelain")]).toEqual([to, ""]);
});

test("beside a lock of the index, nobody's files count as changed", async () => {
	const { user, land, tip, to } = await ahead({ a: "a" }, { a: "a2" });
	const lock = join(user, ".git/index.lock");
	utimesSync(join(user, "a"), 1, 1);
	writeFileSync(lock, "");
	await expect(land()).rejects.toMatchObject({ code: "git-failed", hint: LOCKED_HINT });
	rmSync(lock);
	await land();
	expect(tip()).toBe(to);
});

test("a branch that no worktree uses just moves", async () => {
	const { user, to, land, tip } = await ahead({ a: "a" }, { a: "a2" });
	git(user, "checkout", "-q", "--detach");
	await land();
	expect(tip()).toBe(to);
	expect(readFileSync(join(user, "a"), "utf8")).toBe("a");
});

test.each([true, false])(
	"a branch that moved meanwhile is left alone (checked out: %s)",
	async (out) => {
		const { user, land, tip } = await ahead({ a: "a" }, { a: "a2" });
		writeFiles(user, { z: "z" });
		const moved = commitAll(user);
		if (!out) git(user, "checkout", "-q", "--detach");
		expect(await land()).toBe(false);
		expect(tip()).toBe(moved);
	},
);

thorough("a submodule in the repository does not prevent landing", async () => {
	const library = userRepository();
	const user = userRepository();
	git(user, "submodule", "add", "-q", library, "lib");
	const from = commitAll(user);
	git(user, "checkout", "-q", "-b", "ahead");
	writeFiles(user, { b: "b" });
	const to = commitAll(user);
	git(user, "checkout", "-q", "main");
	mkdirSync(join(user, "lib", "own"));
	await moveRef(await openRepository(user), { ref: "refs/heads/main", from, to }, way);
	expect(git(user, "rev-parse", "main")).toBe(to);
});

test("a worktree that stands on another name of the branch goes along", async () => {
	const { user, to, land, tip } = await ahead({ a: "1" }, { a: "2" });
	git(user, "symbolic-ref", "refs/heads/trunk", "refs/heads/main");
	git(user, "symbolic-ref", "HEAD", "refs/heads/trunk");
	expect(await land()).toBe(true);
	expect(tip()).toBe(to);
	expect(git(user, "status", "--porcelain")).toBe("");
	expect(readFileSync(join(user, "a"), "utf8")).toBe("2");
});

thorough("an untracked file that the move would write stays when the move fails", async () => {
	const { user, from, land, tip } = await ahead({ a: "1" }, { a: "2", n: "new" });
	writeFiles(user, { n: "new", ".git/index.lock": "" });
	await expect(land()).rejects.toThrow("index.lock");
	expect(tip()).toBe(from);
	expect(readFileSync(join(user, "n"), "utf8")).toBe("new");
	rmSync(join(user, ".git/index.lock"));
	expect(await land()).toBe(true);
	expect(git(user, "status", "--porcelain")).toBe("");
});

thorough(
	"an untracked file in a folder that git takes away comes back where the branch cannot move",
	async () => {
		const { user, from, land, tip } = await ahead({ a: "1" }, { "new/dir/n": "n" });
		writeFiles(user, { "new/dir/n": "n", ".git/refs/heads/main.lock": "" });
		await expect(land()).rejects.toMatchObject({ code: "git-failed", hint: LOCKED_HINT });
		expect([tip(), readFileSync(join(user, "new/dir/n"), "utf8")]).toEqual([from, "n"]);
		rmSync(join(user, ".git/refs/heads/main.lock"));
		expect(await land()).toBe(true);
		expect(git(user, "status", "--porcelain")).toBe("");
	},
);

thorough(
	"what a killed landing wrote is undone before the next one, which may be killed too",
	async () => {
		const { user, from, land, tip } = await ahead({ a: "a", b: "b" }, { a: "a2" }, ["b"]);
		writeFiles(user, { a: "a2", ".git/HEAD.lock": "" });
		rmSync(join(user, "b"));
		await expect(land()).rejects.toMatchObject({ code: "git-failed" });
		expect([tip(), git(user, "status", "--porcelain")]).toEqual([from, ""]);
	},
);

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import type { Fault } from "../kernel/fault.ts";
import { keepChildren } from "./kept-children.ts";
import * as moving from "./move-refs.ts";
import { listRefs, type RefMove, readRef, refsInTheWay, removeStaleLocks } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { openRepository } from "./repository.ts";
import { commitAll, git, scratchDirectory, userRepository } from "./scratch.fixture.ts";

const way = { base: "main", again: "spar resume r1" };
const moveRef = (repository: Repository, move: RefMove) => moving.moveRef(repository, move, way);
const moveRefs = (repository: Repository, moves: readonly RefMove[]) =>
	moving.moveRefs(repository, moves, way);
const deleteRef = (repository: Repository, name: string, expected: string) =>
	moving.deleteRef(repository, { ref: name, expected }, way);

/** @param how `kept`: one process of git moves refs again and again */
async function twoCommits(how: "kept" | "started" = "started") {
	const user = userRepository();
	const first = git(user, "rev-parse", "HEAD");
	writeFileSync(join(user, "b"), "b");
	const second = commitAll(user);
	const opened = await openRepository(user);
	if (how === "started") return { user, first, second, repository: opened };
	const kept = keepChildren();
	onTestFinished(() => kept.end());
	return { user, first, second, repository: { ...opened, kept } };
}

const ref = "refs/heads/sparring/r1/limiter";

const WAYS = ["kept", "started"] as const;

test.each(spread(WAYS, 1))("a ref moves only from the expected commit: %s", async (how) => {
	const { user, repository, first, second } = await twoCommits(how);
	expect(await moveRef(repository, { ref, to: first, from: null })).toBe(true);
	expect(await moveRef(repository, { ref, to: second, from: null })).toBe(false);
	expect(await moveRef(repository, { ref, to: second, from: second })).toBe(false);
	expect(await moveRef(repository, { ref, to: second, from: first })).toBe(true);
	expect(await readRef(repository, ref)).toBe(second);
	expect(git(user, "reflog", "show", "--format=%gs", ref)).toBe("sparring\nsparring");
	expect(await deleteRef(repository, ref, first)).toBe(false);
	expect(await deleteRef(repository, ref, second)).toBe(true);
	expect(await deleteRef(repository, ref, second)).toBe(false);
	expect(await readRef(repository, ref)).toBeUndefined();
});

test.each(spread(WAYS, 1))("several refs move together or not at all: %s", async (how) => {
	const { repository, first, second } = await twoCommits(how);
	const one = { ref: "refs/sparring/r1/one", to: first, from: null };
	const other = { ref: "refs/sparring/r1/other", to: second, from: null };
	expect(await moveRefs(repository, [one, { ...other, from: first }])).toBe(false);
	expect(await listRefs(repository, "refs/sparring")).toEqual([]);
	expect(await moveRefs(repository, [one, other])).toBe(true);
	expect(await listRefs(repository, "refs/sparring/r1/")).toEqual([
		{ ref: one.ref, oid: first },
		{ ref: other.ref, oid: second },
	]);
	const absent = { ref: "refs/sparring/r1/none", to: null, from: null };
	expect(await moveRefs(repository, [absent, { ...one, to: null, from: first }])).toBe(true);
	expect(await moveRefs(repository, [{ ...absent, ref: other.ref }])).toBe(false);
	expect(await readRef(repository, other.ref)).toBe(second);
	expect(await moveRefs(repository, [])).toBe(true);
});

thorough(
	"a lock that a killed git left on a ref of the run is removed, and no other lock",
	async () => {
		const { user, repository, first } = await twoCommits();
		const locks = ["refs/heads/sparring/r1/limiter.lock", "refs/heads/main.lock"].map((name) =>
			join(user, ".git", name),
		);
		mkdirSync(join(user, ".git/refs/heads/sparring/r1"), { recursive: true });
		for (const lock of locks) writeFileSync(lock, "");
		await expect(moveRef(repository, { ref, to: first, from: null })).rejects.toMatchObject({
			code: "git-failed",
		});
		await removeStaleLocks(repository, "refs/heads/sparring/r1/");
		await removeStaleLocks(repository, "refs/sparring/r1/");
		expect(await moveRef(repository, { ref, to: first, from: null })).toBe(true);
		expect(locks.map((lock) => existsSync(lock))).toEqual([false, true]);
	},
);

test("a branch whose name is a folder of a new one, or the reverse, is in the way", async () => {
	const { user, repository, first } = await twoCommits();
	expect(await refsInTheWay(repository, [ref])).toEqual([]);
	expect(await refsInTheWay(repository, [])).toEqual([]);
	git(user, "branch", "sparring-other");
	git(user, "branch", "sparring");
	expect(await refsInTheWay(repository, [ref])).toEqual(["refs/heads/sparring"]);
	await expect(moveRef(repository, { ref, to: first, from: null })).rejects.toMatchObject({
		code: "ref-in-the-way",
		message: expect.stringContaining("refs/heads/sparring") as unknown,
	});
	git(user, "branch", "-m", "sparring", "sparring/r1/limiter/below");
	expect(await refsInTheWay(repository, [ref])).toEqual([`${ref}/below`]);
	expect(await refsInTheWay(repository, [`${ref}/below`])).toEqual([`${ref}/below`]);
});

thorough("a ref that cannot be written is a fault, not a lost race", async () => {
	const { user, repository, first } = await twoCommits();
	writeFileSync(join(user, ".git/refs/tags/x.lock"), "");
	const move = { ref: "refs/tags/x", to: first, from: null };
	await expect(moveRef(repository, move)).rejects.toMatchObject({
		code: "git-failed",
		retryable: true,
	});
	const unnamed = { ref: "refs/heads/a..b", to: first, from: null };
	await expect(moveRef(repository, unnamed)).rejects.toMatchObject({ code: "git-failed" });
});

describe("a branch that is checked out", () => {
	/** A user who stands on the branch at `first`, in the main worktree or in a linked one. */
	async function onBranch(linked: boolean) {
		const set = await twoCommits();
		git(set.user, "branch", "sparring/r1/limiter", set.first);
		const root = linked ? join(scratchDirectory(), "it's linked") : set.user;
		if (linked) git(set.user, "worktree", "add", "-q", root, "sparring/r1/limiter");
		else git(root, "switch", "-q", "sparring/r1/limiter");
		const move = { ref, from: set.first, to: set.second };
		return { ...set, root, move, tip: () => git(set.user, "rev-parse", ref) };
	}

	test.each(spread([false, true], 1))(
		"moves its clean worktree along (linked: %s)",
		async (linked) => {
			const { repository, root, move, second, tip } = await onBranch(linked);
			writeFileSync(join(root, "notes"), "mine");
			const kept = { ref: "refs/sparring/r1/limiter/turn-2", from: null, to: second };
			expect(await moveRefs(repository, [move, kept])).toBe(true);
			expect(tip()).toBe(second);
			expect(await readRef(repository, kept.ref)).toBe(second);
			expect(git(root, "status", "--porcelain")).toBe("?? notes");
			expect(await moveRefs(repository, [move])).toBe(false);
		},
	);

	test.each(spread([false, true], 1))(
		"refuses over changes, names the way out, and moves no other ref (linked: %s)",
		async (linked) => {
			const { repository, root, move, first, second, tip } = await onBranch(linked);
			writeFileSync(join(root, "b"), "mine");
			const kept = { ref: "refs/sparring/r1/limiter/turn-2", from: null, to: second };
			const word = linked ? `'${root.replace("'", "'\\''")}'` : root;
			await expect(moveRefs(repository, [kept, move])).rejects.toMatchObject({
				code: "checkout-dirty",
				message: `the checkout of sparring/r1/limiter in ${root} has changes in the way: "b"`,
				hint: expect.stringMatching(/spar resume r1$/) as unknown,
			});
			const hint = await moveRefs(repository, [kept, move]).catch((error: Fault) => error.hint);
			// The main worktree stands on main, so git would not switch a linked one to it.
			expect(hint).toContain(`git -C ${word} switch ${linked ? "--detach" : "main"}\``);
			expect(tip()).toBe(first);
			expect(await readRef(repository, kept.ref)).toBeUndefined();
			execFileSync("sh", ["-c", `git -C ${word} stash -u && git -C ${word} switch --detach`], {
				env: {
					PATH: "/usr/local/bin:/usr/bin:/bin",
					GIT_COMMITTER_NAME: "A",
					GIT_COMMITTER_EMAIL: "a@b.c",
				},
				stdio: "ignore",
			});
			expect(await moveRefs(repository, [kept, move])).toBe(true);
		},
	);

	thorough("is not deleted, not created under a HEAD, and not moved back", async () => {
		const { user, repository, move, first, second, tip } = await onBranch(false);
		await expect(deleteRef(repository, ref, first)).rejects.toMatchObject({
			code: "branch-in-use",
			message: `sparring/r1/limiter is checked out in ${user}, so it is not deleted`,
		});
		expect(await moving.keepsBranches(repository, [ref], way)).toContain("switch main");
		expect(await moveRef(repository, move)).toBe(true);
		const back = { ref, from: second, to: first };
		await expect(moveRef(repository, back)).rejects.toMatchObject({ code: "branch-in-use" });
		expect(tip()).toBe(second);
		git(user, "update-ref", "-d", ref);
		const made = { ref, from: null, to: first };
		await expect(moveRef(repository, made)).rejects.toMatchObject({ code: "branch-in-use" });
	});

	thorough(
		"does not move in two worktrees, in a missing or locked one, or during a rebase",
		async () => {
			const { user, repository, root, move, first, tip } = await onBranch(true);
			git(user, "switch", "-q", "--ignore-other-worktrees", "sparring/r1/limiter");
			await expect(moveRef(repository, move)).rejects.toThrow(/and in .* too/);
			git(user, "switch", "-q", "main");
			git(user, "worktree", "lock", root);
			rmSync(root, { recursive: true });
			await expect(moveRef(repository, move)).rejects.toMatchObject({
				code: "branch-in-use",
				hint: expect.stringContaining("git worktree prune") as unknown,
			});
			git(user, "worktree", "unlock", root);
			git(user, "worktree", "prune");
			git(user, "switch", "-q", "sparring/r1/limiter");
			git(user, "bisect", "start");
			await expect(moveRef(repository, move)).rejects.toMatchObject({
				code: "branch-in-use",
				hint: expect.stringContaining(`git -C ${user} bisect reset`) as unknown,
			});
			await expect(moving.requireFree(repository, ["sparring/r1/limiter"], way)).rejects.toThrow(
				"a git bisect is in progress",
			);
			expect(tip()).toBe(first);
		},
	);

	thorough("a move that would fail is known before, and nothing has moved", async () => {
		const { repository, root, move, first, second, tip } = await onBranch(false);
		expect(await moving.couldMove(repository, [move], way)).toBe(true);
		expect(await moving.couldMove(repository, [{ ref, from: second, to: first }], way)).toBe(false);
		writeFileSync(join(root, "b"), "in the way");
		await expect(moving.couldMove(repository, [move], way)).rejects.toThrow('"b"');
		expect(tip()).toBe(first);
	});
});

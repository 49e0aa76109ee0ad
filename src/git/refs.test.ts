import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	deleteRef,
	listRefs,
	moveRef,
	moveRefs,
	readRef,
	refsInTheWay,
	removeStaleLocks,
} from "./refs.ts";
import { openRepository } from "./repository.ts";
import { commitAll, git, userRepository } from "./scratch.contract.ts";

async function twoCommits() {
	const user = userRepository();
	const first = git(user, "rev-parse", "HEAD");
	writeFileSync(join(user, "b"), "b");
	const second = commitAll(user);
	return { user, first, second, repository: await openRepository(user) };
}

const ref = "refs/heads/sparring/r1/limiter";

test("a ref moves only from where it should stand", async () => {
	const { user, repository, first, second } = await twoCommits();
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

test("several refs move together or not at all", async () => {
	const { repository, first, second } = await twoCommits();
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

test("a lock that a killed git left on a ref of the run stops nobody, and no other lock is touched", async () => {
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
});

test("a branch whose name is a folder of ours, or below it, is in the way", async () => {
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

test("what cannot be written is a fault, not a lost race", async () => {
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

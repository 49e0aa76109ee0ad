import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { branchUses } from "./branch-use.ts";
import { openRepository, type Repository } from "./repository.ts";
import { commitAll, git, scratchDirectory, userRepository, writeFiles } from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";

const MAIN = "refs/heads/main";
const OTHER = "refs/heads/other";

/** A user's repository with a branch `other` whose file conflicts with that of `main`. */
function conflicting(): string {
	const user = userRepository({ a: "1" });
	git(user, "branch", "other");
	for (const [branch, text] of [
		["main", "2"],
		["other", "3"],
	] as const) {
		git(user, "switch", "-q", branch);
		writeFiles(user, { a: text });
		commitAll(user);
	}
	git(user, "switch", "-q", "main");
	return user;
}

/** A git command that stops at a conflict, as it does for a user. */
function stopped(cwd: string, ...args: string[]): void {
	expect(() => git(cwd, ...args)).toThrow();
}

const uses = (repository: Repository, ...refs: string[]) => branchUses(repository, new Set(refs));

thorough("only worktrees that have one of the branches are named, main and linked", async () => {
	const user = conflicting();
	const linked = join(scratchDirectory(), "with\nline");
	git(user, "worktree", "add", "-q", linked, "other");
	const repository = await openRepository(user);
	const clean = { present: true, attached: true, operation: null };
	expect(await uses(repository, MAIN)).toEqual([{ ref: MAIN, root: user, ...clean }]);
	expect(await uses(repository, OTHER)).toEqual([{ ref: OTHER, root: linked, ...clean }]);
	expect(await uses(repository, "refs/heads/mai")).toEqual([]);
	expect(await uses(repository)).toEqual([]);
	git(user, "switch", "-q", "--detach");
	expect(await uses(repository, MAIN)).toEqual([]);
	const fromLinked = await openRepository(linked);
	git(user, "switch", "-q", "main");
	expect(await uses(fromLinked, MAIN, OTHER)).toEqual([
		{ ref: MAIN, root: user, ...clean },
		{ ref: OTHER, root: linked, ...clean },
	]);
});

describe.each(["main", "linked"])("an operation in progress in a %s worktree is found", (kind) => {
	const place = async () => {
		const user = conflicting();
		if (kind === "main") return { cwd: user, repository: await openRepository(user) };
		git(user, "switch", "-q", "--detach");
		const cwd = join(scratchDirectory(), "linked");
		git(user, "worktree", "add", "-q", cwd, "main");
		return { cwd, repository: await openRepository(user) };
	};
	test.each<[string, string[], boolean]>([
		["rebase", ["rebase", "other"], false],
		["rebase", ["rebase", "--apply", "other"], false],
		["merge", ["merge", "other"], true],
		["cherry-pick", ["cherry-pick", "other"], true],
		["revert", ["revert", "--no-edit", "HEAD~1"], true],
	])("%s", async (operation, args, attached) => {
		const { cwd, repository } = await place();
		writeFiles(cwd, { a: "4" });
		commitAll(cwd);
		stopped(cwd, ...args);
		expect(await uses(repository, MAIN)).toEqual([
			{ ref: MAIN, root: cwd, present: true, attached, operation },
		]);
		git(cwd, operation, "--abort");
		expect(await uses(repository, MAIN)).toMatchObject([{ operation: null, attached: true }]);
	});

	thorough("bisect, and am, which stays on its branch", async () => {
		const { cwd, repository } = await place();
		git(cwd, "bisect", "start", "HEAD", "HEAD~1");
		expect(await uses(repository, MAIN)).toMatchObject([{ operation: "bisect" }]);
		git(cwd, "checkout", "-q", "--detach");
		expect(await uses(repository, MAIN)).toMatchObject([{ operation: "bisect", attached: false }]);
		git(cwd, "bisect", "reset");
		const patch = git(cwd, "format-patch", "-1", "other", "-o", scratchDirectory());
		stopped(cwd, "am", patch);
		expect(await uses(repository, MAIN)).toMatchObject([{ operation: "am", attached: true }]);
	});
});

test("a branch that a rebase will move at its end is in use", async () => {
	const user = conflicting();
	git(user, "branch", "middle");
	writeFiles(user, { b: "b" });
	commitAll(user);
	stopped(user, "rebase", "--update-refs", "other");
	const [use] = await uses(await openRepository(user), "refs/heads/middle");
	expect(use).toMatchObject({ operation: "rebase", attached: false });
});

test("a worktree that was deleted or moved without git is reported as missing", async () => {
	const user = conflicting();
	const linked = join(scratchDirectory(), "linked");
	git(user, "worktree", "add", "-q", linked, "other");
	const repository = await openRepository(user);
	renameSync(linked, `${linked}-moved`);
	expect(await uses(repository, OTHER)).toMatchObject([{ root: linked, present: false }]);
	git(user, "worktree", "repair", `${linked}-moved`);
	expect(await uses(repository, OTHER)).toMatchObject([{ present: true }]);
	rmSync(`${linked}-moved`, { recursive: true });
	git(user, "worktree", "prune");
	expect(await uses(repository, OTHER)).toEqual([]);
});

test("the HEAD of a bare repository is not a checkout", async () => {
	const user = conflicting();
	const bare = join(scratchDirectory(), "bare.git");
	const linked = join(scratchDirectory(), "linked");
	git(user, "clone", "-q", "--bare", user, bare);
	git(bare, "worktree", "add", "-q", linked, "other");
	const repository = await openRepository(linked);
	expect(await uses(repository, MAIN)).toEqual([]);
	expect(await uses(repository, OTHER)).toMatchObject([{ root: linked, attached: true }]);
});

thorough("the work tree of a submodule is found from a worktree that is linked to it", async () => {
	const user = userRepository();
	git(user, "submodule", "add", "-q", conflicting(), "lib");
	const linked = join(scratchDirectory(), "linked");
	git(join(user, "lib"), "worktree", "add", "-q", "-b", "mine", linked);
	expect(await uses(await openRepository(linked), MAIN)).toMatchObject([
		{ root: join(user, "lib"), present: true, attached: true },
	]);
});

test("a HEAD that is a link, and one that only git can read", async () => {
	const user = conflicting();
	const repository = await openRepository(user);
	const head = join(user, ".git/HEAD");
	unlinkSync(head);
	symlinkSync(MAIN, head);
	expect(await uses(repository, MAIN)).toMatchObject([{ root: user, attached: true }]);
	unlinkSync(head);
	const linked = join(scratchDirectory(), "linked");
	const broken = join(scratchDirectory(), "broken");
	writeFiles(user, { ".git/HEAD": `ref: ${MAIN}\n` });
	for (const tree of [linked, broken]) git(user, "worktree", "add", "-q", "--detach", tree);
	const unread = "ref: refs/heads/.invalid\n";
	for (const place of [".git", ".git/worktrees/linked", ".git/worktrees/broken"])
		writeFiles(user, { [`${place}/HEAD`]: unread });
	const bin = join(scratchDirectory(), "bin");
	mkdirSync(bin);
	// Each worktree has its own; git cannot tell that of one that was not finished.
	const answers = `*broken*) exit 128;; *linked*) echo ${OTHER};; *) echo ${MAIN};;`;
	writeFiles(bin, { git: `#!/bin/sh\ncase "$GIT_DIR $*" in ${answers} esac\n` });
	chmodSync(join(bin, "git"), 0o755);
	const host = { ...standardHost, path: [bin, standardHost.path].join(delimiter) };
	expect(await uses({ ...repository, host }, MAIN)).toMatchObject([{ root: user, attached: true }]);
	expect(await uses({ ...repository, host }, OTHER)).toMatchObject([
		{ root: linked, attached: true },
	]);
});

test("a worktree on another name of a branch has that branch too", async () => {
	const user = userRepository({ a: "1" });
	git(user, "symbolic-ref", "refs/heads/trunk", MAIN);
	git(user, "symbolic-ref", "HEAD", "refs/heads/trunk");
	const repository = await openRepository(user);
	const [use] = await uses(repository, MAIN);
	expect(use).toMatchObject({ ref: MAIN, root: user, attached: true });
});

test("a clone that stands where a worktree was is not that worktree", async () => {
	const user = userRepository({ a: "1" });
	git(user, "branch", "other");
	const linked = join(scratchDirectory(), "linked");
	git(user, "worktree", "add", "-q", linked, "other");
	rmSync(linked, { recursive: true });
	git(user, "clone", "-q", user, linked);
	const repository = await openRepository(user);
	expect(await uses(repository, OTHER)).toMatchObject([{ root: linked, present: false }]);
});

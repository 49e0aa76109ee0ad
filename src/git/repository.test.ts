import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import type { Fault } from "../kernel/fault.ts";
import {
	branchExists,
	dirtyPaths,
	openRepository,
	requireVersion,
	resolveCommit,
} from "./repository.ts";
import { runGit } from "./run-git.ts";
import { commitAll, git, scratchDirectory, userRepository, writeFiles } from "./scratch.fixture.ts";
import { submodulesAt } from "./submodules.ts";

afterEach(() => {
	vi.unstubAllEnvs();
});

test("a repository opens from a subfolder, also through a link", async () => {
	const user = userRepository({ "src/deep/a": "a" });
	const link = join(scratchDirectory(), "link");
	symlinkSync(user, link);
	const repository = await openRepository(join(link, "src/deep"));
	expect(repository).toMatchObject({
		root: user,
		gitDir: join(user, ".git"),
		commonDir: join(user, ".git"),
		objectsDir: join(user, ".git/objects"),
		objectFormat: "sha1",
		headBranch: "main",
		headCommit: git(user, "rev-parse", "HEAD"),
		shallow: false,
	});
});

test("spaces, line ends, quotes and non-ASCII letters in the path work", async () => {
	const dir = join(scratchDirectory(), 'a b\n"ü"\n');
	mkdirSync(dir);
	git(dir, "init", "-q");
	writeFileSync(join(dir, "a"), "a");
	commitAll(dir);
	expect((await openRepository(dir)).root).toBe(dir);
});

test("a linked work tree has a git directory of its own, and shares the other one", async () => {
	const user = userRepository();
	const linked = join(scratchDirectory(), "linked");
	git(user, "worktree", "add", "-q", "-b", "other", linked);
	expect(await openRepository(linked)).toMatchObject({
		root: linked,
		gitDir: join(user, ".git/worktrees/linked"),
		commonDir: join(user, ".git"),
		objectsDir: join(user, ".git/objects"),
		headBranch: "other",
	});
});

test("the caller's environment has no effect", async () => {
	const user = userRepository();
	vi.stubEnv("GIT_DIR", "/nowhere");
	vi.stubEnv("GIT_WORK_TREE", "/nowhere");
	vi.stubEnv("GIT_INDEX_FILE", "/nowhere");
	expect((await openRepository(user)).root).toBe(user);
});

test("a detached HEAD has no branch, and neither has one that is a ref of another kind", async () => {
	const user = userRepository();
	git(user, "checkout", "-q", "--detach");
	expect((await openRepository(user)).headBranch).toBeNull();
	git(user, "update-ref", "refs/other/one", "HEAD");
	git(user, "symbolic-ref", "HEAD", "refs/other/one");
	expect((await openRepository(user)).headBranch).toBeNull();
	// With a branch of that name git says less in one answer.
	git(user, "update-ref", "refs/heads/HEAD", "HEAD");
	expect((await openRepository(user)).headBranch).toBeNull();
});

thorough(
	"a line end in the path and a branch named HEAD at once do not shift what git says",
	async () => {
		const user = userRepository();
		const linked = join(scratchDirectory(), "wt\nnl");
		git(user, "worktree", "add", "-q", "-b", "other", linked);
		git(user, "update-ref", "refs/heads/HEAD", "HEAD");
		expect(await openRepository(linked)).toMatchObject({
			root: linked,
			objectsDir: join(user, ".git/objects"),
			headBranch: "other",
			headCommit: git(user, "rev-parse", "refs/heads/other"),
		});
	},
);

thorough("a submodule's work tree is a repository", async () => {
	const user = userRepository();
	git(user, "submodule", "add", "-q", userRepository(), "li b");
	commitAll(user);
	const repository = await openRepository(user);
	expect(await submodulesAt(repository, repository.headCommit)).toEqual(["li b"]);
	const inner = await openRepository(join(user, "li b"));
	expect(inner).toMatchObject({
		root: join(user, "li b"),
		commonDir: join(user, ".git/modules/li b"),
	});
});

thorough("a directory that is not a repository is refused with a hint", async () => {
	const dir = scratchDirectory();
	const expectFault = async (cwd: string, code: string, words: RegExp) => {
		await expect(openRepository(cwd)).rejects.toMatchObject({
			code,
			message: expect.stringMatching(words) as unknown,
			hint: expect.stringMatching(/./) as unknown,
		});
	};
	await expectFault(dir, "not-a-repository", /not inside a git repository/);
	await expectFault(join(dir, "missing"), "not-a-repository", /cannot be read/);
	writeFileSync(join(dir, "file"), "");
	await expectFault(join(dir, "file"), "not-a-repository", /not a directory/);
	git(dir, "init", "-q", "--bare", "bare");
	await expectFault(join(dir, "bare"), "repository-unsuitable", /bare/);
	git(dir, "init", "-q", "young");
	await expectFault(join(dir, "young"), "repository-unsuitable", /no commits/);
	await expectFault(join(dir, "young/.git"), "not-a-repository", /git directory/);
	const damaged = userRepository();
	const head = git(damaged, "rev-parse", "HEAD");
	rmSync(join(damaged, ".git/objects", head.slice(0, 2), head.slice(2)));
	await expectFault(damaged, "repository-unsuitable", new RegExp(`HEAD, ${head}, cannot be read`));
	const user = userRepository();
	git(user, "config", "remote.origin.promisor", "true");
	await expectFault(user, "repository-unsuitable", /partial clone/);
	git(user, "config", "remote.origin.promisor", "false");
	expect((await openRepository(user)).root).toBe(user);
	writeFileSync(join(user, ".git/config"), "[damaged");
	await expectFault(user, "git-failed", /config/);
});

thorough(
	"a branch of a run whose commit cannot be read is left by the commands that the hint names",
	async () => {
		const dir = userRepository();
		const branch = git(dir, "branch", "--show-current");
		git(dir, "switch", "-q", "-c", "sparring/one/integration");
		git(dir, "commit", "-q", "--allow-empty", "-m", "merged");
		const head = git(dir, "rev-parse", "HEAD");
		rmSync(join(dir, ".git/objects", head.slice(0, 2), head.slice(2)));
		const { hint } = await openRepository(dir).then(
			() => new Error("opened") as Fault,
			(fault: Fault) => fault,
		);
		expect(hint).toContain("git symbolic-ref HEAD refs/heads/YOUR-BRANCH && git reset");
		git(dir, "symbolic-ref", "HEAD", `refs/heads/${branch}`);
		git(dir, "reset", "-q");
		expect((await openRepository(dir)).root).toBe(dir);
	},
);

test("another user's repository is refused with a hint", async () => {
	const dir = scratchDirectory();
	const words = "fatal: detected dubious ownership in repository at 'x'";
	const script = `#!/bin/sh\ncase "$*" in *version) echo git version 2.40;; *) echo "${words}" >&2; exit 128;; esac\n`;
	writeFileSync(join(dir, "git"), script, { mode: 0o755 });
	const host = { path: `${dir}:/usr/bin:/bin`, home: dir };
	await expect(openRepository(dir, host)).rejects.toMatchObject({
		code: "repository-unsuitable",
		hint: expect.stringContaining("safe.directory") as unknown,
	});
});

test("an old git and a missing one are refused", async () => {
	expect(() => requireVersion("git version 2.37.9")).toThrow(/too old; Sparring needs 2\.38/);
	expect(() => requireVersion("git version 1.99")).toThrow(/too old/);
	for (const words of ["git version 2.38.0", "git version 3.0 (x)", "unknown"])
		requireVersion(words);
	const user = userRepository();
	const host = { path: "/nowhere", home: "/" };
	await expect(openRepository(user, host)).rejects.toMatchObject({ code: "program-missing" });
	const old = { path: scratchDirectory(), home: "/" };
	writeFileSync(join(old.path, "git"), "#!/bin/sh\necho git version 2.37.1\n", { mode: 0o755 });
	await expect(openRepository(user, old)).rejects.toMatchObject({ code: "git-too-old" });
});

thorough("names resolve to commits, branches first", async () => {
	const user = userRepository();
	const first = git(user, "rev-parse", "HEAD");
	writeFiles(user, { b: "b" });
	const second = commitAll(user);
	git(user, "branch", "both", first);
	git(user, "tag", "-a", "-m", "t", "both", second);
	const repository = await openRepository(user);
	expect(await resolveCommit(repository, "both")).toBe(first);
	expect(await resolveCommit(repository, "refs/tags/both")).toBe(second);
	expect(await resolveCommit(repository, "HEAD~1")).toBe(first);
	for (const rev of ["", "none", "-x", "--all", "a b", "a\nb", "HEAD:b"]) {
		expect(await resolveCommit(repository, rev), rev).toBeUndefined();
	}
	expect(await branchExists(repository, "both")).toBe(true);
	for (const name of ["", "HEAD", "a\nb", "no ne"])
		expect(await branchExists(repository, name)).toBe(false);
});

test("only tracked changes make a work tree dirty, staged or not", async () => {
	const user = userRepository({ "a b": "a", c: "c" });
	const repository = await openRepository(user);
	writeFiles(user, { untracked: "" });
	expect(await dirtyPaths(repository)).toEqual([]);
	writeFiles(user, { "a b": "changed", new: "" });
	git(user, "add", "new");
	rmSync(join(user, "c"));
	expect(await dirtyPaths(repository)).toEqual(["a b", "c", "new"]);
});

test("a full disk has its own fault", async () => {
	const dir = scratchDirectory();
	writeFileSync(
		join(dir, "git"),
		"#!/bin/sh\necho 'fatal: No space left on device' >&2\nexit 128\n",
		{ mode: 0o755 },
	);
	const place = {
		host: { path: `${dir}:/bin:/usr/bin`, home: dir },
		configuration: "sealed",
		cwd: dir,
	} as const;
	const query = { args: ["add"], stdin: "x".repeat(1_000_000), parse: () => undefined };
	await expect(runGit(place, query)).rejects.toMatchObject({ code: "disk-full" });
});

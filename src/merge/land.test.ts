import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { commitMerge, type MergeCommit } from "../git/merging.ts";
import { protectBranch } from "../git/remote-scene.fixture.ts";
import { openRepository, type Repository } from "../git/repository.ts";
import {
	commitAll,
	git,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "../git/scratch.fixture.ts";
import { openVault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { type Landing, land, landable } from "./land.ts";
import { type LandingBranches, localBranches, remoteBranches } from "./landing-branches.ts";

const here = (repository: Repository): LandingBranches =>
	localBranches(repository, { runId: "r1", base: "main" });

const onOrigin = (repository: Repository): LandingBranches => {
	const run = { runId: "r1", base: "main", integration: "work" };
	const reach = { remote: "origin", env: {} };
	return remoteBranches(repository, reach, { ...run, requireLease: () => Promise.resolve() });
};

/** A run's work on branch `work` beside `main`, which is checked out. */
async function landing(
	rest: Partial<Landing> = {},
	branchesOf: (repository: Repository) => LandingBranches = here,
): Promise<{
	readonly dir: string;
	readonly tip: string;
	readonly land: () => ReturnType<typeof land>;
	readonly propose: () => ReturnType<typeof landable>;
}> {
	const dir = userRepository({ "a.txt": "a\n", "b.txt": "b\n" });
	git(dir, "switch", "-q", "-c", "work");
	writeFiles(dir, { "a.txt": "done\n" });
	const tip = commitAll(dir, "work");
	git(dir, "switch", "-q", "main");
	const repository = await openRepository(dir);
	const vault = await openVault(repository, scratchDirectory());
	const all = {
		branches: branchesOf(repository),
		vault,
		runId: "r1",
		base: "main",
		integration: "work",
		at: 0,
		write: (commit: MergeCommit) => commitMerge(vault, commit),
		lostMerge: () => Promise.resolve(null),
		isTested: () => Promise.resolve(true),
		checkCold: () => Promise.resolve(null),
		onBaseMerged: () => Promise.resolve(),
		...rest,
	};
	return { dir, tip, land: () => land(all), propose: () => landable(all) };
}

const red = () => Promise.resolve("tests failed");

thorough("tested work lands as it is, once", async () => {
	const { dir, tip, land: landed } = await landing({ checkCold: red });
	expect(await landed()).toEqual({ outcome: "landed", commit: tip });
	expect(git(dir, "rev-parse", "main")).toBe(tip);
	git(dir, "commit", "-q", "--allow-empty", "-m", "more");
	expect(await landed()).toMatchObject({ outcome: "already_landed" });
});

thorough(
	"a commit that the run did not test is checked first, and a red one stays outside",
	async () => {
		const untested = { isTested: () => Promise.resolve(false) };
		const { dir, land: refused } = await landing({ ...untested, checkCold: red });
		const before = git(dir, "rev-parse", "main");
		expect(await refused()).toMatchObject({
			outcome: "refused",
			reason:
				"work contains a commit that this run did not test, and tests failed. If the cause is not in the code, remove it and run `spar land r1`. Else fix it by hand: run `git switch work`, make the checks pass, then run `git commit --all`, `git switch -` and `spar land r1`. The result is checked before it lands",
		});
		expect(git(dir, "rev-parse", "main")).toBe(before);
		const green = await landing(untested);
		expect(await green.land()).toEqual({ outcome: "landed", commit: green.tip });
	},
);

test("what is red is proposed no more than it lands, and goes out the same way after the fix", async () => {
	const isTested = () => Promise.resolve(false);
	const { tip, propose } = await landing({ isTested, checkCold: red });
	const { commit, red: why } = await propose();
	expect(commit).toBe(tip);
	expect(why).toMatch(/`git commit --all`, `git switch -` and `spar land r1 --pr`\. The result/);
});

test("a base that moved is brought in and checked; a conflict is refused with its files", async () => {
	const { dir, land: landed } = await landing();
	writeFiles(dir, { "b.txt": "moved\n" });
	commitAll(dir, "moved");
	expect(await landed()).toMatchObject({ outcome: "landed" });
	expect(git(dir, "show", "main:a.txt", "main:b.txt")).toBe("done\nmoved");

	const other = await landing();
	writeFiles(other.dir, { "a.txt": "mine\n" });
	const mine = commitAll(other.dir, "mine");
	const refused = await other.land();
	expect(refused.outcome).toBe("refused");
	expect(JSON.stringify(refused)).toContain("it conflicts with the run's work in: a.txt");
	expect(git(other.dir, "rev-parse", "main", "work")).toBe(`${mine}\n${other.tip}`);
});

thorough("together with a base that moved the work may be red: nothing lands", async () => {
	const { dir, tip, land: refused } = await landing({ checkCold: red });
	writeFiles(dir, { "b.txt": "moved\n" });
	const moved = commitAll(dir, "moved");
	expect(await refused()).toMatchObject({ outcome: "refused" });
	expect(git(dir, "rev-parse", "main", "work")).toBe(`${moved}\n${tip}`);
});

thorough("a base whose history was replaced is refused with what can be done", async () => {
	const { dir, tip, land: refused } = await landing();
	git(dir, "checkout", "-q", "--orphan", "other");
	const other = commitAll(dir, "another history");
	git(dir, "branch", "-q", "-M", "other", "main");
	expect(await refused()).toEqual({
		outcome: "refused",
		reason:
			"main has no commit in common with work: its history was replaced. Bring the work over by hand (git cherry-pick), or put the old history back",
	});
	expect(git(dir, "rev-parse", "main", "work")).toBe(`${other}\n${tip}`);
});

thorough("a base that its remote protects is refused with what can be done", async () => {
	const { dir, land: refused } = await landing({}, onOrigin);
	const origin = join(scratchDirectory(), "origin.git");
	git(dir, "clone", "-q", "--bare", ".", origin);
	git(dir, "remote", "add", "origin", origin);
	protectBranch(origin, "main");
	const before = git(origin, "rev-parse", "main", "work");
	expect(await refused()).toEqual({
		outcome: "refused",
		reason: expect.stringMatching(
			/^origin did not take main: .*main is protected.*\. If main is protected on origin, open a pull request \(spar land r1 --pr\)/,
		) as unknown,
	});
	expect(git(origin, "rev-parse", "main", "work")).toBe(before);
});

thorough(
	"a push that is refused while another one is under way is tried again by whoever lands",
	async () => {
		const busy = new Fault("main is locked", { code: "push-refused", retryable: true });
		const { land: landed } = await landing({}, (repository) => ({
			...here(repository),
			move: () => Promise.reject(busy),
		}));
		await expect(landed()).rejects.toBe(busy);
	},
);

test.each([
	[
		"a".repeat(40),
		`Put it back with \`git branch -f work ${"a".repeat(40)}\`, then run \`spar land r1\`.`,
	],
	[
		null,
		"main seems to hold what the run merged. If not, restore the branch from the reflog (git reflog).",
	],
])("an integration branch that is gone has a way out; the last merge is %s", async (lost, hint) => {
	const { dir, land: refused } = await landing({ lostMerge: () => Promise.resolve(lost) });
	git(dir, "branch", "-q", "-D", "work");
	await expect(refused()).rejects.toMatchObject({
		code: "nothing-to-land",
		message: "the integration branch work does not exist",
		hint,
	});
});

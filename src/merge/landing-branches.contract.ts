import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { commitMerge } from "../git/merging.ts";
import { type Files, git } from "../git/scratch.fixture.ts";
import type { Vault } from "../git/vault.ts";
import { type Landed, type Landing, land } from "./land.ts";
import type { LandingBranches } from "./landing-branches.ts";

/** Branch `work` with one commit beside `main`: it wrote `done` to `a.txt`; `main` also has `b.txt`. */
export interface LandingScene {
	readonly branches: LandingBranches;
	readonly vault: Vault;
	/** The repository in which the landing works. */
	readonly clone: string;
	/** The repository whose branches count. */
	readonly home: string;
	/** The commit of `work`. */
	readonly tip: string;
	/** Somebody else commits to `main`. */
	readonly moveBase: (files: Files) => string;
}

/**
 * The rules of the port `LandingBranches`, alone and as part of a landing, which each adapter's test runs.
 *
 * @param rule registers the scenes of a landing that another adapter plays too
 */
export function describeLandingBranches(
	name: string,
	open: () => Promise<LandingScene>,
	rule: (title: string, scene: () => Promise<void>) => void = test,
): void {
	describe(name, () => {
		const begin = async () => {
			const scene = await open();
			const at = (branch: string): string => git(scene.home, "rev-parse", branch);
			const landed = (rest: Partial<Landing> = {}): Promise<Landed> =>
				land({ ...landingOf(scene), ...rest });
			return { ...scene, at, landed, base: at("main") };
		};

		thorough(
			"a branch stands where it does in its home, with its history here; one that is not there stands nowhere",
			async () => {
				const { branches, clone, base, tip, moveBase } = await begin();
				expect(await branches.tip("main")).toBe(base);
				expect(await branches.tip("work")).toBe(tip);
				expect(await branches.tip("none")).toBeUndefined();
				const moved = moveBase({ "b.txt": "moved\n" });
				expect(await branches.tip("main")).toBe(moved);
				expect(git(clone, "rev-list", "--count", moved, `^${base}`)).toBe("1");
			},
		);

		test("all branches move or none does, each only from where it was expected", async () => {
			const { branches, at, base, tip } = await begin();
			const forward = { branch: "main", from: base, to: tip };
			const stale = { branch: "work", from: base, to: base };
			await branches.requireFree(["main", "work"]);
			expect(await branches.tip("work")).toBe(tip);
			expect(await branches.move([forward, stale])).toBe(false);
			expect([at("main"), at("work")]).toEqual([base, tip]);
			expect(await branches.couldMove([forward])).toBe(true);
			expect(at("main")).toBe(base);
			expect(await branches.move([forward])).toBe(true);
			expect(at("main")).toBe(tip);
		});

		thorough("a commit that is kept outlives git's own tidying", async () => {
			const { branches, clone, tip } = await begin();
			await branches.tip("work");
			const commit = git(clone, "commit-tree", "-p", tip, "-m", "merge", `${tip}^{tree}`);
			const other = git(clone, "commit-tree", "-p", tip, "-m", "other", `${tip}^{tree}`);
			await branches.keep(commit);
			git(clone, "gc", "-q", "--prune=now");
			expect(git(clone, "cat-file", "-t", commit)).toBe("commit");
			expect(() => git(clone, "cat-file", "-t", other)).toThrow("could not get object info");
		});

		rule("tested work lands as it is, once", async () => {
			const { landed, at, tip, moveBase } = await begin();
			expect(await landed({ checkCold: red })).toEqual({ outcome: "landed", commit: tip });
			expect(at("main")).toBe(tip);
			const more = moveBase({ "c.txt": "c\n" });
			expect(await landed()).toEqual({ outcome: "already_landed", commit: more });
		});

		rule(
			"a base that moved is merged in and checked, then both branches move to that commit",
			async () => {
				const { landed, at, home, moveBase } = await begin();
				const moved = moveBase({ "b.txt": "moved\n" });
				const checked: string[] = [];
				const told: string[] = [];
				const result = await landed({
					checkCold: (commit) => {
						checked.push(commit);
						expect(at("main")).toBe(moved);
						return Promise.resolve(null);
					},
					onBaseMerged: (commit) => {
						told.push(commit);
						return Promise.resolve();
					},
				});
				expect(result).toEqual({ outcome: "landed", commit: at("main") });
				expect([checked, told, at("work")]).toEqual([[at("main")], [at("main")], at("main")]);
				expect(git(home, "show", "main:a.txt", "main:b.txt")).toBe("done\nmoved");
			},
		);

		thorough(
			"what is red together with a base that moved, or conflicts with it, does not land",
			async () => {
				const { landed, at, tip, moveBase } = await begin();
				const moved = moveBase({ "b.txt": "moved\n" });
				const refused = await landed({ checkCold: red });
				expect(refused.outcome).toBe("refused");
				expect(JSON.stringify(refused)).toMatch(
					/"main.* has moved since the run began, and merged with the run's work, tests failed\. /,
				);
				expect(JSON.stringify(refused)).toMatch(
					/`git switch work`.* `git merge --no-edit .*main`, make the checks pass, .*`spar land \w+`/,
				);
				const mine = moveBase({ "a.txt": "mine\n" });
				const conflict = await landed();
				expect(conflict.outcome).toBe("refused");
				expect(JSON.stringify(conflict)).toContain("it conflicts with the run's work in: a.txt");
				expect([at("main"), at("work")]).toEqual([mine, tip]);
				expect(mine).not.toBe(moved);
			},
		);

		test("a base that moves while the merge is checked refuses the landing, and the next one takes it in", async () => {
			const { landed, at, home, moveBase, tip } = await begin();
			moveBase({ "b.txt": "moved\n" });
			const again = landed({
				checkCold: () => {
					moveBase({ "c.txt": "again\n" });
					return Promise.resolve(null);
				},
			});
			await expect(again).rejects.toMatchObject({ code: "base-moved", retryable: true });
			expect(at("work")).toBe(tip);
			expect(await landed()).toMatchObject({ outcome: "landed" });
			expect(git(home, "show", "main:a.txt", "main:b.txt", "main:c.txt")).toBe(
				"done\nmoved\nagain",
			);
		});
	});
}

const red = () => Promise.resolve("tests failed");

function landingOf({ branches, vault }: LandingScene): Landing {
	return {
		branches,
		vault,
		runId: "r1",
		base: "main",
		integration: "work",
		at: 0,
		write: (commit) => commitMerge(vault, commit),
		lostMerge: () => Promise.resolve(null),
		isTested: () => Promise.resolve(true),
		checkCold: () => Promise.resolve(null),
		onBaseMerged: () => Promise.resolve(),
	};
}

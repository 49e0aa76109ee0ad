import { expect } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openRepository } from "../git/repository.ts";
import {
	commitAll,
	git,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "../git/scratch.fixture.ts";
import { openVault } from "../git/vault.ts";
import { describeLandingBranches, type LandingScene } from "./landing-branches.contract.ts";
import { localBranches } from "./landing-branches.ts";

/** `main` is checked out. */
async function open(): Promise<LandingScene> {
	const dir = userRepository({ "a.txt": "a\n", "b.txt": "b\n" });
	git(dir, "switch", "-q", "-c", "work");
	writeFiles(dir, { "a.txt": "done\n" });
	const tip = commitAll(dir, "work");
	git(dir, "switch", "-q", "main");
	const repository = await openRepository(dir);
	return {
		branches: localBranches(repository, { runId: "r1", base: "main" }),
		vault: await openVault(repository, scratchDirectory()),
		clone: dir,
		home: dir,
		tip,
		moveBase: (files) => {
			writeFiles(dir, files);
			return commitAll(dir, "moved");
		},
	};
}

describeLandingBranches("branches of this repository", open);

thorough("a worktree moves with its branch, and its changes are in the way", async () => {
	const { branches, clone, tip } = await open();
	const moves = [{ branch: "main", from: git(clone, "rev-parse", "main"), to: tip }];
	writeFiles(clone, { "a.txt": "mine\n" });
	await expect(branches.couldMove(moves)).rejects.toMatchObject({
		code: "checkout-dirty",
		hint: expect.stringContaining("spar land r1") as unknown,
	});
	git(clone, "checkout", "-q", "--", "a.txt");
	expect(await branches.move(moves)).toBe(true);
	expect(git(clone, "status", "--porcelain")).toBe("");
	expect(git(clone, "show", "HEAD:a.txt")).toBe("done");
});

import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { protectBranch, refsOf, remoteScene } from "../git/remote-scene.fixture.ts";
import { openRepository } from "../git/repository.ts";
import { commitAll, git, scratchDirectory, writeFiles } from "../git/scratch.fixture.ts";
import { openVault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { describeLandingBranches, type LandingScene } from "./landing-branches.contract.ts";
import { remoteBranches } from "./landing-branches.ts";

const held = new Fault("taken over", { code: "lease-lost" });

/** The run's work was pushed from `two`; `one` lands it, and has seen nothing of it. */
async function open(requireLease = () => Promise.resolve()): Promise<LandingScene> {
	const { remote, one, two, reach } = remoteScene();
	git(two, "switch", "-q", "-c", "work");
	writeFiles(two, { "a.txt": "done\n" });
	const tip = commitAll(two, "work");
	git(two, "push", "-q", "origin", "work");
	const repository = await openRepository(one);
	const landing = { runId: "r1", base: "main", integration: "work", requireLease };
	return {
		branches: remoteBranches(repository, reach, landing),
		vault: await openVault(repository, scratchDirectory()),
		clone: one,
		home: remote,
		tip,
		moveBase: (files) => {
			git(two, "switch", "-q", "main");
			git(two, "pull", "-q", "--ff-only", "origin", "main");
			writeFiles(two, files);
			const moved = commitAll(two, "moved");
			git(two, "push", "-q", "origin", "main");
			return moved;
		},
	};
}

describeLandingBranches("branches of a remote", open, thorough);

thorough("no branch of the clone takes part, however dirty its checkout is", async () => {
	const { branches, clone, home, tip } = await open();
	const before = refsOf(clone, "refs/heads/");
	writeFiles(clone, { "a.txt": "mine\n" });
	const from = await branches.tip("main");
	expect(await branches.tip("work")).toBe(tip);
	expect(await branches.move([{ branch: "main", from: from ?? "", to: tip }])).toBe(true);
	expect(git(home, "rev-parse", "main")).toBe(tip);
	expect(refsOf(clone, "refs/heads/")).toEqual(before);
	expect(refsOf(clone, "refs/sparring/")).toEqual([
		`refs/sparring/r1/integration/base ${from}`,
		`refs/sparring/r1/integration/tip ${tip}`,
	]);
	expect(git(clone, "status", "--porcelain")).toBe(" M a.txt");
});

test("a landing that was taken over pushes nothing", async () => {
	const { branches, home, tip } = await open(() => Promise.reject(held));
	const from = (await branches.tip("main")) ?? "";
	await branches.tip("work");
	await expect(branches.move([{ branch: "main", from, to: tip }])).rejects.toBe(held);
	expect(git(home, "rev-parse", "main")).toBe(from);
});

thorough(
	"a protected base is told with the ways out, and the integration branch stays as well",
	async () => {
		const { branches, clone, home, tip } = await open();
		protectBranch(home, "main");
		const from = (await branches.tip("main")) ?? "";
		await branches.tip("work");
		const to = git(clone, "commit-tree", "-p", tip, "-p", from, "-m", "merge", `${tip}^{tree}`);
		const moves = [
			{ branch: "work", from: tip, to },
			{ branch: "main", from, to },
		];
		await expect(branches.move(moves)).rejects.toMatchObject({
			code: "push-refused",
			retryable: false,
			message: expect.stringMatching(
				/^origin did not take main and 1 more: .*main is protected/,
			) as unknown,
			hint: expect.stringContaining("spar land r1 --pr") as unknown,
		});
		expect(git(home, "rev-parse", "main", "work")).toBe(`${from}\n${tip}`);
	},
);

thorough("a remote that is away can be asked again later", async () => {
	const { branches, home } = await open();
	renameSync(home, `${home}.away`);
	const away = { code: "remote-unreachable", retryable: true };
	await expect(branches.tip("main")).rejects.toMatchObject(away);
	await expect(branches.couldMove([])).resolves.toBe(true);
	renameSync(`${home}.away`, home);
	expect(await branches.tip("main")).toBe(git(home, "rev-parse", "main"));
});

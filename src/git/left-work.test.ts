import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { readFileAt } from "./changes.ts";
import { leftWork } from "./left-work.ts";
import {
	commitAll,
	git,
	type Scene,
	scene,
	scratchDirectory,
	writeFiles,
} from "./scratch.fixture.ts";

const look = ({ vault, dir, base }: Scene) => leftWork(vault, dir, base);
const told = async (at: Scene) => (await look(at)).map(({ kind, name }) => `${kind} ${name}`);

/** Commits on a branch of the agent's own, and goes back. */
function onBranch({ dir, base }: Scene, branch = "fix", file = "work.txt"): string {
	git(dir, "checkout", "-q", "-b", branch);
	writeFiles(dir, { [file]: "done" });
	const commit = commitAll(dir, "Fix it");
	git(dir, "checkout", "-q", "--detach", base);
	return commit;
}

function stash({ dir }: Scene, file = "stashed.txt"): string {
	writeFiles(dir, { [file]: "kept" });
	git(dir, "stash", "push", "-q", "-u", "-m", "for later");
	return git(dir, "rev-parse", "stash");
}

test("a checkout in which nobody committed holds no work", async () => {
	const at = await scene();
	writeFiles(at.dir, { "new.txt": "n" });
	expect(await look(at)).toEqual([]);
});

test("a branch that was left is found and its commit can be read from the user's objects", async () => {
	const at = await scene();
	const commit = onBranch(at);
	expect(await at.checkout.isUnchanged(at.base)).toBe(true);
	expect(await look(at)).toEqual([{ kind: "branch", name: "fix", commit }]);
	await at.checkout.remove();
	expect((await readFileAt(at.vault, commit, "work.txt"))?.toString()).toBe("done");
	expect(git(at.user, "fsck", "--strict", "--no-dangling")).toBe("");
	expect(git(at.user, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

thorough("stashes are found with their new files, the older ones too", async () => {
	const at = await scene();
	const commits = [stash(at, "one.txt"), stash(at, "two.txt")];
	const work = await look(at);
	expect(work).toEqual([
		{ kind: "stash", name: "On (no branch): for later", commit: commits[1] },
		{ kind: "stash", name: "On (no branch): for later", commit: commits[0] },
	]);
	await at.checkout.remove();
	expect(git(at.user, "show", `${commits[0]}^3:one.txt`)).toBe("kept");
});

thorough(
	"a branch, a stash, a deleted branch, a tag and a work tree are told once each; packed ones too",
	async () => {
		const at = await scene();
		onBranch(at);
		stash(at);
		onBranch(at, "gone", "gone.txt");
		git(at.dir, "branch", "-q", "-D", "gone");
		onBranch(at, "tagged", "tagged.txt");
		git(at.dir, "tag", "-a", "-m", "a tag", "v9", "tagged");
		git(at.dir, "branch", "-q", "-D", "tagged");
		const elsewhere = join(scratchDirectory(), "tree");
		git(at.dir, "worktree", "add", "-q", "--detach", elsewhere);
		writeFiles(elsewhere, { "tree.txt": "t" });
		commitAll(elsewhere, "In a work tree");
		const all = [
			"branch fix",
			"commit Fix it",
			"stash On (no branch): for later",
			"commit Fix it",
			"commit In a work tree",
		];
		expect((await told(at)).sort()).toEqual(all.sort());
		git(at.dir, "gc", "-q");
		expect((await told(at)).sort()).toEqual(all.sort());
	},
);

test("commits that add nothing are no work: empty ones, those of the start, those that were undone", async () => {
	const at = await scene();
	git(at.dir, "checkout", "-q", "-b", "empty");
	git(at.dir, "commit", "-q", "--allow-empty", "-m", "nothing");
	git(at.dir, "tag", "here", at.base);
	git(at.dir, "update-ref", "refs/remotes/origin/main", onBranch(at, "x"));
	git(at.dir, "branch", "-q", "-D", "x");
	rmSync(join(at.dir, ".git/logs"), { recursive: true });
	expect(await look(at)).toEqual([]);
});

thorough("nothing that an agent planted in its .git runs, blocks or leads elsewhere", async () => {
	const at = await scene();
	const commit = onBranch(at);
	const dotGit = join(at.dir, ".git");
	const ran = join(scratchDirectory(), "ran");
	const other = await scene({ "secret.txt": "of another repository" });
	appendFileSync(
		join(dotGit, "config"),
		`[core]\n\tfsmonitor = touch ${ran}\n\thooksPath = ${dotGit}/hooks\n\tsshCommand = touch ${ran}\n[uploadpack]\n\tpackObjectsHook = touch ${ran}\n[include]\n\tpath = ${dotGit}/fifo\n`,
	);
	mkdirSync(join(dotGit, "hooks"), { recursive: true });
	writeFileSync(join(dotGit, "hooks/reference-transaction"), `#!/bin/sh\ntouch ${ran}\n`, {
		mode: 0o755,
	});
	for (const name of ["fifo", "refs/heads/fifo", "packed-refs", "logs/refs/stash", "objects/ab"])
		execFileSync("sh", [
			"-c",
			'mkdir -p "$(dirname "$1")"; rm -rf "$1"; mkfifo "$1"',
			"sh",
			join(dotGit, name),
		]);
	writeFileSync(join(dotGit, "objects/info/alternates"), `${other.repository.objectsDir}\n`);
	writeFileSync(join(dotGit, "refs/heads/stolen"), `${other.base}\n`);
	writeFileSync(join(dotGit, "refs/heads/huge"), "");
	truncateSync(join(dotGit, "refs/heads/huge"), 5_000_000_000);
	symlinkSync("/etc/passwd", join(dotGit, "refs/heads/link"));
	expect(await look(at)).toEqual([
		{ kind: "branch", name: "fix", commit },
		{ kind: "branch", name: "stolen", commit: null },
	]);
	expect(existsSync(ran)).toBe(false);
	expect(
		await readFileAt(at.vault, other.base, "secret.txt").catch(() => undefined),
	).toBeUndefined();
});

thorough("a .git that is a link, a file, damaged or gone ends nothing", async () => {
	const other = await scene();
	onBranch(other);
	for (const damage of [
		"rm -rf .git",
		"echo gitdir: /nowhere > .git",
		`ln -s ${other.dir}/.git .git`,
	]) {
		const at = await scene();
		rmSync(join(at.dir, ".git"), { recursive: true });
		execFileSync("sh", ["-c", damage], { cwd: at.dir });
		expect(await look(at), damage).toEqual([]);
	}
	const at = await scene();
	const commit = onBranch(at);
	const whole = onBranch(at, "whole", "other.txt");
	const object = (oid: string) => join(at.dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
	execFileSync("sh", ["-c", `chmod u+w ${object(commit)}; echo broken > ${object(commit)}`]);
	writeFileSync(join(at.dir, ".git/HEAD"), "nothing\n");
	expect(await look(at)).toEqual([
		{ kind: "branch", name: "fix", commit: null },
		{ kind: "branch", name: "whole", commit: whole },
	]);
});

test("objects that say something else than their names are not taken", async () => {
	const at = await scene();
	const commit = onBranch(at);
	const other = onBranch(at, "other", "other.txt");
	const object = (oid: string) => join(at.dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
	execFileSync("sh", ["-c", `chmod u+w ${object(commit)}; cp ${object(other)} ${object(commit)}`]);
	const work = await look(at);
	expect(work.find(({ name }) => name === "fix")?.commit).toBeNull();
	expect(git(at.user, "fsck", "--no-dangling")).toBe("");
});

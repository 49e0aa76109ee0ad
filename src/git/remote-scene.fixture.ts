import { appendFileSync, chmodSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyTemplate } from "../../test/support/template.ts";
import type { Reach } from "./remotes.ts";
import { commitAll, git, scratchDirectory, writeFiles } from "./scratch.fixture.ts";

/** A bare repository and two clones of it, as of two machines. Each has `main` with one commit. */
export interface RemoteScene {
	/** The bare repository; it is `origin` of both. */
	readonly remote: string;
	readonly one: string;
	readonly two: string;
	/** The commit that all of them have. */
	readonly base: string;
	readonly reach: Reach;
}

export function remoteScene(): RemoteScene {
	const dir = scratchDirectory("spar-remote-");
	copyTemplate("remote-and-clone", dir, makeBoth);
	const [remote, one, two] = [join(dir, "remote.git"), join(dir, "one"), join(dir, "two")];
	cpSync(one, two, { recursive: true });
	const origin = `[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
	for (const clone of [one, two]) appendFileSync(join(clone, ".git/config"), origin);
	const reach = { remote: "origin", env: {} };
	return { remote, one, two, base: git(one, "rev-parse", "HEAD"), reach };
}

function makeBoth(folder: string): void {
	const one = join(folder, "one");
	mkdirSync(one);
	git(folder, "init", "-q", "--bare", "remote.git");
	git(one, "init", "-q");
	writeFiles(one, { "a.txt": "a\n" });
	commitAll(one, "first");
	git(one, "push", "-q", "../remote.git", "main");
}

/** From now on a bare repository takes no push to a branch, and says `BRANCH is protected`. */
export function protectBranch(remote: string, branch: string): void {
	const hook = `#!/bin/sh
while read -r old new ref; do
	if [ "$ref" = refs/heads/${branch} ]; then echo "${branch} is protected" >&2; exit 1; fi
done
`;
	writeFiles(remote, { "hooks/pre-receive": hook });
	chmodSync(join(remote, "hooks/pre-receive"), 0o755);
}

/** A commit that no branch of the clone holds. */
export function looseCommit(clone: string, parent: string, subject: string): string {
	return git(clone, "commit-tree", "-p", parent, "-m", subject, `${parent}^{tree}`);
}

/** The refs of a repository, `"NAME COMMIT"` each. */
export function refsOf(dir: string, prefix = "refs/"): string[] {
	const told = git(dir, "for-each-ref", "--format=%(refname) %(objectname)", prefix);
	return told === "" ? [] : told.split("\n");
}

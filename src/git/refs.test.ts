import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepChildren } from "./kept-children.ts";
import { readRef } from "./refs.ts";
import { openRepository, type Repository } from "./repository.ts";
import { git, userRepository } from "./scratch.fixture.ts";
import { standardHost } from "./standard-host.ts";

async function repositories(user: string): Promise<Record<"asked" | "kept", Repository>> {
	const asked = await openRepository(user, standardHost);
	const kept = keepChildren();
	onTestFinished(() => kept.end());
	return { asked, kept: { ...asked, kept } };
}

test("a ref that somebody else moves, packs or deletes is read as it is, by one process that stays, too", async () => {
	const user = userRepository();
	const all = Object.values(await repositories(user));
	const read = async (): Promise<(string | undefined)[]> =>
		Promise.all(all.map((repository) => readRef(repository, "refs/heads/work")));
	expect(await read()).toEqual([undefined, undefined]);
	const commits = ["one", "two", "three"].map((message) =>
		git(user, "commit-tree", "HEAD^{tree}", "-m", message),
	);
	for (const commit of commits) {
		git(user, "update-ref", "refs/heads/work", commit);
		expect(await read()).toEqual([commit, commit]);
		git(user, "pack-refs", "--all");
		expect(await read()).toEqual([commit, commit]);
	}
	git(user, "update-ref", "-d", "refs/heads/work");
	expect(await read()).toEqual([undefined, undefined]);
});

test("a ref to an object that is gone is still a ref", async () => {
	const user = userRepository();
	const gone = "1".repeat(40);
	writeFileSync(join(user, ".git", "refs", "heads", "lost"), `${gone}\n`);
	for (const repository of Object.values(await repositories(user))) {
		expect(await readRef(repository, "refs/heads/lost")).toBe(gone);
	}
});

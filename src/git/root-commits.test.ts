import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openRepository } from "./repository.ts";
import { hasRootOf, rootCommits } from "./root-commits.ts";
import { commitAll, git, scratchDirectory, userRepository } from "./scratch.fixture.ts";
import { standardHost as host } from "./standard-host.ts";

/** A clone, by the transport that can cut a history off. */
function cloneOf(user: string, ...args: readonly string[]): string {
	const path = join(scratchDirectory(), "clone");
	git(user, "clone", "-q", ...args, `file://${user}`, path);
	return path;
}

async function rootsOf(user: string): Promise<readonly string[]> {
	return (await rootCommits(await openRepository(user))) ?? [];
}

thorough(
	"a clone has the first commit of its repository, and another repository does not",
	async () => {
		const user = userRepository();
		const first = git(user, "rev-parse", "HEAD").trim();
		commitAll(user, "second");
		const roots = await rootsOf(user);
		expect(roots).toEqual([first]);
		expect(await hasRootOf({ root: cloneOf(user), host }, roots)).toBe(true);
		const other = userRepository({ "other.txt": "other\n" });
		expect(await hasRootOf({ root: other, host }, roots)).toBe(false);
	},
);

test("one first commit of several is enough, and none is shared by chance", async () => {
	const user = userRepository();
	const [own = ""] = await rootsOf(user);
	expect(await hasRootOf({ root: user, host }, ["a".repeat(40), own])).toBe(true);
	expect(await hasRootOf({ root: user, host }, ["a".repeat(40)])).toBe(false);
});

thorough("a shallow clone has no first commits and cannot say whose it is", async () => {
	const user = userRepository();
	const roots = await rootsOf(user);
	commitAll(user, "second");
	const shallow = cloneOf(user, "--depth", "1");
	expect(await rootCommits(await openRepository(shallow))).toBeNull();
	expect(await hasRootOf({ root: shallow, host }, roots)).toBeNull();
});

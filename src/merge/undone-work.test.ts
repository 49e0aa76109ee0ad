import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
import { undoneWork } from "./undone-work.ts";

/** An integration branch with two merged tasks: `one` changes `a` and `b`, `two` changes `b` and adds `c`. */
async function twoMerges() {
	const user = userRepository({ a: "0", b: "0", other: "0" });
	const base = git(user, "rev-parse", "HEAD");
	const merge = (task: string, files: Readonly<Record<string, string>>) => {
		git(user, "switch", "-q", "-c", task);
		writeFiles(user, files);
		commitAll(user);
		git(user, "switch", "-q", "main");
		git(user, "merge", "-q", "--no-ff", "-m", task, task);
		return { task, commit: git(user, "rev-parse", "HEAD") };
	};
	const merges = [merge("one", { a: "1", b: "1" }), merge("two", { b: "0", c: "2" })];
	const vault = await openVault(await openRepository(user), scratchDirectory());
	const undone = () => undoneWork(vault, { base, tip: git(user, "rev-parse", "main"), merges });
	return { user, undone };
}

thorough(
	"a branch with only the merges undoes nothing, even if one task undid another",
	async () => {
		const { user, undone } = await twoMerges();
		expect(await undone()).toEqual([]);
		writeFiles(user, { other: "by hand" });
		commitAll(user);
		expect(await undone()).toEqual([]);
	},
);

thorough(
	"a file that a manual commit reverts is reported with its task; `whole` when all are",
	async () => {
		const { user, undone } = await twoMerges();
		rmSync(join(user, "c"));
		commitAll(user);
		expect(await undone()).toEqual([{ task: "two", paths: ["c"], whole: false }]);
		writeFiles(user, { a: "0", b: "1" });
		commitAll(user);
		expect(await undone()).toEqual([
			{ task: "one", paths: ["a"], whole: false },
			{ task: "two", paths: ["b", "c"], whole: true },
		]);
	},
);

test("a merge that is no longer on the branch is undone as a whole", async () => {
	const { user, undone } = await twoMerges();
	git(user, "reset", "-q", "--hard", "HEAD^1");
	expect(await undone()).toEqual([{ task: "two", paths: ["b", "c"], whole: true }]);
});

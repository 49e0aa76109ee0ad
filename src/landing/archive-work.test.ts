import { expect, test } from "vitest";
import { looseCommit } from "../git/remote-scene.fixture.ts";
import { openRepository } from "../git/repository.ts";
import { git, userRepository } from "../git/scratch.fixture.ts";
import { run, task } from "../store/record-builders.contract.ts";
import { unmergedWork } from "./archive-work.ts";

test("turns of which nothing is left are no work where it was there already, and else they are", async () => {
	const dir = userRepository();
	const base = git(dir, "rev-parse", "main");
	const commit = looseCommit(dir, base, "turn 2, which took back turn 1");
	const record = run({ baseCommit: base });
	const worked = task({ startCommit: base, commit, turns: 2 });
	git(dir, "branch", worked.branch, commit);
	const repository = await openRepository(dir);
	const unmerged = (flags: readonly string[]) => {
		const records = { tasks: async () => [{ ...worked, flags }] };
		return unmergedWork({ repository, env: {}, store: { records, machines: null } }, record);
	};
	expect(await unmerged(["already_done"])).toEqual([]);
	expect(await unmerged([])).toEqual([{ branch: worked.branch, commit, isThere: true }]);
});

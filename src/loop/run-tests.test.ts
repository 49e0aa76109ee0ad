import { expect, test } from "vitest";
import { git, scene } from "../git/scratch.fixture.ts";
import { testCommit } from "./run-tests.ts";

test("tests over a commit have its history, so that git can name a version there", async () => {
	const { user, vault, base } = await scene();
	git(user, "tag", "v1");
	const { commit } = await testCommit(vault, { of: base, suite: { commit: base } });
	expect(git(user, "describe", "--tags", commit)).toMatch(/^v1-1-g/);
});

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdsPath } from "./holds-path.ts";
import { openRepository } from "./repository.ts";
import { commitAll, git, userRepository, writeFiles } from "./scratch.fixture.ts";

test("a file of a commit is there, and one of the work tree alone is not", async () => {
	const user = userRepository({ "agents/dev.sh": "a", "a b": "b" });
	symlinkSync("/usr/bin", join(user, "tools"));
	commitAll(user, "Link");
	writeFiles(user, { "agents/new.sh": "a" });
	const repository = await openRepository(user);
	const held = (path: string) => holdsPath(repository, git(user, "rev-parse", "HEAD"), path);
	expect(await held("agents/dev.sh")).toBe(true);
	expect(await held("./agents//dev.sh")).toBe(true);
	expect(await held("a b")).toBe(true);
	expect(await held("agents/new.sh")).toBe(false);
	expect(await held("agents/dev.sh.txt")).toBe(false);
	expect(await held("no/such/file")).toBe(false);
	expect(await held("*")).toBe(false);
	// No commit tells what is there.
	expect(await held("tools/env")).toBe(true);
	expect(await held("../dev.sh")).toBe(true);
});

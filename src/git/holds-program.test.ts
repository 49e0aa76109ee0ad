import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdsProgram } from "./holds-program.ts";
import { openRepository } from "./repository.ts";
import { commitAll, git, userRepository, writeFiles } from "./scratch.fixture.ts";

test("an executable file of a commit is there; any other, and one of the work tree alone, is not", async () => {
	const user = userRepository({ "agents/dev.sh": "a", "agents/text.sh": "a", "a b": "b" });
	symlinkSync("/usr/bin", join(user, "tools"));
	chmodSync(join(user, "agents/dev.sh"), 0o755);
	chmodSync(join(user, "a b"), 0o755);
	commitAll(user, "Link");
	writeFiles(user, { "agents/new.sh": "a" });
	const repository = await openRepository(user);
	const held = (path: string) => holdsProgram(repository, git(user, "rev-parse", "HEAD"), path);
	expect(await held("agents/dev.sh")).toBe(true);
	expect(await held("./agents//dev.sh")).toBe(true);
	expect(await held("a b")).toBe(true);
	expect(await held("agents/text.sh")).toBe(false);
	expect(await held("agents")).toBe(false);
	expect(await held("agents/new.sh")).toBe(false);
	expect(await held("agents/dev.sh.txt")).toBe(false);
	expect(await held("no/such/file")).toBe(false);
	expect(await held("*")).toBe(false);
	// No commit tells what is there.
	expect(await held("tools/env")).toBe(true);
	expect(await held("../dev.sh")).toBe(true);
});

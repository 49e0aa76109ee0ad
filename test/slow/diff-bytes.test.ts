import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { APPROVES, stage } from "../acceptance/stage.ts";
import { PROGRAM } from "../support/program.ts";

test("git apply makes of a task's diff the bytes that the task made, in any encoding and in binary files", async () => {
	const bytes =
		"printf 'caf\\351\\n' > latin.txt; printf 'a\\0b' > binary.dat; printf 'é\\n' > utf8.txt";
	// Binary files cannot be read, so that `auto` would ask for a verifier.
	const task = { requires_verification: false };
	const { repo, run } = stage({ steps: [{ role: "player", run: bytes }, APPROVES], task });
	expect((await run()).code).toBe(0);
	const options = { cwd: repo.root, env: { ...process.env, ...repo.env } };
	const patch = execFileSync(process.execPath, [PROGRAM, "diff", "one"], options);
	execFileSync("git", ["apply"], { ...options, input: patch });
	const made = ["latin.txt", "binary.dat", "utf8.txt"].map((name) =>
		readFileSync(join(repo.root, name)).toString("hex"),
	);
	expect(made).toEqual(["636166e90a", "610062", "c3a90a"]);
});

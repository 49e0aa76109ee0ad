// Tests what needs more than this machine may have, a sandbox and Git LFS: `node scripts/test-sandbox.ts [VITEST-ARGUMENTS...]`.
//
// What is not there it calls "not tested" with the reason, which is no failure unless SPAR_EXPECT_SANDBOX=1.
import { spawnSync } from "node:child_process";
import { probeSandbox } from "../src/process/sandbox/open-sandbox.ts";

const LFS_TEST = "test/sandbox/git-lfs.test.ts";

function notTested(what: string, reason: string): void {
	process.stdout.write(`${what}: not tested: ${reason}\n`);
	if (process.env["SPAR_EXPECT_SANDBOX"] === "1") process.exitCode = 1;
}

function vitest(...args: readonly string[]): void {
	const config = ["run", "--config", "vitest.sandbox.config.ts", ...process.argv.slice(2)];
	const { status } = spawnSync("vitest", [...config, ...args], { stdio: "inherit" });
	if (status !== 0) process.exitCode = status ?? 1;
}

const hasLfs = spawnSync("git", ["lfs", "version"], { stdio: "ignore" }).status === 0;
const probe = await probeSandbox(process.env);
if (!hasLfs) notTested("Git LFS", "the program git-lfs is missing (Debian: git-lfs)");
if (probe.available) vitest(...(hasLfs ? [] : ["--exclude", LFS_TEST]));
else {
	notTested("sandbox", `${probe.reason}\n${probe.fix}`);
	if (hasLfs) vitest(LFS_TEST);
}

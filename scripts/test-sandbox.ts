// Tests what needs more than this machine may have, a sandbox and Git LFS: `node scripts/test-sandbox.ts [VITEST-ARGUMENTS...]`.
//
// What is not there it calls "not tested" with the reason, which is no failure unless SPAR_EXPECT_SANDBOX=1.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { probeSandbox } from "../src/process/sandbox/open-sandbox.ts";

const LFS_TEST = "test/sandbox/git-lfs.test.ts";

function notTested(what: string, reason: string): void {
	process.stdout.write(`${what}: not tested: ${reason}\n`);
	if (process.env["SPAR_EXPECT_SANDBOX"] === "1") process.exitCode = 1;
}

/** A number that no user has; see test/sandbox/attack.test.ts. */
const NOBODY = 61_735;

/** Says which users' attacks cannot be tried: of root's without root, of another user's where that one has no sandbox. */
function lookAtUsers(): void {
	if (process.getuid?.() !== 0) {
		process.stdout.write(
			"attacks as root: not tested: this is not root (sudo npm run test:sandbox)\n",
		);
		return;
	}
	const open = fileURLToPath(new URL("../src/process/sandbox/open-sandbox.ts", import.meta.url));
	const text = `const { probeSandbox } = await import(${JSON.stringify(open)});
		const { available, reason } = await probeSandbox(process.env);
		if (!available) { console.error(reason); process.exit(1); }`;
	const nobody = { uid: NOBODY, gid: NOBODY, cwd: "/", encoding: "utf8" } as const;
	const args = ["--input-type=module", "-e", text];
	const { status, stderr, error } = spawnSync(process.execPath, args, nobody);
	if (status === 0) return;
	process.env["SPAR_NO_OTHER_USER"] = "1";
	notTested("attacks as a user", error?.message ?? stderr.trim().split("\n").at(-1) ?? "");
}

function vitest(...args: readonly string[]): void {
	const config = ["run", "--config", "vitest.sandbox.config.ts", ...process.argv.slice(2)];
	const { status } = spawnSync("vitest", [...config, ...args], { stdio: "inherit" });
	if (status !== 0) process.exitCode = status ?? 1;
}

const hasLfs = spawnSync("git", ["lfs", "version"], { stdio: "ignore" }).status === 0;
const probe = await probeSandbox(process.env);
if (!hasLfs) notTested("Git LFS", "the program git-lfs is missing (Debian: git-lfs)");
if (probe.available) lookAtUsers();
if (probe.available) vitest(...(hasLfs ? [] : ["--exclude", LFS_TEST]));
else {
	notTested("sandbox", `${probe.reason}\n${probe.fix}`);
	if (hasLfs) vitest(LFS_TEST);
}

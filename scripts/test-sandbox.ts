// Tests the sandbox where this machine has one: `node scripts/test-sandbox.ts [VITEST-ARGUMENTS...]`.
//
// Where there is none it says "not tested" with the reason, which is no failure unless SPAR_EXPECT_SANDBOX=1.
import { spawnSync } from "node:child_process";
import { probeSandbox } from "../src/process/sandbox/probe-sandbox.ts";

const probe = await probeSandbox(process.env);
if (probe.available) {
	const args = ["run", "--config", "vitest.sandbox.config.ts", ...process.argv.slice(2)];
	const { status } = spawnSync("vitest", args, { stdio: "inherit" });
	process.exitCode = status ?? 1;
} else {
	process.stdout.write(`sandbox: not tested: ${probe.reason}\n${probe.fix}\n`);
	process.exitCode = process.env["SPAR_EXPECT_SANDBOX"] === "1" ? 1 : 0;
}

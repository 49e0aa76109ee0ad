// Drives real coding agents against a scripted model: `node scripts/test-agents.ts [VITEST-ARGUMENTS...]`.
//
// Installs them first, at pinned versions and in folders of their own. One that cannot be installed is reported as
// not tested, and is no failure; an installer that ends badly is one, with its exit code, and nothing is driven.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const install = join(import.meta.dirname, "install-harnesses.ts");
const installed = spawnSync(process.execPath, [install], { stdio: "inherit" }).status ?? 1;
const args = ["run", "--config", "vitest.agents.config.ts", ...process.argv.slice(2)];
process.exitCode =
	installed === 0 ? (spawnSync("vitest", args, { stdio: "inherit" }).status ?? 1) : installed;

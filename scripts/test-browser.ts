// Tests the page of `spar ui` in a browser: `node scripts/test-browser.ts [VITEST-ARGUMENTS...]`, after `npm run build`.
//
// Debian's chromium is installed where it is missing and we may. Where it cannot be, the page is reported as not tested,
// which is a failure in CI.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { CHROMIUM } from "../test/browser/chromium.ts";

function installed(): boolean {
	if (existsSync(CHROMIUM)) return true;
	if (process.getuid?.() !== 0) return false;
	const apt = (...args: readonly string[]): boolean =>
		spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
	return apt("update", "-qq") && apt("install", "-y", "-qq", "chromium") && existsSync(CHROMIUM);
}

if (installed()) {
	const args = ["run", "--config", "vitest.browser.config.ts", ...process.argv.slice(2)];
	const { status } = spawnSync("vitest", args, { stdio: "inherit" });
	process.exitCode = status ?? 1;
} else {
	process.stdout.write("page: not tested: chromium is missing and cannot be installed here\n");
	if (process.env["CI"] !== undefined) process.exitCode = 1;
}

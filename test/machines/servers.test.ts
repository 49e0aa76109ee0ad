import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../scripts/test-machines.ts");

test.each([
	{ ci: "true", code: 1 },
	{ ci: "", code: 0 },
])(
	"without the servers' programs nothing is tested, which CI=$ci counts as $code",
	({ ci, code }) => {
		const env = { ...process.env, CI: ci, SPAR_TEST_PROGRAMS: import.meta.dirname };
		const { status, stdout } = spawnSync(process.execPath, [SCRIPT], { encoding: "utf8", env });
		expect(stdout).toBe(
			"several machines: not tested: the program initdb is missing (Debian: postgresql)\n",
		);
		expect(status).toBe(code);
	},
);

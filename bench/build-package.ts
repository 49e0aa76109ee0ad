import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

/** Compiles the package into `dist/`, which is what users start. */
export function buildPackage(): void {
	const tsc = fileURLToPath(new URL("node_modules/.bin/tsc", ROOT));
	const { status, stdout, error } = spawnSync(tsc, ["-p", "tsconfig.build.json"], {
		cwd: fileURLToPath(ROOT),
		encoding: "utf8",
	});
	if (error !== undefined) throw error;
	if (status !== 0) throw new Error(`the package cannot be built:\n${stdout}`);
}

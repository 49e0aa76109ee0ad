import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

/** Compiles the package into `dist/`, which is what users start. */
export function buildPackage(): void {
	runHere(fileURLToPath(new URL("node_modules/.bin/tsc", ROOT)), ["-p", "tsconfig.build.json"]);
	runHere(process.execPath, ["scripts/bundle-program.ts"]);
}

/** Builds the page of `spar ui` into `dist/dashboard`. */
export function buildPage(): void {
	const vite = fileURLToPath(new URL("node_modules/.bin/vite", ROOT));
	runHere(vite, ["build", "--config", "vite.dashboard.config.ts", "--logLevel", "warn"]);
}

function runHere(program: string, args: readonly string[]): void {
	const { status, stdout, stderr, error } = spawnSync(program, args, {
		cwd: fileURLToPath(ROOT),
		encoding: "utf8",
	});
	if (error !== undefined) throw error;
	if (status !== 0) throw new Error(`the package cannot be built:\n${stdout}${stderr}`);
}

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nodeIsNewEnough } from "../../src/cli/node-version.ts";

const isOld = (program: string): boolean => {
	const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
	return /^v2[0-4]\./.test(stdout) && !nodeIsNewEnough(stdout.slice(1));
};

/** A Node.js of this machine that is too old for spar; null where there is none. */
export const OLD_NODE: string | null =
	(process.env["PATH"] ?? "")
		.split(delimiter)
		.map((folder) => join(folder, "node"))
		.find((program) => existsSync(program) && isOld(program)) ?? null;

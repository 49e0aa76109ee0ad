import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import type { ProcessRequest } from "../process.ts";

/** Absolute paths within a text, such as in `node /a/agent.js --config=/b`. */
const PATHS = /\/[^\s"'`;|&<>()$=:,]+/g;

/**
 * Places that a process needs in order to start: its program, the folders of its search path, and the files that the user
 * named. Of a package or an environment all of it, since its programs load the rest.
 *
 * @returns absolute paths, which need not exist
 */
export function programPlaces({
	command: [program],
	env,
	named = [],
}: Pick<ProcessRequest, "command" | "env" | "named">): readonly string[] {
	const folders = (env["PATH"] ?? "").split(delimiter);
	const files = named.flatMap((text) => [text, ...(text.match(PATHS) ?? [])]);
	return [program, ...folders, ...files].flatMap((path) => [path, ...surroundings(path)]);
}

const MODULES = "/node_modules/";

/** The outermost `node_modules` around a path, or the environment of Python or conda whose `bin` it is or is in. */
function surroundings(path: string): string[] {
	const at = path.indexOf(MODULES);
	if (at >= 0) return [path.slice(0, at + MODULES.length - 1)];
	return [path, dirname(path)]
		.filter((folder) => basename(folder) === "bin")
		.map((folder) => dirname(folder))
		.filter((place) => ["pyvenv.cfg", "conda-meta"].some((name) => existsSync(join(place, name))));
}

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The longest argument that Linux passes to a program, in bytes (MAX_ARG_STRLEN with 4 KiB pages). */
const MAX_ARGUMENT = 131_071;

function stateOf(path: string): "executable" | "ENOENT" | "EACCES" {
	const found = statSync(path, { throwIfNoEntry: false });
	if (found === undefined) return "ENOENT";
	if (!found.isFile()) return "EACCES";
	try {
		accessSync(path, constants.X_OK);
		return "executable";
	} catch {
		return "EACCES";
	}
}

function safely(path: string): ReturnType<typeof stateOf> {
	try {
		return stateOf(path);
	} catch {
		// A file where a directory is needed, a loop of links, no right to look.
		return "EACCES";
	}
}

/** The error code that `spawn` would give for a program; null when it can start. */
export function startProblem(
	[program, ...args]: readonly [string, ...string[]],
	cwd: string,
	path: string,
): string | null {
	if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return "ENOTDIR";
	if ([program, ...args].some((argument) => argument.includes("\0")))
		return "ERR_INVALID_ARG_VALUE";
	if (args.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT)) return "E2BIG";
	const places = program.includes("/")
		? [resolve(cwd, program)]
		: path.split(delimiter).map((folder) => resolve(cwd, folder, program));
	const states = places.map(safely);
	if (states.includes("executable")) return null;
	return states.includes("EACCES") ? "EACCES" : "ENOENT";
}

/** Where a program is on a search path; null when it is on none. */
export function findExecutable(program: string, path: string): string | null {
	const places = path.split(delimiter).filter((folder) => folder !== "");
	return (
		places.map((folder) => join(folder, program)).find((file) => safely(file) === "executable") ??
		null
	);
}

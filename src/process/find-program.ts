import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { childEnvironment, type EnvironmentSource } from "./environment.ts";

// Linux passes no longer argument to a program: MAX_ARG_STRLEN with 4 KiB pages. In bytes.
const MAX_ARGUMENT = 131_071;

function problemOf(file: string): "ENOENT" | "EACCES" | null {
	try {
		const found = statSync(file, { throwIfNoEntry: false });
		if (found === undefined) return "ENOENT";
		if (!found.isFile()) return "EACCES";
		accessSync(file, constants.X_OK);
		return null;
	} catch {
		// No right to run it or to look at it, a loop of links.
		return "EACCES";
	}
}

const foldersOf = (searchPath: string): string[] => searchPath.split(path.delimiter);

/**
 * Finds the program that would be started by this name. One without a slash is looked for in the folders of
 * `searchPath` but for relative ones, since the working directory changes; any other is taken relative to `cwd`.
 */
export function findProgram(name: string, searchPath: string, cwd: string): string | undefined {
	const candidates = name.includes("/")
		? [path.resolve(cwd, name)]
		: foldersOf(searchPath)
				.filter((folder) => path.isAbsolute(folder))
				.map((folder) => path.join(folder, name));
	return candidates.find((candidate) => problemOf(candidate) === null);
}

/**
 * Finds a program where a child with the environment of `childEnvironment` does. Else `unseen` is the one that only
 * Sparring's own PATH has, such as in `node_modules/.bin`.
 */
export function findChildProgram(
	name: string,
	env: EnvironmentSource,
): { readonly file: string | undefined; readonly unseen: string | undefined } {
	const file = findProgram(name, childEnvironment(env)["PATH"] ?? "", "/");
	return { file, unseen: file ? undefined : findProgram(name, env["PATH"] ?? "", "/") };
}

/** The error code that `spawn` would give for a program; null when it can start. */
export function startProblem(
	[program, ...args]: readonly [string, ...string[]],
	cwd: string,
	searchPath: string,
): string | null {
	if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return "ENOTDIR";
	if ([program, ...args].some((argument) => argument.includes("\0")))
		return "ERR_INVALID_ARG_VALUE";
	if (args.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT)) return "E2BIG";
	const places = program.includes("/")
		? [path.resolve(cwd, program)]
		: foldersOf(searchPath).map((folder) => path.resolve(cwd, folder, program));
	const problems = places.map(problemOf);
	if (problems.includes(null)) return null;
	return problems.includes("EACCES") ? "EACCES" : "ENOENT";
}

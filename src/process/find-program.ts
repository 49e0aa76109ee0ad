import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";

async function isProgram(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return (await stat(file)).isFile();
	} catch {
		return false;
	}
}

/**
 * Where a program is that would be started by this name.
 *
 * A name without a slash is looked for in the folders of `searchPath`; any other is taken relative to `cwd`.
 *
 * @param searchPath value of `PATH`; relative folders in it are left out, since the working directory changes
 * @returns the absolute path of an executable file; undefined when there is none
 */
export async function findProgram(
	name: string,
	searchPath: string,
	cwd: string,
): Promise<string | undefined> {
	const candidates = name.includes("/")
		? [path.resolve(cwd, name)]
		: searchPath
				.split(path.delimiter)
				.filter((folder) => path.isAbsolute(folder))
				.map((folder) => path.join(folder, name));
	for (const candidate of candidates) {
		if (await isProgram(candidate)) return candidate;
	}
	return undefined;
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { standardStreams, type Writing } from "./standard-streams.ts";

/** Columns for which the build writes the help of `spar`: those of a pipe. No line is broken there, so a wider terminal shows the same. */
export const WRITTEN_COLUMNS = 80;

/** In the written help: the folder in which the package was installed. */
const PACKAGE_FOLDER = "{package}/";

const packageFolder = (): string => fileURLToPath(new URL("../../", import.meta.url));

/** A help text as the build writes it, to be installed in any folder. */
export const movable = (help: string): string =>
	help.replaceAll(packageFolder(), () => PACKAGE_FOLDER);

/** The same as it is printed here. */
const movedHere = (help: string): string => help.replaceAll(PACKAGE_FOLDER, packageFolder);

/** The help that the build wrote; null in a checkout, and where the terminal is narrower. */
function writtenHelp(file: URL, columns: number): string | null {
	if (columns < WRITTEN_COLUMNS) return null;
	try {
		return movedHere(readFileSync(file, "utf8"));
	} catch {
		return null;
	}
}

/**
 * Prints the help of `spar` as the build wrote it, which takes a fraction of the time that it takes to load all that the
 * help is made of.
 *
 * @param file where the build wrote it: beside this one
 * @returns false where it has to be made after all; then nothing was printed
 */
export function printWrittenHelp(
	host: Writing,
	file: URL = new URL("help.txt", import.meta.url),
): boolean {
	const stdout = standardStreams(host).stdout;
	const help = writtenHelp(file, stdout.columns);
	if (help === null) return false;
	stdout.write(help);
	return true;
}

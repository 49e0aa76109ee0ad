import { fstatSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Stands in the written help for the folder in which the package was installed.
const PACKAGE = "{package}/";

const WRITTEN_COLUMNS = 80;

/** The help of `spar` in 80 columns, as a package brings it along in the file that `printWrittenHelp` reads. */
export const movedAnywhere = (help: string, packageFolder: string): string =>
	help.replaceAll(packageFolder, () => PACKAGE);

// Asks a terminal alone, since streams take a tenth of the time that Node.js takes to start.
const isNarrow = (out: number): boolean =>
	fstatSync(out).isCharacterDevice() && !(process.stdout.columns >= WRITTEN_COLUMNS);

/**
 * Prints the help that the build wrote beside this file: to make it takes a third of the time that Node.js takes to start.
 *
 * @param out descriptor to write to
 * @returns false where it is to be made after all: in a checkout, which has no such file, on a narrower terminal, and where
 *   writing fails, of which the streams tell
 */
export function printWrittenHelp(
	out: number = 1,
	file: URL = new URL("help.txt", import.meta.url),
): boolean {
	try {
		if (isNarrow(out)) return false;
		const folder = fileURLToPath(new URL("../../", import.meta.url));
		const help = readFileSync(file, "utf8").replaceAll(PACKAGE, () => folder);
		writeFileSync(out, help);
		return true;
	} catch {
		return false;
	}
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { columnsOf, standardStreams, type Writing } from "./standard-streams.ts";

// Stands in the written help for the folder in which the package was installed.
const PACKAGE = "{package}/";

const WRITTEN_COLUMNS = 80;

/** The help of `spar` in 80 columns, as a package brings it along in the file that `printWrittenHelp` reads. */
export const movedAnywhere = (help: string, packageFolder: string): string =>
	help.replaceAll(packageFolder, () => PACKAGE);

/**
 * Prints the help that the build wrote beside this file: to make it takes a third of the time that Node.js takes to start.
 *
 * @returns false, and nothing is printed, in a checkout, which has no such file, and on a narrower terminal
 */
export function printWrittenHelp(
	host: Writing,
	file: URL = new URL("help.txt", import.meta.url),
): boolean {
	const { stdout } = standardStreams(host);
	if (columnsOf(stdout.stream) < WRITTEN_COLUMNS) return false;
	let help: string;
	try {
		help = readFileSync(file, "utf8");
	} catch {
		return false;
	}
	const folder = fileURLToPath(new URL("../../", import.meta.url));
	stdout.write(help.replaceAll(PACKAGE, () => folder));
	return true;
}

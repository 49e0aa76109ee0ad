#!/usr/bin/env node
// Parses on any Node since 14.8, so that an old one gets a sentence instead of a syntax error.
import { nodeIsNewEnough, oldNodeText } from "./node-version.ts";

/** Whether the help of `spar` was asked for, and nothing else, and is printed: it was written when the package was built. */
async function isHelpPrinted(): Promise<boolean> {
	const [word = "", ...more] = process.argv.slice(2);
	if (more.length > 0 || !["--help", "-h", "help"].includes(word)) return false;
	const { printWrittenHelp } = await import("./written-help.ts");
	return printWrittenHelp(process);
}

async function start(): Promise<void> {
	const { keepCompiledCode } = await import("./compile-cache.ts");
	keepCompiledCode();
	const { startCli } = await import("./start-cli.ts");
	await startCli();
}

if (nodeIsNewEnough(process.versions.node)) {
	// Not awaited here: the program is built for `require`, which starts faster and knows no `await` outside of functions.
	void isHelpPrinted().then((is) => (is ? undefined : start()));
} else {
	process.stderr.write(oldNodeText(process.versions.node, process.execPath));
	process.exitCode = 2;
}

#!/usr/bin/env node
// Parses on any Node since 14.8, so that an old one gets a question instead of a syntax error.
import { nodeIsNewEnough } from "./node-version.ts";

async function isHelpPrinted([word = "", ...more]: readonly string[]): Promise<boolean> {
	if (more.length > 0 || !["--help", "-h", "help"].includes(word)) return false;
	const { printWrittenHelp } = await import("./written-help.ts");
	return printWrittenHelp();
}

async function start(): Promise<void> {
	if (nodeIsNewEnough(process.versions.node)) {
		if (await isHelpPrinted(process.argv.slice(2))) return;
		const { startCli } = await import("./run-cli.ts");
		await startCli();
	} else {
		const { startOnOwnNode } = await import("./own-node.ts");
		await startOnOwnNode();
	}
}

// Not awaited here: the program is built for `require`, which starts faster and knows no `await` outside of functions.
void start();

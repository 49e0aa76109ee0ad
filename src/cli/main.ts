#!/usr/bin/env node
// Parses on any Node since 14.8, so that an old one gets a sentence instead of a syntax error.
import { nodeIsNewEnough, oldNodeText } from "./node-version.ts";

async function start(): Promise<void> {
	const { startCli } = await import("./run-cli.ts");
	await startCli();
}

if (nodeIsNewEnough(process.versions.node)) {
	// Not awaited here: the program is built for `require`, which starts faster and knows no `await` outside of functions.
	void start();
} else {
	process.stderr.write(oldNodeText(process.versions.node, process.execPath));
	process.exitCode = 2;
}

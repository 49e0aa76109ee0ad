#!/usr/bin/env node
// Parses on any Node since 14.8, so that an old one gets a sentence instead of a syntax error.
import { nodeIsNewEnough, oldNodeText } from "./node-version.ts";

if (nodeIsNewEnough(process.versions.node)) {
	const { keepCompiledCode } = await import("./compile-cache.ts");
	keepCompiledCode();
	const { startCli } = await import("./start-cli.ts");
	await startCli();
} else {
	process.stderr.write(oldNodeText(process.versions.node, process.execPath));
	process.exitCode = 2;
}

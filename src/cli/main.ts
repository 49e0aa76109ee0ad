#!/usr/bin/env node
// Parses on any Node since 20, so that an old one gets a sentence instead of a syntax error.
import { NODE_NEEDED, nodeIsNewEnough } from "./node-version.ts";

if (nodeIsNewEnough(process.versions.node)) {
	const { keepCompiledCode } = await import("./compile-cache.ts");
	keepCompiledCode();
	const { startCli } = await import("./start-cli.ts");
	await startCli();
} else {
	process.stderr.write(
		`spar needs Node ${NODE_NEEDED} or newer; this is Node ${process.versions.node}.\n` +
			"Install a newer Node and run the same command again.\n",
	);
	process.exitCode = 2;
}

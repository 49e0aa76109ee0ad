import type { Plugin } from "rolldown";

/**
 * Modules of Node.js that take a third of a millisecond to two to load. Many modules import them, and what only reads, such as
 * `spar status`, uses nothing of them.
 */
const LATE = ["child_process", "fs/promises", "os", "timers/promises"];

/** How a bundle gets a builtin module. */
const REQUIRED = new RegExp(`^let (node_\\w+) = require\\("node:(${LATE.join("|")})"\\);$`, "gm");

/** How it gives a builtin module a `default`: by a copy of all properties, which loads what Node.js itself puts off. */
const COPIED = /^(node_\w+) = (?:\w+\.)?__toESM\(\1, 1\);$/gm;

/**
 * Loads the builtin modules of `LATE` when something of them is first used, in a bundle of CommonJS. There, what is imported
 * is a property of the module wherever it is used.
 */
export const lateBuiltins: Plugin = {
	name: "late-builtins",
	renderChunk: (code) =>
		code
			.replaceAll(
				REQUIRED,
				'let $1 = new Proxy({}, { get: (_, name) => process.getBuiltinModule("$2")[name] });',
			)
			.replaceAll(COPIED, "$1 = Object.create($1, { default: { value: $1 } });"),
};

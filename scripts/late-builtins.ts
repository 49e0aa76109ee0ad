import type { Plugin } from "rolldown";

/**
 * Modules of Node.js that take a millisecond or two to load. Many modules import them, and what only reads, such as
 * `spar status`, calls none of their functions.
 */
const LATE = ["node:child_process", "node:fs/promises"];

export const isLate = (id: string): boolean => LATE.includes(id);

const PREFIX = "\0late:";

/** A module whose functions load another one when they are called. */
async function lateModule(id: string): Promise<string> {
	const builtin = (await import(id)) as Readonly<Record<string, unknown>>;
	const names = Object.keys(builtin).filter(
		(name) => name !== "default" && typeof builtin[name] === "function",
	);
	const late = names.map(
		(name) => `export const ${name} = (...given) => load().${name}(...given);`,
	);
	return [
		`const load = () => process.getBuiltinModule(${JSON.stringify(id)});`,
		...late,
		`export default { ${names.join(", ")} };`,
	].join("\n");
}

/** What imports a builtin module of `LATE` loads it with its first call; only functions can be imported. */
export const lateBuiltins: Plugin = {
	name: "late-builtins",
	resolveId: (id, _importer, { kind }) =>
		isLate(id) && kind === "import-statement" ? `${PREFIX}${id}` : null,
	load: (id) => (id.startsWith(PREFIX) ? lateModule(id.slice(PREFIX.length)) : null),
	// A copy of all properties, for the sake of `default`, loads what Node.js itself puts off.
	renderChunk: (code) =>
		code.replaceAll(
			/^(node_\w+) = \w+\.__toESM\(\1, 1\);$/gm,
			"$1 = Object.create($1, { default: { value: $1 } });",
		),
};

import type { Plugin } from "rolldown";

/**
 * Modules of Node.js that take a millisecond or two to load. Many modules import them, and what only reads, such as
 * `spar status`, calls none of their functions.
 */
const LATE = ["node:child_process", "node:fs/promises"];

export const isLate = (id: string): boolean => LATE.includes(id);

const PREFIX = "\0late:";

/** What `util.promisify` gives in place of a function, where the function says so. */
const PROMISED = Symbol.for("nodejs.util.promisify.custom");

const USUAL: ReadonlySet<unknown> = new Set(["length", "name", "prototype"]);

/** A function that loads its module when it is called, also when it is called as `promisify` has it. */
function lateFunction(name: string, real: object): string {
	const own = Reflect.ownKeys(real).filter((key) => !USUAL.has(key));
	const late = `(...given) => load().${name}(...given)`;
	if (own.length === 0) return late;
	if (own.length > 1 || own[0] !== PROMISED)
		throw new Error(`${name} has properties: ${own.map(String).join(", ")}`);
	const key = `[Symbol.for("${Symbol.keyFor(PROMISED)}")]`;
	return `Object.assign(${late}, { ${key}: (...given) => load().${name}${key}(...given) })`;
}

/** A module whose functions load another one when they are called. It has no classes: these cannot wait. */
async function lateModule(id: string): Promise<string> {
	const builtin = (await import(id)) as Readonly<Record<string, unknown>>;
	const late = Object.entries(builtin).flatMap(([name, real]) =>
		typeof real === "function" && name !== "default" && /^[a-z]/.test(name)
			? [{ name, code: lateFunction(name, real) }]
			: [],
	);
	return [
		`const load = () => process.getBuiltinModule(${JSON.stringify(id)});`,
		...late.map(({ name, code }) => `export const ${name} = ${code};`),
		`export default { ${late.map(({ name }) => name).join(", ")} };`,
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

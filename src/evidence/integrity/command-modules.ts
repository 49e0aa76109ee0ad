import path from "node:path";

/** Programs whose first argument is a module: they try endings and `index` files. */
const RUNTIMES = /^(?:node|nodejs|bun|deno|tsx|ts-node|nodemon|electron)$/;
const PYTHONS = /^(?:python[\d.]*|py|pypy[\d.]*)$/;

/** Options that take a module, of these programs and of test runners. */
const PRELOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)$/;
const SUBCOMMANDS = /^(?:run|watch|x)$/;

/** What the words of a command name beyond plain paths. */
export interface CommandModules {
	/** Modules given to Node and the like: `scripts/test` may be `scripts/test/index.js`. */
	readonly scripts: ReadonlySet<string>;
	/** Modules given to Python with `-m`. */
	readonly python: ReadonlySet<string>;
	/** Directories of the checkout that the command puts on the PATH. */
	readonly folders: readonly string[];
	/** Directories that the command works in, the root first. */
	readonly roots: readonly string[];
}

/** Reads the modules and PATH folders of shell lines. Quotes and operators only part words. */
export function modulesOf(command: string): CommandModules {
	const scripts = new Set<string>();
	const python = new Set<string>();
	for (const line of command.split(/[\n;|&()`]+/)) {
		const tokens = line.split(/[\s"'=]+/).filter((token) => token !== "");
		for (const [index, token] of tokens.entries()) {
			const rest = tokens.slice(index + 1);
			for (const found of scriptsIn(token, rest)) scripts.add(found);
			for (const found of pythonIn(token, rest)) python.add(found);
		}
	}
	return { scripts, python, folders: foldersOf(command), roots: rootsOf(command) };
}

/**
 * A preloaded module, or the main one of a runtime; `node --test src` names places of tests instead.
 */
function scriptsIn(word: string, rest: readonly string[]): string[] {
	if (PRELOADS.test(word)) return rest.slice(0, 1);
	const program = path.posix.basename(word);
	if (!RUNTIMES.test(program)) return [];
	const at = rest.findIndex((argument, index) => {
		const isValue = PRELOADS.test(rest[index - 1] ?? "");
		const isVerb = index === 0 && program !== "node" && SUBCOMMANDS.test(argument);
		return !isValue && !isVerb && !argument.startsWith("-");
	});
	return at < 0 || rest.slice(0, at).includes("--test") ? [] : rest.slice(at, at + 1);
}

function pythonIn(word: string, rest: readonly string[]): string[] {
	if (!PYTHONS.test(path.posix.basename(word))) return [];
	const at = rest.indexOf("-m");
	const isOption = rest.slice(0, Math.max(at, 0)).every((argument) => argument.startsWith("-"));
	return at >= 0 && isOption ? rest.slice(at + 1, at + 2) : [];
}

function foldersOf(command: string): string[] {
	return [...command.matchAll(/\bPATH=["']?([^\s"';]+)/g)]
		.flatMap(([, value = ""]) => value.split(":"))
		.map((folder) => folder.replace(/^(?:\$PWD|\$\{PWD\}|\$\(pwd\))\/?/, "./"))
		.filter((folder) => folder !== "" && !/^[/$~]/.test(folder))
		.map((folder) => path.posix.normalize(folder).replace(/\/$/, ""));
}

function rootsOf(command: string): string[] {
	const moves = command.matchAll(/(?:\bcd|--prefix|--cwd|--dir|\s-C)[\s=]+["']?([^\s"';&|)$]+)/g);
	return ["", ...[...moves].map(([, folder = ""]) => folder).slice(0, 20)];
}

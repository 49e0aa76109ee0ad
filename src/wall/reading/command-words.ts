import path from "node:path";

const MAKE = /^(?:make|gmake)$/;
export const MAKEFILE = /^(?:GNUm|M|m)akefile$/;

/** Files that a program reads by default, with the program. */
export const IMPLIED: readonly (readonly [RegExp, RegExp])[] = [
	[MAKE, MAKEFILE],
	[/^just$/, /^\.?[Jj]ustfile$/],
	[/^task$/, /^[Tt]askfile\.ya?ml$/],
	[/^rake$/, /^[Rr]akefile(?:\.rb)?$/],
	[/^nox$/, /^noxfile\.py$/],
	[/^cargo$/, /^\.cargo\/config(?:\.toml)?$/],
];

/** Tells of a file whether some program among words reads it by default. */
export function impliedBy(words: ReadonlySet<string>): (file: string) => boolean {
	const programs = [...words].map((word) => path.posix.basename(word));
	const implied = IMPLIED.filter(([program]) => programs.some((word) => program.test(word)));
	return (file) => implied.some(([, by]) => by.test(file) || by.test(path.posix.basename(file)));
}

/** Programs whose first argument is a module, and which try extensions and `index` files. */
const RUNTIMES = /^(?:node|nodejs|bun|deno|tsx|ts-node|nodemon|electron)$/;
const PYTHONS = /^(?:python[\d.]*|py|pypy[\d.]*)$/;

/** Options that take a module, of these programs and of test runners. */
const PRELOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)$/;
const SUBCOMMANDS = /^(?:run|watch|x)$/;

export interface CommandModules {
	readonly scripts: ReadonlySet<string>;
	readonly python: ReadonlySet<string>;
	readonly folders: readonly string[];
	/** Directories that the command works in, the root first. */
	readonly roots: readonly string[];
}

/** Finds the modules and PATH directories in shell lines. Quotes and operators are only separators. */
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
 * A preloaded module, or the main module of a runtime. The argument of `node --test src` is not a module.
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

/** Programs whose first argument is a script that they run. */
const INTERPRETERS =
	/^(?:sh|bash|zsh|ksh|dash|fish|source|\.|node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|Rscript|lua)$/;

/** With these options the script is not a file: it is in the command itself, or a module. */
const INLINE = /^-(?:[a-z]*c|e|m|p|-eval|-print)$/;

const BEFORE_PROGRAM = /^(?:exec|env|time|nohup|command|sudo|then|do|else|!|-[a-z]*c)$/;

/**
 * Words of shell lines that are run as programs or scripts and may be files of the checkout. Files that a command only
 * reads or writes do not count.
 *
 * @example `sh -c "exec node tools/coach > out.txt"` gives `tools/coach`
 */
export function executedWords(command: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const line of command.split(/[\n;|&()`]+/)) {
		const tokens = tokensOf(line).filter((token) => !/^\w+=/.test(token));
		for (const [index, token] of tokens.entries()) {
			const leads = index === 0 || BEFORE_PROGRAM.test(tokens[index - 1] ?? "");
			if (leads && token.includes("/")) found.add(token);
			const script = INTERPRETERS.test(path.posix.basename(token))
				? scriptOf(tokens.slice(index + 1))
				: undefined;
			if (script !== undefined) found.add(script);
		}
	}
	return found;
}

/** A quoted text is one file name if it looks like one, else several words. */
function tokensOf(line: string): string[] {
	const parts = [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)];
	return parts.flatMap(([whole, double, single]) => {
		const quoted = double ?? single;
		if (quoted === undefined) return [whole];
		return /^[\w ./-]+\.\w+$/.test(quoted) && !/^\w+ -/.test(quoted)
			? [quoted]
			: quoted.split(/\s+/).filter((word) => word !== "");
	});
}

function scriptOf(rest: readonly string[]): string | undefined {
	const at = rest.findIndex((argument) => !argument.startsWith("-"));
	return at < 0 || rest.slice(0, at).some((option) => INLINE.test(option)) ? undefined : rest[at];
}

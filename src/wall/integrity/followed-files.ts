import path from "node:path";
import { isTestFile } from "../../evidence/test-files.ts";
import { candidatesOf } from "../language/bound-names.ts";
import { languageOf } from "../language/languages.ts";
import { executedWords, modulesOf } from "../reading/command-words.ts";
import { makeLines } from "../reading/makefile.ts";
import { parsePackage } from "../reading/runner-config.ts";
import { type CommandClosure, commandClosure } from "./command-closure.ts";

const MAX_FILES = 200;

const SHELL = /\.(?:sh|bash|zsh|ksh)$/;
const READABLE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|ksh)$/;

const TOOLS = /^(?:scripts?|tools?|tooling|ci|\.ci|build-tools|hack|\.husky|\.config|bench|dev)$/;
const PRODUCT = /^(?:src|lib|app|apps|packages|server|client|pkg|cmd|internal|core|dist)$/;

export interface Followed {
	readonly closure: CommandClosure;
	/** Files that must not change or be deleted. */
	readonly named: ReadonlySet<string>;
	/** Files that must not be added: they would be found before, or instead of, a named one. */
	readonly shadows: ReadonlySet<string>;
	readonly python: ReadonlySet<string>;
	readonly folders: readonly string[];
}

export interface FollowRules {
	/** Text of a file of the base; null when it does not exist. */
	readBase(path: string): Promise<string | null>;
	readonly manifest: string | null;
	/**
	 * `all`, for agents' programs: everything that the command runs is guarded, and nothing may be added. `tools`: every
	 * existing file that it names. Files that a script names or imports are followed within its directory and into
	 * tooling directories, but not into the product or its tests, which the player works on.
	 */
	readonly reach: "all" | "tools";
}

/** State while following a command. */
interface Trail {
	closure: CommandClosure;
	readonly named: Set<string>;
	readonly shadows: Set<string>;
	/** Files to read, each as a list of candidate paths in order. */
	readonly queue: (readonly string[])[];
}

/**
 * Follows a command through package.json scripts, shell scripts, the modules that it starts and their imports. Reads
 * only the base, at most 200 files, each once.
 *
 * @param run a shell line; program and arguments joined by spaces are fine
 */
export async function followCommand(run: string, rules: FollowRules): Promise<Followed> {
	const closure = await withRecipes(commandClosure(run, rules.manifest), rules);
	const trail: Trail = { closure, named: new Set(), shadows: new Set(), queue: [] };
	nameWords(trail, rules);
	const seen = new Set<string>();
	const { queue } = trail;
	for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
		const key = next.join("\n");
		if (seen.has(key)) continue;
		seen.add(key);
		if (seen.size > MAX_FILES) break;
		const found = await firstAt(next, rules);
		if (found !== undefined) readFound(found, next, trail, rules);
		else if (rules.reach === "all") for (const place of next) trail.shadows.add(place);
	}
	const { python, folders } = modulesOf(trail.closure.lines.join("\n"));
	const { named, shadows } = trail;
	return { closure: trail.closure, named, shadows, python, folders };
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

async function withRecipes(closure: CommandClosure, rules: FollowRules): Promise<CommandClosure> {
	if (![...closure.words].some((word) => /^g?make$/.test(path.posix.basename(word))))
		return closure;
	const makefile = await firstAt(MAKEFILES, rules);
	if (makefile === undefined) return closure;
	const lines = [...closure.lines, ...makeLines(makefile.text, closure.words)];
	return commandClosure(lines.join("\n"), rules.manifest);
}

function nameWords(
	{ closure, named, shadows, queue }: Trail,
	{ reach }: FollowRules,
	isReached: (place: string) => boolean = () => true,
): void {
	const lines = closure.lines.join("\n");
	const { scripts, roots } = modulesOf(lines);
	// A command may name the files that the player works on, so only what it runs and what configures it counts.
	const looked = lookedAt(lines);
	const words = [...executedWords(lines), ...scripts, ...configuredBy(lines)].filter(
		(word) => isPath(word) && !looked.has(word),
	);
	for (const [word, root] of words.flatMap((one) => roots.map((from) => [one, from] as const))) {
		const place = path.posix.normalize(path.posix.join(root, word));
		if (!named.has(place) && !isReached(place)) continue;
		if (reach === "tools" && isProduct(place)) continue;
		named.add(place);
		if (reach === "all") shadows.add(place);
		if (scripts.has(word)) queue.push(candidatesOf(place));
		else if (READABLE.test(word) || word.includes("/")) queue.push([place]);
	}
}

function readFound(
	found: FoundFile,
	candidates: readonly string[],
	trail: Trail,
	rules: FollowRules,
): void {
	const { file, text } = found;
	trail.named.add(file);
	for (const place of candidates.slice(0, candidates.indexOf(file))) trail.shadows.add(place);
	if (isShell(found)) {
		const lines = [...trail.closure.lines, withoutHashes(text)];
		trail.closure = commandClosure(lines.join("\n"), rules.manifest);
		nameWords(trail, rules, (place) =>
			rules.reach === "tools" ? !isTried(found, place) : isToolOf(file, place),
		);
	}
	if (file.endsWith("/package.json")) trail.queue.push(mainOf(found));
	if (rules.reach === "tools" && isTestFile(file)) return;
	const imports = languageOf(file)?.targetsIn(file, text) ?? [];
	trail.queue.push(...imports.filter(([target = ""]) => isToolOf(file, target)));
}

interface FoundFile {
	readonly file: string;
	readonly text: string;
}

async function firstAt(
	candidates: readonly string[],
	rules: FollowRules,
): Promise<FoundFile | undefined> {
	for (const file of candidates) {
		const text = await rules.readBase(file);
		if (text !== null) return { file, text };
	}
	return undefined;
}

const CHECKS =
	/check|test|spec|verif|valid|lint|smoke|boot|e2e|audit|assert|accept|bench|run|suite|gate|prove|cover|\bci\b|\bqa\b/i;
/** Programs in these languages can be the product or a check; a shell script is rarely the product. */
const LANGUAGES = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|R)$/;

/**
 * Tells whether a file that a check runs is the product, which the player works on: a file in a product directory, or a
 * program outside of tooling directories whose name does not suggest a check.
 */
function isProduct(place: string): boolean {
	const folders = place.split("/");
	const name = folders.pop() ?? "";
	if (PRODUCT.test(folders[0] ?? "")) return true;
	if (folders.some((part) => TOOLS.test(part))) return false;
	return LANGUAGES.test(name) && !CHECKS.test(name);
}

/**
 * Tells whether a script that checks something only tries a program: one that it does not source, whose name and place do not
 * say that it is a check or a tool.
 */
function isTried({ file, text }: FoundFile, place: string): boolean {
	const folders = place.split("/");
	const name = folders.pop() ?? "";
	if (CHECKS.test(name) || folders.some((part) => TOOLS.test(part)) || isTestFile(place))
		return false;
	const isBeside = folders.length > 0 && path.posix.dirname(file) === folders.join("/");
	return !isBeside && !sourcedIn(text).has(name);
}

/** Last parts of the scripts that a shell script sources. */
function sourcedIn(text: string): ReadonlySet<string> {
	const sourced = text.matchAll(
		/(?:^|[;&|({]|\b(?:then|do|else))[ \t]*(?:\.|source)[ \t]+["']?([^\s"';&|)]+)/gm,
	);
	return new Set([...sourced].map(([, word = ""]) => path.posix.basename(word)));
}

/** Programs whose output is filtered or substituted: they are the product under test. */
function lookedAt(command: string): ReadonlySet<string> {
	const piped = command.matchAll(/([^|;&()\n]+)\|\s*(?:[ef]?grep|diff|cmp|jq)\b/g);
	const substituted = command.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g);
	const lines = [...piped, ...substituted].map(([, first, second]) => first ?? second ?? "");
	return executedWords(lines.join("\n"));
}

function configuredBy(command: string): string[] {
	const values = command.matchAll(
		/\s(?:-c|--config|--rcfile|--config-file|--project|-f|--file|--ini|--settings|--env-file|--env-file-if-exists)[\s=]+["']?([^\s"';&|)]+)/g,
	);
	return [...values].map(([, value = ""]) => value);
}

function isPath(word: string): boolean {
	return !word.startsWith("-") && !path.posix.isAbsolute(word) && !/[*?\n]/.test(word);
}

function mainOf({ file, text }: FoundFile): string[] {
	const main = parsePackage(text)["main"];
	const start = typeof main === "string" && main !== "" ? main : "index.js";
	return candidatesOf(path.posix.join(path.posix.dirname(file), start));
}

function isShell({ file, text }: FoundFile): boolean {
	return SHELL.test(file) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text);
}

function withoutHashes(text: string): string {
	return text.replaceAll(/^[ \t]*#.*$/gm, "");
}

/** Tells whether a file that a check's script imports is tooling, not product. */
function isToolOf(script: string, target: string): boolean {
	const from = path.posix.dirname(script).split("/");
	const to = path.posix.dirname(target).split("/");
	if (isTestFile(target)) return false;
	if (to.some((part) => TOOLS.test(part)) && !PRODUCT.test(to[0] ?? "")) return true;
	// Next to a script at the root or in a product directory is the product.
	if (from[0] === "." || PRODUCT.test(from[0] ?? "")) return false;
	return from.every((part, index) => part === to[index]);
}

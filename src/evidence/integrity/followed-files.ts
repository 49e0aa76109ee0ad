import path from "node:path";
import { type CommandClosure, commandClosure } from "./command-closure.ts";
import { modulesOf } from "./command-modules.ts";
import { executedWords } from "./executed-words.ts";
import { candidatesOf, importsOf } from "./import-targets.ts";
import { parsePackage } from "./runner-config.ts";
import { isTestFile } from "./test-files.ts";

/** Files that are read to follow one command. */
const MAX_FILES = 200;

const SHELL = /\.(?:sh|bash|zsh|ksh)$/;
const READABLE = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|ksh)$/;

/** Directories that hold what runs a project, not the project. */
const TOOLS = /^(?:scripts?|tools?|tooling|ci|\.ci|build-tools|hack|\.husky|\.config|bench|dev)$/;
/** Directories that may hold the product itself. */
const PRODUCT = /^(?:src|lib|app|apps|packages|server|client|pkg|cmd|internal|core|dist)$/;

/** What a command runs, as far as the base shows it. */
export interface Followed {
	readonly closure: CommandClosure;
	/** Files that may not change or vanish. */
	readonly named: ReadonlySet<string>;
	/** Files that may not appear either: they would be found before, or instead of, a named one. */
	readonly shadows: ReadonlySet<string>;
	readonly python: ReadonlySet<string>;
	readonly folders: readonly string[];
}

export interface FollowRules {
	/** Text of a file of the base; null when it is not there. */
	readBase(path: string): Promise<string | null>;
	/** package.json of the base. */
	readonly manifest: string | null;
	/**
	 * `all`: what the command runs is guarded, and may not be new either: for agents' programs. `tools`: every file
	 * that it names, when it is there. What a script names or imports in its turn is followed within its own directory and into
	 * directories of tools; never into the product or its tests, which the player works on and a coach may run.
	 */
	readonly reach: "all" | "tools";
}

/** What is known while a command is followed. */
interface Trail {
	closure: CommandClosure;
	readonly named: Set<string>;
	readonly shadows: Set<string>;
	/** Places still to be read, each as its candidates in order. */
	readonly queue: (readonly string[])[];
}

/**
 * Follows a command through package.json scripts, shell scripts, the modules that it starts and what
 * these import. It reads the base alone, at most 200 files, each once.
 *
 * @param run shell line; program and arguments joined by spaces will do
 */
export async function followCommand(run: string, rules: FollowRules): Promise<Followed> {
	const closure = commandClosure(run, rules.manifest);
	const trail: Trail = { closure, named: new Set(), shadows: new Set(), queue: [] };
	nameWords(trail, rules);
	const seen = new Set<string>();
	for (const next of following(trail.queue)) {
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

/** The places of a queue, with those that are put there meanwhile. */
function* following(queue: (readonly string[])[]): Generator<readonly string[]> {
	for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
}

/** Takes up every path that the words of the command name. */
function nameWords(
	{ closure, named, shadows, queue }: Trail,
	{ reach }: FollowRules,
	isReached: (place: string) => boolean = () => true,
): void {
	const { scripts, roots } = modulesOf(closure.lines.join("\n"));
	// A command may name the very files that the work is about: only what it runs counts, and what configures it.
	const lines = closure.lines.join("\n");
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

/** Guards a file that is there, and takes up what it leads to. */
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
		nameWords(trail, rules, (place) => rules.reach === "tools" || isToolOf(file, place));
	}
	if (file.endsWith("/package.json")) trail.queue.push(mainOf(found));
	if (rules.reach === "tools" && isTestFile(file)) return;
	const imports = importsOf(file, text).filter(([target = ""]) => isToolOf(file, target));
	trail.queue.push(...imports);
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

/** Names of scripts that check something, rather than being what is checked. */
const CHECKS =
	/check|test|spec|verif|valid|lint|smoke|boot|e2e|audit|assert|accept|bench|run|suite|gate|prove|cover|\bci\b|\bqa\b/i;
/** Programs in these languages are as often the product as a check of it; a shell script seldom is. */
const LANGUAGES = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|R)$/;

/**
 * A check may well run the product itself, which the player works on: whatever lies where products lie, and a program
 * whose name does not say that it checks, outside the directories of tools.
 */
function isProduct(place: string): boolean {
	const folders = place.split("/");
	const name = folders.pop() ?? "";
	if (PRODUCT.test(folders[0] ?? "")) return true;
	if (folders.some((part) => TOOLS.test(part))) return false;
	return LANGUAGES.test(name) && !CHECKS.test(name);
}

/** Programs whose output is compared, by a filter or in a substitution: the product, seen at work. */
function lookedAt(command: string): ReadonlySet<string> {
	const piped = command.matchAll(/([^|;&()\n]+)\|\s*(?:[ef]?grep|diff|cmp|jq)\b/g);
	const substituted = command.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g);
	const lines = [...piped, ...substituted].map(([, first, second]) => first ?? second ?? "");
	return executedWords(lines.join("\n"));
}

/** Values of options by which tools are told their configuration: `--config ci/lint.json`. */
function configuredBy(command: string): string[] {
	const values = command.matchAll(
		/\s(?:-c|--config|--rcfile|--config-file|--project|-f|--file|--ini|--settings)[\s=]+["']?([^\s"';&|)]+)/g,
	);
	return [...values].map(([, value = ""]) => value);
}

function isPath(word: string): boolean {
	return !word.startsWith("-") && !path.posix.isAbsolute(word) && !/[*?\n]/.test(word);
}

/** Where the directory of a package.json starts. */
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

/** Whether a file that a check's script imports belongs to what runs the check. */
function isToolOf(script: string, target: string): boolean {
	const from = path.posix.dirname(script).split("/");
	const to = path.posix.dirname(target).split("/");
	if (isTestFile(target)) return false;
	if (to.some((part) => TOOLS.test(part)) && !PRODUCT.test(to[0] ?? "")) return true;
	// Beside a script at the root, or among the product, stands the product.
	if (from[0] === "." || PRODUCT.test(from[0] ?? "")) return false;
	return from.every((part, index) => part === to[index]);
}

import path from "node:path";
import type { FileChange } from "../../git/changes.ts";
import { type CommandClosure, commandClosure, scriptsOf } from "./command-closure.ts";
import { shown } from "./path-match.ts";
import {
	changedPackageKeys,
	changedPythonTools,
	isCiFile,
	isRunnerConfig,
} from "./runner-config.ts";
import { isNamedAsTest } from "./test-files.ts";
import type { Integrity, IntegrityRules, TreePair } from "./tree-pair.ts";

/** Files that a program reads without being told, by the program. */
const IMPLIED: readonly (readonly [RegExp, RegExp])[] = [
	[/^(?:make|gmake)$/, /^(?:GNUm|M|m)akefile$/],
	[/^just$/, /^\.?[Jj]ustfile$/],
	[/^task$/, /^[Tt]askfile\.ya?ml$/],
	[/^rake$/, /^[Rr]akefile(?:\.rb)?$/],
	[/^nox$/, /^noxfile\.py$/],
	[/^cargo$/, /^\.cargo\/config(?:\.toml)?$/],
];

const SAMPLES = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|node_modules)\//;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".sh", "/index.js", "/index.ts"];

/** What runs a check, compared with the base: its scripts, the files it names, configuration, CI. */
export async function definitionChanges(pair: TreePair, rules: IntegrityRules): Promise<Integrity> {
	const violations: string[] = [];
	const notes: string[] = [];
	const rootManifest = await pair.readBase("package.json");
	for (const check of rules.checks) {
		const closure = commandClosure(check.run, rootManifest);
		violations.push(...(await changedScripts(pair, check.name, closure)));
		violations.push(...changedFiles(pair.changes, check.name, closure.words));
	}
	for (const change of pair.changes) {
		const found = await configChange(pair, change);
		violations.push(...found.violations);
		notes.push(...found.notes);
	}
	return { violations, notes };
}

const blocks = (violations: readonly string[]): Integrity => ({ violations, notes: [] });
const shows = (note: string): Integrity => ({ violations: [], notes: [note] });

async function configChange(pair: TreePair, change: FileChange): Promise<Integrity> {
	const { path: file, kind } = change;
	if (isCiFile(file)) return blocks([whole(change, "continuous integration")]);
	if (isRunnerConfig(file) && !SAMPLES.test(file)) {
		return kind === "added" && isInNewPackage(file, pair.changes)
			? shows(`${shown(file)}: new configuration in a new package`)
			: blocks([whole(change, "configuration of a test runner or linter")]);
	}
	switch (path.posix.basename(file)) {
		case "conftest.py":
			return kind === "added"
				? shows(`${shown(file)}: new configuration of pytest`)
				: blocks([whole(change, "configuration of pytest")]);
		case "package.json":
			return blocks(await changedKeys(pair, change));
		case "pyproject.toml":
			return blocks(await changedTools(pair, change));
		default:
			return blocks([]);
	}
}

function whole(change: FileChange, what: string): string {
	const was = change.kind === "type-changed" ? "replaced" : change.kind;
	const mend = change.kind === "added" ? "remove it" : "restore it";
	return `${shown(change.path)}: ${what} was ${was}; ${mend}`;
}

async function changedScripts(
	pair: TreePair,
	check: string,
	closure: CommandClosure,
): Promise<string[]> {
	const found: string[] = [];
	for (const change of pair.changes) {
		const isRoot = change.path === "package.json";
		const isNested = change.path.endsWith("/package.json") && isMeant(change.path, closure);
		if (!isRoot && !isNested) continue;
		const baseText = await pair.readBase(change.path);
		// A package that is new has no script that the check ran before.
		if (baseText === null && !isRoot) continue;
		const headText = await pair.readHead(change.path);
		const [base, head] = [scriptsOf(baseText), scriptsOf(headText)];
		const reached = isRoot
			? closure.scripts
			: [...closure.scripts, ...reachedIn(closure, baseText)];
		for (const script of new Set(reached)) {
			if (base.get(script) === head.get(script)) continue;
			found.push(
				`${shown(change.path)}: the script "${script}" that check ${check} runs was changed; restore it`,
			);
		}
	}
	return found;
}

function reachedIn(closure: CommandClosure, manifest: string | null): readonly string[] {
	return commandClosure([...closure.words].join(" "), manifest).scripts;
}

/** Whether a nested package's scripts may run: its directory is named, or several packages are meant. */
function isMeant(file: string, closure: CommandClosure): boolean {
	if (SAMPLES.test(file)) return false;
	const words = [...closure.words].map((word) => path.posix.normalize(word).replace(/\/$/, ""));
	return closure.nested || words.includes(path.posix.dirname(file));
}

function changedFiles(
	changes: readonly FileChange[],
	check: string,
	words: ReadonlySet<string>,
): string[] {
	const named = new Set([...words].flatMap((word) => placesOf(word, words)));
	const implied = IMPLIED.filter(([program]) =>
		[...words].some((word) => program.test(path.posix.basename(word))),
	).map(([, file]) => file);
	return changes.flatMap((change) => {
		const read = implied.some(
			(file) => file.test(change.path) || file.test(path.posix.basename(change.path)),
		);
		// The player may extend a test file; how it weakens one is looked at elsewhere.
		const used = named.has(change.path) && !isNamedAsTest(change.path) && change.kind !== "added";
		if (!read && !used) return [];
		return [whole(change, `a file that check ${check} runs`)];
	});
}

/** Where a word of a command may point to: itself, with an ending, or below a directory it names. */
function placesOf(word: string, words: ReadonlySet<string>): string[] {
	const roots = ["", ...(words.has("cd") ? words : [])];
	return roots.flatMap((root) =>
		ENDINGS.map((ending) => path.posix.normalize(path.posix.join(root, `${word}${ending}`))),
	);
}

function isInNewPackage(file: string, changes: readonly FileChange[]): boolean {
	return changes.some(({ kind, path: other }) => {
		const directory = path.posix.dirname(other);
		const isManifest = /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(other);
		return kind === "added" && isManifest && directory !== "." && file.startsWith(`${directory}/`);
	});
}

async function changedKeys(pair: TreePair, change: FileChange): Promise<string[]> {
	const base = await pair.readBase(change.path);
	if (base === null) return [];
	const keys = changedPackageKeys(base, await pair.readHead(change.path));
	return keys.map(
		(key) => `${shown(change.path)}: the configuration "${key}" was changed; restore it`,
	);
}

async function changedTools(pair: TreePair, change: FileChange): Promise<string[]> {
	const base = await pair.readBase(change.path);
	const head = await pair.readHead(change.path);
	const mend = "was changed; restore its [tool.*] sections";
	return changedPythonTools(base, head)
		? [`${shown(change.path)}: the configuration of test, coverage or lint tools ${mend}`]
		: [];
}

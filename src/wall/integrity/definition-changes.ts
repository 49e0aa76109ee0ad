import path from "node:path";
import { SAMPLES, shown, whole } from "../../evidence/path-match.ts";
import { isNamedAsTest, isTestFile } from "../../evidence/test-files.ts";
import { type Fields, isFields } from "../../formats/reports/json-report.ts";
import type { FileChange } from "../../git/file-change.ts";
import { isManifest } from "../../setups/setup-key.ts";
import { parsePackage } from "../reading/runner-config.ts";
import { isCode } from "../reading/test-places.ts";
import type { IntegrityFindings, IntegrityRules, TreePair } from "../reading/tree-pair.ts";
import { edited, final, type Violation, violationOf } from "../reading/violation.ts";
import {
	type CommandClosure,
	commandClosure,
	INSTALL_SCRIPTS,
	PACKAGE_RUNNERS,
	scriptsOf,
} from "./command-closure.ts";
import { configChange } from "./config-changes.ts";
import { type Followed, followCommand } from "./followed-files.ts";
import { lockChanges } from "./lock-changes.ts";
import { runsSame } from "./make-lines.ts";
import { hijackChanges } from "./runner-hijack.ts";

const EXCLUDES =
	/\b(?:c8|v8|istanbul)[ \t]+ignore\b|\bnode:coverage[ \t]+(?:disable|ignore)\b|\bpragma:[ \t]*no[ \t]*(?:cover|branch)\b|\bLCOV_EXCL_|\bGCOVR?_EXCL|\bnocov\b|\bcoverage:ignore\b|\bcoverage\(off\)|@codeCoverageIgnore|\bExcludeFromCodeCoverage\b/i;

/** Lines that are never run by tests in any project. */
const USUAL = /__name__[ \t]*==|\bTYPE_CHECKING\b/;

const CONFIGURED: readonly string[] = [
	".c8rc.json",
	".nycrc",
	".nycrc.json",
	".coveragerc",
	"package.json",
	"setup.cfg",
	"pyproject.toml",
	"tox.ini",
	"pytest.ini",
	"jest.config.json",
].concat(
	["vitest", "vite", "jest"].flatMap((name) =>
		["ts", "js", "mts", "mjs", "cjs"].map((ending) => `${name}.config.${ending}`),
	),
);

/**
 * New comments that exclude product code from the coverage, where the checks measure it.
 *
 * @param measures whether a check is of kind `coverage` or its command says so
 */
async function exclusionChanges(pair: TreePair, measures: boolean): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const { path, kind } of pair.changes) {
		if (kind === "deleted" || !isCode(path) || isTestFile(path)) continue;
		const head = exclusionsIn(await pair.readHead(path));
		if (head.length === 0) continue;
		const added = head.length - exclusionsIn(await pair.readBase(path)).length;
		if (added <= 0) continue;
		const [line = 0] = head.slice(-added);
		found.push(edited(path, `line ${line} excludes code from the coverage; remove the comment`));
	}
	return found.length === 0 || measures || (await isConfigured(pair)) ? found : [];
}

function exclusionsIn(text: string | null): number[] {
	return (text ?? "")
		.split("\n")
		.flatMap((line, index) => (EXCLUDES.test(line) && !USUAL.test(line) ? [index + 1] : []));
}

async function isConfigured(pair: TreePair): Promise<boolean> {
	for (const file of CONFIGURED) {
		if (/\bcov(?:erage)?\b/i.test((await pair.readBase(file)) ?? "")) return true;
	}
	return false;
}

const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** Version specifiers that do not refer to the registry's package with that name. */
const REDIRECT =
	/^(?:file|link|portal|workspace|patch|exec|npm|git|git\+\w+|https?|github|gitlab|bitbucket|gist):|^\.{0,2}\/|^[\w.-]+\/[\w.-]+(?:#|$)/;

/** Programs that checks commonly run through. */
const PROGRAMS: ReadonlySet<string> = new Set([
	"node",
	"npm",
	"npx",
	"sh",
	"bash",
	"env",
	"python",
]);

/**
 * Dependencies that now come from a different source, and packages of the repository that replace a program that a
 * command runs. New dependencies and other versions are allowed.
 *
 * @param words of all commands
 */
async function dependencyChanges(
	pair: TreePair,
	words: ReadonlySet<string>,
): Promise<IntegrityFindings> {
	const violations: Violation[] = [];
	const notes: string[] = [];
	const root = specifiersOf(parsePackage(await baseManifest(pair)));
	for (const { path: file, kind } of pair.changes) {
		if (kind === "deleted" || SAMPLES.test(file)) continue;
		const name = path.posix.basename(file);
		if (name !== "package.json") continue;
		const base = parsePackage(await pair.readBase(file));
		const head = parsePackage(await pair.readHead(file));
		violations.push(...redirected(file, base, head));
		notes.push(...otherVersions(file, base, head, words));
		if (file !== "package.json") violations.push(...impostors(file, base, head, words, root));
	}
	violations.push(...(await lockChanges(pair)));
	return { violations, notes };
}

function baseManifest(pair: TreePair): Promise<string | null> {
	return pair.changes.some(({ path: file }) => file.endsWith("package.json"))
		? pair.readBase("package.json")
		: Promise.resolve(null);
}

function specifiersOf(manifest: Fields): Map<string, string> {
	return new Map(SECTIONS.flatMap((section) => strings(manifest[section])));
}

function overridesOf(manifest: Fields): Map<string, string> {
	const pnpm = isFields(manifest["pnpm"]) ? manifest["pnpm"]["overrides"] : undefined;
	return new Map(
		[manifest["overrides"], manifest["resolutions"], pnpm].flatMap((part) => strings(part)),
	);
}

function strings(value: unknown, at = "", depth = 0): [string, string][] {
	if (!isFields(value) || depth > 20) return [];
	return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
		const name = at === "" ? key : `${at} > ${key}`;
		return typeof inner === "string" ? [[name, inner]] : strings(inner, name, depth + 1);
	});
}

function redirected(file: string, base: Fields, head: Fields): Violation[] {
	const before = specifiersOf(base);
	const direct = [...specifiersOf(head)].filter(([name, specifier]) => {
		const had = before.get(name);
		return had !== undefined && REDIRECT.test(specifier) && placeOf(had) !== placeOf(specifier);
	});
	const had = overridesOf(base);
	const replaced = [...overridesOf(head)].filter(
		([name, specifier]) => REDIRECT.test(specifier) && had.get(name) !== specifier,
	);
	return [...direct, ...replaced].map(([name, specifier]) =>
		edited(
			file,
			`the package ${shown(name)} now comes from ${shown(specifier)}; restore its version`,
		),
	);
}

/** A specifier without its version: `npm:other@2` gives `npm:other`. */
function placeOf(specifier: string): string {
	if (!REDIRECT.test(specifier)) return "registry";
	return specifier.startsWith("workspace:")
		? "workspace:"
		: specifier.replace(/(?<=.)[@#][^@#/]*$/, "");
}

function otherVersions(
	file: string,
	base: Fields,
	head: Fields,
	words: ReadonlySet<string>,
): string[] {
	const after = specifiersOf(head);
	return [...specifiersOf(base)]
		.filter(([name, specifier]) => words.has(name) && after.get(name) !== specifier)
		.map(
			([name, specifier]) =>
				`${shown(file)}: the version of ${name}, which a command runs, was ${specifier} and is ${after.get(name) ?? "none"}`,
		);
}

function impostors(
	file: string,
	base: Fields,
	head: Fields,
	words: ReadonlySet<string>,
	root: ReadonlyMap<string, string>,
): Violation[] {
	const [had, has] = [binsOf(base), binsOf(head)];
	const bins = has.filter((bin) => !had.includes(bin) && (words.has(bin) || PROGRAMS.has(bin)));
	const { name } = head;
	const specifier = typeof name === "string" ? root.get(name) : undefined;
	const taken = name !== base["name"] && specifier !== undefined && !REDIRECT.test(specifier);
	return [
		...bins.map((bin) =>
			edited(file, `its program "${bin}" replaces one that a command runs; rename it`),
		),
		...(taken
			? [edited(file, `it has the same name as the dependency ${String(name)}; rename it`)]
			: []),
	];
}

function binsOf({ name, bin }: Fields): string[] {
	if (typeof bin === "string") return [String(name).replace(/^@[^/]*\//, "")];
	return isFields(bin) ? Object.keys(bin) : [];
}

/** Files that a program reads by default, with the program. */
export const IMPLIED: readonly (readonly [RegExp, RegExp])[] = [
	[/^(?:make|gmake)$/, /^(?:GNUm|M|m)akefile$/],
	[/^just$/, /^\.?[Jj]ustfile$/],
	[/^task$/, /^[Tt]askfile\.ya?ml$/],
	[/^rake$/, /^[Rr]akefile(?:\.rb)?$/],
	[/^nox$/, /^noxfile\.py$/],
	[/^cargo$/, /^\.cargo\/config(?:\.toml)?$/],
];

/** Programs that start others which their own configuration names. */
const STARTERS = /^(?:pre-commit|lefthook|trunk|lint-staged|tox|nox|just|task|turbo|nx|lerna)$/;

/** A command that must run the same files as at the base. */
interface Source {
	/** For messages, such as `check tests`. */
	readonly owner: string;
	readonly run: string;
	readonly reach: "all" | "tools";
	/** Additional files that must not change. */
	readonly files?: readonly string[];
	/** Files that may change even though the command names them. */
	readonly mayChange: (path: string) => boolean;
}

export async function definitionChanges(
	pair: TreePair,
	rules: IntegrityRules,
	replayed: boolean,
): Promise<IntegrityFindings> {
	if (pair.changes.length === 0) return { violations: [], notes: [] };
	const found: IntegrityFindings[] = [];
	const manifest = await pair.readBase("package.json");
	const words = new Set<string>();
	for (const source of sourcesOf(rules)) {
		const { run, reach, owner } = source;
		const readBase = (file: string) => pair.readBase(file);
		const followed = await followCommand(run, { readBase, manifest, reach });
		for (const word of followed.closure.words) words.add(word);
		const violations = [
			...(await changedScripts(pair, owner, followed.closure)),
			...changedFiles(await unlikeMakefiles(pair, followed), source, followed),
			...(await hijackChanges(pair, owner, followed)),
		];
		found.push({ violations, notes: [] });
	}
	found.push(await dependencyChanges(pair, words));
	const measures =
		rules.checks.some(({ kind }) => kind === "coverage") ||
		[...words].some((word) => /\bc(?:8|ov)\b|\bnyc\b|coverage/i.test(word));
	found.push({ violations: await exclusionChanges(pair, measures), notes: [] });
	const mayUse = (linter: string): boolean =>
		[...words].some((word) => word.includes(linter) || STARTERS.test(word)) ||
		// What a script does that nobody can read is not known.
		(manifest === null && [...words].some((word) => PACKAGE_RUNNERS.has(word)));
	const use = { words, mayUse, replayed };
	for (const change of pair.changes) found.push(await configChange(pair, change, use));
	return {
		violations: found.flatMap(({ violations }) => violations),
		notes: found.flatMap(({ notes }) => notes),
	};
}

function sourcesOf({
	checks,
	checklist = [],
	setup = [],
	commands = [],
}: IntegrityRules): Source[] {
	return [
		...checks.map(({ name, run }): Source => {
			// The player may extend a test file; `testChanges` finds weakened ones.
			return { owner: `check ${name}`, run, reach: "tools", mayChange: isNamedAsTest };
		}),
		...checklist.map((run): Source => {
			return { owner: "the checklist", run, reach: "tools", mayChange: isNamedAsTest };
		}),
		...setup.map((run): Source => {
			return { owner: "setup", run, reach: "tools", mayChange: isManifest };
		}),
		...commands.map(({ owner, run, files = [] }): Source => {
			return { owner, run, files, reach: "all", mayChange: isManifest };
		}),
	];
}

async function changedScripts(
	pair: TreePair,
	owner: string,
	closure: CommandClosure,
): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const { path: file } of pair.changes) {
		if (path.posix.basename(file) !== "package.json") continue;
		const base = await pair.readBase(file);
		const names = await scriptsThatRun(pair, { file, base }, closure);
		if (names.size === 0) continue;
		const [before, after] = [scriptsOf(base), scriptsOf(await pair.readHead(file))];
		for (const name of names) {
			if (before.get(name) === after.get(name)) continue;
			const change = before.has(name) ? "changed; restore it" : "added; remove it";
			const text = `${shown(file)}: the script "${name}" that ${owner} runs was ${change}`;
			found.push({ path: file, change: "edit", text });
		}
	}
	return found;
}

/** Names of the scripts of a package.json that the command runs, whether they exist or not. */
async function scriptsThatRun(
	pair: TreePair,
	{ file, base }: { readonly file: string; readonly base: string | null },
	closure: CommandClosure,
): Promise<Set<string>> {
	if (file === "package.json") return new Set(closure.scripts);
	const names = new Set<string>();
	// A new package has no script that the command ran before.
	if (base !== null && isMeant(file, closure)) {
		const own = commandClosure([...closure.words].join(" "), base).scripts;
		for (const name of [...closure.scripts, ...own]) names.add(name);
	}
	// An installation runs the install scripts of workspaces and of local dependencies, new or not.
	if (closure.installs && (!SAMPLES.test(file) || (await isDependency(pair, file)))) {
		for (const name of INSTALL_SCRIPTS) names.add(name);
	}
	return names;
}

async function isDependency(pair: TreePair, file: string): Promise<boolean> {
	const root = await pair.readHead("package.json");
	return root?.includes(path.posix.dirname(file)) === true;
}

function isMeant(file: string, closure: CommandClosure): boolean {
	if (SAMPLES.test(file)) return false;
	const words = [...closure.words].map((word) => path.posix.normalize(word).replace(/\/$/, ""));
	return closure.nested || words.includes(path.posix.dirname(file));
}

/** The changes without those of a Makefile that runs the same for the command. */
async function unlikeMakefiles(pair: TreePair, { closure }: Followed): Promise<FileChange[]> {
	const kept: FileChange[] = [];
	for (const change of pair.changes) {
		const isMakefile = /^(?:GNUm|M|m)akefile$/.test(change.path) && change.kind === "modified";
		const [base, head] = isMakefile
			? [await pair.readBase(change.path), await pair.readHead(change.path)]
			: [null, null];
		if (base === null || head === null || !runsSame(base, head, closure.words)) kept.push(change);
	}
	return kept;
}

function changedFiles(
	changes: readonly FileChange[],
	{ owner, reach, mayChange, files = [] }: Source,
	{ named, shadows, closure }: Followed,
): Violation[] {
	const implied = IMPLIED.filter(([program]) =>
		[...closure.words].some((word) => program.test(path.posix.basename(word))),
	).map(([, file]) => file);
	const what = `a file that ${owner} runs`;
	return changes.flatMap((change) => {
		const read = implied.some(
			(file) => file.test(change.path) || file.test(path.posix.basename(change.path)),
		);
		const used = change.kind === "added" ? shadows : named;
		const given = change.kind !== "added" && files.includes(change.path);
		return read || given || (used.has(change.path) && !mayChange(change.path))
			? [reach === "all" ? final(change.path, whole(change, what)) : violationOf(change, what)]
			: [];
	});
}

import path from "node:path";
import { SAMPLES, shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import { addedLines } from "../reading/added-lines.ts";
import {
	changedJsonKeys,
	changedPackageKeys,
	changedPythonTools,
	isCiFile,
	isRunnerConfig,
} from "../reading/runner-config.ts";
import type { IntegrityFindings, TreePair } from "../reading/tree-pair.ts";
import { edited, type Violation, violationOf } from "../reading/violation.ts";
import { STEERING } from "./addition-rules.ts";

interface BuildFile {
	readonly name: RegExp;
	readonly what: string;
	readonly parts: (text: string) => readonly string[];
	/** New parts are allowed; only those of the base must stay. */
	readonly mayGrow?: true;
}

/** Maximum number of blocks to read completely; of further ones only the first line counts. */
const MAX_BLOCKS = 100;
/** Maximum characters of one block. */
const MAX_BLOCK = 20_000;

const matches = (pattern: RegExp) => (text: string) =>
	[...text.matchAll(pattern)].map(([part]) => part);

const BUILD_FILES: readonly BuildFile[] = [
	{
		name: /^pom\.xml$/,
		what: "the configuration of surefire or failsafe",
		parts: mavenParts,
	},
	{
		name: /^build\.gradle(?:\.kts)?$/,
		what: "the configuration of its tests",
		parts: gradleParts,
	},
	{
		name: /^Cargo\.toml$/,
		what: "what Cargo tests",
		parts: matches(
			/^[ \t]*\[(?:\[test\]|profile\.test)[^[]*|^[ \t]*(?:test|autotests|doctest|harness)\s*=.*$/gm,
		),
	},
	{
		name: /\.(?:cs|fs|vb)proj$|^Directory\.Build\.(?:props|targets)$/,
		what: "which project has tests",
		parts: matches(
			/<IsTestProject>[^<]*<|<RunSettingsFilePath>[^<]*<|<Target\b[^<>]*VSTest[^<>]*>/g,
		),
	},
	{
		name: /^CMakeLists\.txt$/,
		what: "a line that adds tests",
		parts: matches(
			/^[ \t]*(?:add_test|enable_testing|include\s*\(\s*CTest|gtest_\w+|catch_discover_tests|set_tests_properties)\b[^)]*\)?/gim,
		),
		mayGrow: true,
	},
];

function isBuildFile(file: string): boolean {
	return BUILD_FILES.some(({ name }) => name.test(path.posix.basename(file)));
}

/**
 * The part of a build file's test configuration that differs; undefined when none does.
 *
 * @example a pom.xml with a new dependency gives undefined, one whose surefire skips tests
 * "the configuration of surefire or failsafe"
 */
export function changedBuildFile(
	file: string,
	base: string | null,
	head: string | null,
): string | undefined {
	const kind = BUILD_FILES.find(({ name }) => name.test(path.posix.basename(file)));
	if (kind === undefined) return undefined;
	const [before, after] = [normal(kind.parts(base ?? "")), normal(kind.parts(head ?? ""))];
	const left = [...after];
	const kept = before.every((part) => {
		const at = left.indexOf(part);
		if (at >= 0) left.splice(at, 1);
		return at >= 0;
	});
	return kept && (kind.mayGrow === true || left.length === 0) ? undefined : kind.what;
}

function normal(parts: readonly string[]): string[] {
	return parts.map((part) => part.replaceAll(/\s+/g, " ").trim());
}

function mavenParts(text: string): string[] {
	const plugins = text.split("<plugin>").slice(1);
	const tests = plugins
		.map((plugin) => plugin.slice(0, Math.max(0, plugin.indexOf("</plugin>"))))
		.filter((plugin) => /surefire|failsafe/.test(plugin));
	const lines = text
		.split("\n")
		.filter((line) =>
			/skipTests|skipITs|maven\.test|testFailureIgnore|testSourceDirectory|surefire\./.test(line),
		);
	return [...tests, ...lines];
}

function gradleParts(text: string): string[] {
	const parts: string[] = [];
	let from = 0;
	for (const line of text.split("\n")) {
		const isBlock = line.includes("{") && /\b(?:test|Test|integrationTest)\b/.test(line);
		if (isBlock) parts.push(parts.length < MAX_BLOCKS ? braced(text, from) : line);
		else if (/ignoreFailures|testClassesDirs|onlyIf|excludeTask/.test(line)) parts.push(line);
		from += line.length + 1;
	}
	return parts;
}

/** From a place to the brace that closes the first one after it. */
function braced(text: string, from: number): string {
	let depth = 0;
	const end = Math.min(text.length, from + MAX_BLOCK);
	for (let at = text.indexOf("{", from); at < end; at += 1) {
		if (text[at] === "{") depth += 1;
		if (text[at] === "}") depth -= 1;
		if (depth === 0) return text.slice(from, at + 1);
	}
	return text.slice(from, end);
}

const HOOKS =
	/\bpytest_\w+|\bhookimpl\b|\bsys\s*\.\s*modules\b|\b_pytest\b|\bbuiltins\b|\bimportlib\b|\bpytest\s*\.\s*(?:exit|skip|xfail)\b|\bcollect_ignore|\bos\s*\.\s*_exit\b|\b(?:exec|eval|__import__)\s*\(/;

const blocks = (violations: readonly Violation[]): IntegrityFindings => ({ violations, notes: [] });
const shows = (note: string): IntegrityFindings => ({ violations: [], notes: [note] });

export interface ConfigUse {
	/** Words of all commands; some files count only if their program is used. */
	readonly words: ReadonlySet<string>;
	readonly mayUse: (linter: string) => boolean;
	readonly replayed: boolean;
}

/**
 * Judges a changed file that configures tests, linters, coverage or continuous integration.
 *
 */
export async function configChange(
	pair: TreePair,
	change: FileChange,
	use: ConfigUse,
): Promise<IntegrityFindings> {
	const { path: file, kind } = change;
	const { mayUse } = use;
	if (isCiFile(file)) return blocks([violationOf(change, "continuous integration")]);
	if (SAMPLES.test(file) && kind === "added") return blocks([]);
	if (isUnusedLinter(file, mayUse))
		return shows(`${shown(file)}: configuration of a linter that no check uses`);
	if (isRunnerConfig(file) && !SAMPLES.test(file)) {
		return kind === "added" && isInNewPackage(file, pair.changes)
			? shows(`${shown(file)}: new configuration in a new package`)
			: blocks([violationOf(change, "configuration of a test runner or linter")]);
	}
	return isBuildFile(file) ? buildChange(pair, change) : namedConfig(pair, change, use);
}

const LINTERS =
	/^\.?(eslint|oxlint|stylelint|commitlint|flake8|pylint|ruff|mypy|biome|golangci|phpstan|rubocop|jshint|clippy)(?:rc|ignore)?(?:[.-][\w.-]*)?$/;

function isUnusedLinter(file: string, mayUse: (linter: string) => boolean): boolean {
	const linter = LINTERS.exec(path.posix.basename(file))?.[1];
	return linter !== undefined && isRunnerConfig(file) && !mayUse(linter);
}

function namedConfig(
	pair: TreePair,
	change: FileChange,
	{ words, mayUse, replayed }: ConfigUse,
): IntegrityFindings | Promise<IntegrityFindings> {
	const { path: file, kind } = change;
	switch (path.posix.basename(file)) {
		case "conftest.py":
			if (kind === "added") return newConftest(pair, change);
			return replayed && kind === "modified"
				? changedConftest(pair, change)
				: blocks([violationOf(change, "configuration of pytest")]);
		case "package.json":
			return changedKeys(pair, change);
		case "pyproject.toml":
			return changedTools(pair, change, mayUse);
		case "deno.json":
		case "deno.jsonc":
			return changedEntries(pair, file, words.has("deno") ? DENO : []);
		case "composer.json":
			return changedEntries(pair, file, words.has("composer") ? ["scripts"] : []);
		default:
			return ENVIRONMENT.test(file) ? newSteering(pair, change) : blocks([]);
	}
}

const ENVIRONMENT = /(?:^|\/)\.env(?:rc)?(?:\.[\w.-]+)?$/;

/** Lines of such a file that make programs load other code. */
async function newSteering(pair: TreePair, change: FileChange): Promise<IntegrityFindings> {
	const { path: file, kind } = change;
	const base = kind === "added" ? "" : ((await pair.readBase(file)) ?? "");
	const added = addedLines(base, (await pair.readHead(file)) ?? "");
	const names = added.flatMap(({ text }) => STEERING.exec(text)?.[1] ?? []);
	return blocks(
		names.map((name) =>
			edited(file, `sets ${name}, which makes programs load other code; remove it`),
		),
	);
}

const DENO = ["test", "tasks"];

async function newConftest(pair: TreePair, { path: file }: FileChange): Promise<IntegrityFindings> {
	if (!file.includes("/")) {
		const text = `${file}: a new conftest.py at the root affects every test; put fixtures beside the tests`;
		return blocks([{ path: file, change: "edit", text }]);
	}
	const text = `${shown(file)}: this new conftest.py changes how tests run; keep fixtures only`;
	return HOOKS.test((await pair.readHead(file)) ?? "")
		? blocks([{ path: file, change: "edit", text }])
		: shows(`${shown(file)}: new configuration of pytest`);
}

/** Fixtures are tests: once the base's own hold, a change of them is for somebody to judge. */
async function changedConftest(pair: TreePair, change: FileChange): Promise<IntegrityFindings> {
	const [base, head] = [await pair.readBase(change.path), await pair.readHead(change.path)];
	const added = addedLines(base ?? "", head ?? "");
	return added.some(({ text }) => HOOKS.test(text))
		? blocks([violationOf(change, "configuration of pytest")])
		: shows(`${shown(change.path)}: fixtures of pytest were changed`);
}

async function buildChange(pair: TreePair, change: FileChange): Promise<IntegrityFindings> {
	const { path: file, kind } = change;
	if (kind === "added") return shows(`${shown(file)}: a new build file`);
	const what = changedBuildFile(file, await pair.readBase(file), await pair.readHead(file));
	return what === undefined
		? shows(`${shown(file)}: this build file was ${kind}`)
		: blocks([edited(file, `${what} was changed; restore it`)]);
}

function isInNewPackage(file: string, changes: readonly FileChange[]): boolean {
	return changes.some(({ kind, path: other }) => {
		const directory = path.posix.dirname(other);
		const isPackage = /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(other);
		return kind === "added" && isPackage && directory !== "." && file.startsWith(`${directory}/`);
	});
}

async function changedKeys(pair: TreePair, { path: file }: FileChange): Promise<IntegrityFindings> {
	const base = await pair.readBase(file);
	if (base === null) return blocks([]);
	const keys = changedPackageKeys(base, await pair.readHead(file));
	return blocks(keys.map((key) => keyChanged(file, key)));
}

async function changedEntries(
	pair: TreePair,
	file: string,
	keys: readonly string[],
): Promise<IntegrityFindings> {
	const [base, head] = [await pair.readBase(file), await pair.readHead(file)];
	return blocks(changedJsonKeys(base, head, keys).map((key) => keyChanged(file, key)));
}

function keyChanged(file: string, key: string): Violation {
	return edited(file, `the configuration "${key}" was changed; restore it`);
}

async function changedTools(
	pair: TreePair,
	{ path: file }: FileChange,
	mayUse: (linter: string) => boolean,
): Promise<IntegrityFindings> {
	const [base, head] = [await pair.readBase(file), await pair.readHead(file)];
	const what = "the configuration of test, coverage or lint tools was changed";
	return changedPythonTools(base, head, mayUse)
		? blocks([edited(file, `${what}; restore its [tool.*] sections`)])
		: blocks([]);
}

import path from "node:path";
import { SAMPLES, shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import { addedLines } from "./added-lines.ts";
import { STEERING } from "./addition-rules.ts";
import { changedBuildFile, isBuildFile } from "./build-files.ts";
import {
	changedJsonKeys,
	changedPackageKeys,
	changedPythonTools,
	isCiFile,
	isRunnerConfig,
} from "./runner-config.ts";
import type { Found, TreePair } from "./tree-pair.ts";
import { edited, type Violation, violationOf } from "./violation.ts";

/** Code in a conftest.py that does more than define fixtures. */
const HOOKS =
	/\bpytest_\w+|\bhookimpl\b|\bsys\s*\.\s*modules\b|\b_pytest\b|\bbuiltins\b|\bimportlib\b|\bpytest\s*\.\s*(?:exit|skip|xfail)\b|\bcollect_ignore|\bos\s*\.\s*_exit\b|\b(?:exec|eval|__import__)\s*\(/;

const blocks = (violations: readonly Violation[]): Found => ({ violations, notes: [] });
const shows = (note: string): Found => ({ violations: [], notes: [note] });

/** How configuration is used. */
export interface ConfigUse {
	/** Words of all commands; some files count only if their program is used. */
	readonly words: ReadonlySet<string>;
	/** Whether the commands may start a linter, as far as their words show. */
	readonly mayUse: (linter: string) => boolean;
	/** The base's own tests, with their configuration, pass on the product. */
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
): Promise<Found> {
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

/** Whether a file configures a linter that the commands of the workflow cannot start. */
function isUnusedLinter(file: string, mayUse: (linter: string) => boolean): boolean {
	const linter = LINTERS.exec(path.posix.basename(file))?.[1];
	return linter !== undefined && isRunnerConfig(file) && !mayUse(linter);
}

function namedConfig(
	pair: TreePair,
	change: FileChange,
	{ words, mayUse, replayed }: ConfigUse,
): Found | Promise<Found> {
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

/** Files of variables that runners and package managers load. */
const ENVIRONMENT = /(?:^|\/)\.env(?:rc)?(?:\.[\w.-]+)?$/;

/** Lines of such a file that make programs load other code. */
async function newSteering(pair: TreePair, change: FileChange): Promise<Found> {
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

async function newConftest(pair: TreePair, { path: file }: FileChange): Promise<Found> {
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
async function changedConftest(pair: TreePair, change: FileChange): Promise<Found> {
	const [base, head] = [await pair.readBase(change.path), await pair.readHead(change.path)];
	const added = addedLines(base ?? "", head ?? "");
	return added.some(({ text }) => HOOKS.test(text))
		? blocks([violationOf(change, "configuration of pytest")])
		: shows(`${shown(change.path)}: fixtures of pytest were changed`);
}

async function buildChange(pair: TreePair, change: FileChange): Promise<Found> {
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

async function changedKeys(pair: TreePair, { path: file }: FileChange): Promise<Found> {
	const base = await pair.readBase(file);
	if (base === null) return blocks([]);
	const keys = changedPackageKeys(base, await pair.readHead(file));
	return blocks(keys.map((key) => keyChanged(file, key)));
}

async function changedEntries(
	pair: TreePair,
	file: string,
	keys: readonly string[],
): Promise<Found> {
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
): Promise<Found> {
	const [base, head] = [await pair.readBase(file), await pair.readHead(file)];
	const what = "the configuration of test, coverage or lint tools was changed";
	return changedPythonTools(base, head, mayUse)
		? blocks([edited(file, `${what}; restore its [tool.*] sections`)])
		: blocks([]);
}

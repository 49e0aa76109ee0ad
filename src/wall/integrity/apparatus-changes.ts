import path from "node:path";
import { SAMPLES } from "../../evidence/path-match.ts";
import { isNamedAsTest } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import { isManifest } from "../../setups/setup-key.ts";
import type { AllowedKind } from "../../workflow/workflow.ts";
import { changedClasses } from "../reading/changed-classes.ts";
import { IMPLIED, MAKEFILE } from "../reading/command-words.ts";
import { importedBy, mentionsOf } from "../reading/imported.ts";
import { onlyUnmade } from "../reading/makefile.ts";
import { foldersOf, type Grown, INSTRUCTS, isAside, isHidden } from "../reading/path-classes.ts";
import { LINTS, lintsBySettings, parsePackage, withoutLint } from "../reading/runner-config.ts";
import { isReadable, isShared, mergeShared, withNewPaths } from "../reading/shared-files.ts";
import type { Sides } from "../reading/sides.ts";
import { isCode, isLintSettings, isLoadedByName } from "../reading/test-places.ts";
import type { IntegrityRules, TreePair } from "../reading/tree-pair.ts";
import { allowanceFor } from "../reading/violation.ts";
import { type Suspicion, type SuspicionRule, suspicion } from "../suspicion.ts";
import { INSTALL_SCRIPTS, scriptsOf } from "./command-closure.ts";
import { declared } from "./declarations.ts";
import { followCommand } from "./followed-files.ts";
import { isSecretName, UNSHOWN } from "./secret-files.ts";
import { aboutLines } from "./shown-lines.ts";
import { rewritten } from "./vanished.ts";
import { onlyVersions } from "./versions.ts";

/** A suspicion that an allowance of its file lifts. */
export interface Liftable {
	readonly path: string;
	readonly change: AllowedKind | null;
	readonly suspicion: Suspicion;
}

/**
 * Changes of the apparatus: of what is neither product nor prose, and of the parts of shared files that are about tests and
 * commands. What cannot act on what is there is none: a test beside others, a helper or data of tests that the change itself
 * uses, a name that is ignored, a script that nothing calls.
 *
 * Files of the base on the tests' side are not told here: a replay says more of them.
 */
export async function apparatusChanges(
	pair: TreePair,
	sides: Sides,
	rules: CommandRules,
): Promise<Liftable[]> {
	const runs = await runBy(pair, rules);
	const ruleOf = await rulesOf(pair, sides, runs);
	const found: Liftable[] = [];
	for (const change of pair.changes) {
		const { path: file, kind } = change;
		const own = kind === "modified" ? await ofBase(pair, file, sides, runs) : null;
		const of = own === null ? ruleOf(change) : "check_changed";
		const isIdle =
			of === null ||
			(of !== "check_changed" && (await isHarmless(pair, change))) ||
			(await onlyUnnamed(pair, change, sides));
		const one = isIdle ? null : await told(pair, change, of, own);
		if (one !== null) found.push({ path: file, change: allowanceFor(change), suspicion: one });
	}
	return found;
}

type CommandRules = Pick<IntegrityRules, "checks" | "checklist" | "setup">;

/** Rules of the changes of apparatus by their paths; null for what is none, or cannot act. */
async function rulesOf(
	pair: TreePair,
	sides: Sides,
	{ isRun }: Runs,
): Promise<(change: FileChange) => SuspicionRule | null> {
	const { classOf, displaces, tests } = await changedClasses(
		pair.changes,
		(file) => pair.readHead(file),
		sides,
	);
	const used = usedBy(tests, new Set(pair.changes.map((one) => one.path)));
	const reaching = (file: string): SuspicionRule | null =>
		isNamedAsTest(file) ||
		isOfCases(file, tests.get(file) ?? "", sides) ||
		used(file) ||
		isApart(file, sides) ||
		isLikeOthers(file, sides)
			? null
			: "beside_tests";
	const ruleOfOther = (change: FileChange): SuspicionRule | null => {
		const { path: file, kind } = change;
		const isApparatus = classOf(file) === "apparatus" || (kind === "deleted" && isShared(file));
		if (!isApparatus || isSample(change) || isIdle(change, sides)) return null;
		return kind !== "added" || !sides.isTestWhenNew(file) ? "apparatus_changed" : reaching(file);
	};
	return (change) => {
		const { path: file } = change;
		if (displaces(change)) return "comes_first";
		// A linter that a check runs is the check.
		if (isLintSettings(file) && isRun(change)) return "check_changed";
		if (sides.tests.has(file))
			return isLoadedByName(file) && !isForPeople(file) ? "apparatus_changed" : null;
		return isRun(change) ? "check_changed" : ruleOfOther(change);
	};
}

/** Settings of editors, of documents, of notices and of what is published: they decide nothing. What hides diffs is told apart. */
const FOR_PEOPLE =
	/(?:^|\/)(?:MANIFEST\.in|\.mailmap|\.release-please-manifest\.json|\.gitattributes|\.git-blame-ignore-revs|\.all-contributorsrc)$|^\.(?:vscode|idea|zed)\/|^\.readthedocs\.ya?ml$|^\.github\/(?:FUNDING|dependabot|ISSUE_TEMPLATE\/[\w-]+)\.ya?ml$/;

/** As well as settings of linters, unless a check runs them. */
const isForPeople = (file: string): boolean => FOR_PEOPLE.test(file) || isLintSettings(file);

/**
 * Tells whether a file acts on nothing: nothing that may decide how work is judged names it, no program finds it by its name,
 * and it stands where no test is looked for.
 */
function isIdle({ path: file, kind }: FileChange, sides: Sides): boolean {
	if (isForPeople(file)) return true;
	// What is installed for benchmarks is for them alone.
	const isInstalled = path.posix.basename(file) === ".npmrc" && isAside(file);
	const isLoaded = isLoadedByName(file) && !isInstalled;
	const isOfTests = isLoaded || (kind === "added" && sides.isTestWhenNew(file));
	if (isAside(file) && !isOfTests) return true;
	const isByProgram = IMPLIED.some(([, by]) => by.test(path.posix.basename(file)));
	const isFound =
		isHidden(file) ||
		(!file.includes("/") && !isCode(file) && !isByProgram) ||
		isManifest(file) ||
		isShared(file) ||
		isOfTests ||
		INSTRUCTS.test(file);
	return !isFound && !sides.isNamed(file);
}

/** A new file in a folder of samples that is no test. */
const isSample = ({ path: file, kind }: FileChange): boolean =>
	kind === "added" && SAMPLES.test(file);

async function told(
	pair: TreePair,
	{ path: file, kind }: FileChange,
	of: SuspicionRule,
	compared: string | null,
): Promise<Suspicion | null> {
	const base = kind === "added" ? "" : (compared ?? (await pair.readBase(file)) ?? "");
	const head = kind === "deleted" ? "" : ((await pair.readHead(file)) ?? "");
	const { gone, fresh } = rewritten(base, head, []);
	const isEmpty = kind === "added" && head.trim() === "";
	if (isEmpty || (kind === "modified" && gone.length + fresh.length === 0)) return null;
	const about = aboutLines(gone, fresh);
	const text = isSecretName(file) ? UNSHOWN : about.text;
	return suspicion({ ...about, rule: of, file, text }, [head]);
}

interface Runs {
	/** Tells whether a file is, or would be, behind the commands of checks, checklist and setup. */
	readonly isRun: (change: FileChange) => boolean;
	/** Some command looks at how files are written. */
	readonly isLinted: boolean;
}

async function runBy(
	pair: TreePair,
	{ checks, checklist = [], setup = [] }: CommandRules,
): Promise<Runs> {
	const manifest = await pair.readBase("package.json");
	const readBase = (file: string) => pair.readBase(file);
	const commands = [...checks.map(({ run }) => run), ...checklist, ...setup];
	const followed = await Promise.all(
		commands.map((run) => followCommand(run, { readBase, manifest, reach: "tools" })),
	);
	const run = [...new Set(followed.flatMap(({ named }) => [...named]))];
	const texts = await Promise.all([...run, "pytest.ini", ".pytest.ini", "setup.cfg"].map(readBase));
	const lines = [
		...followed.flatMap(({ closure }) => closure.lines),
		...texts.map((text) => text ?? ""),
	];
	const isLinted = lines.some((line) => LINTS.test(line));
	const isRun: Runs["isRun"] = ({ path: file, kind }) =>
		(isLinted && isLintSettings(file)) ||
		followed.some(
			({ named, shadows, folders }) =>
				((kind === "added" ? shadows : named).has(file) &&
					!isNamedAsTest(file) &&
					!isManifest(file)) ||
				folders.some((folder) => folder === "." || file.startsWith(`${folder}/`)),
		);
	return { isRun, isLinted };
}

/**
 * A shared file as it would be with the base's parts about tests and commands; null where these are the base's. How files are
 * to be written is a part of them where a command looks at it.
 */
async function ofBase(
	pair: TreePair,
	file: string,
	sides: Sides,
	{ isLinted }: Runs,
): Promise<string | null> {
	if (!isShared(file)) return null;
	const texts = [await pair.readBase(file), await pair.readHead(file)] as const;
	const isTold = isLinted || lintsBySettings(file, texts[0] ?? "");
	const [base, head] = isTold ? texts : texts.map((text) => text && withoutLint(file, text));
	if (base == null || head == null || !isReadable(file, base)) return null;
	if (!isReadable(file, head)) return base;
	if (/^(?:ts|js)config/.test(path.posix.basename(file))) return withNewPaths(base, head);
	const merged = mergeShared(file, base, head);
	if (merged === undefined || path.posix.basename(file) !== "package.json") return merged ?? null;
	// A new script that nothing calls acts on nothing.
	const [had, has] = [scriptsOf(base), scriptsOf(head)];
	const called = (name: string): boolean =>
		sides.words.has(name) ||
		INSTALL_SCRIPTS.includes(name) ||
		had.has(name.replace(/^(?:pre|post)/, ""));
	const idle = [...has].filter(([name]) => !had.has(name) && !called(name));
	const fields = parsePackage(merged);
	const scripts = { ...Object.fromEntries(idle), ...Object.fromEntries(had) };
	const text = JSON.stringify({ ...fields, scripts }, null, 2);
	const { gone, fresh } = rewritten(text, JSON.stringify(parsePackage(head), null, 2), []);
	return gone.length + fresh.length > 0 ? text : null;
}

/** Tells whether a list of ignored files only grew by names; lists of dependencies are kept on purpose. */
async function onlyIgnores(pair: TreePair, { path: file, kind }: FileChange): Promise<boolean> {
	if (!/(?:^|\/)\.\w*ignore$/.test(file) || kind === "deleted") return false;
	const base = kind === "added" ? "" : ((await pair.readBase(file)) ?? "");
	const { gone, fresh } = rewritten(base, (await pair.readHead(file)) ?? "", []);
	return (
		gone.every(({ text }) => isManifest(text.trim().replace(/^\//, ""))) &&
		fresh.every(({ text }) => !text.startsWith("!"))
	);
}

/** Tells whether a change does nothing but pin what was there to other versions, or try more of them. */
async function onlyPins(pair: TreePair, { path: file, kind }: FileChange): Promise<boolean> {
	if (kind !== "modified") return false;
	const [base, head] = [await pair.readBase(file), await pair.readHead(file)];
	return onlyVersions(base ?? "", head ?? "");
}

/** Tells whether a change of a Makefile concerns only what nobody who names its targets makes. */
async function onlyUnnamed(pair: TreePair, change: FileChange, sides: Sides): Promise<boolean> {
	if (change.kind !== "modified" || !MAKEFILE.test(path.posix.basename(change.path))) return false;
	const [base, head] = [await pair.readBase(change.path), await pair.readHead(change.path)];
	const words = sides.wordsBesideMake();
	return words !== null && onlyUnmade(base ?? "", head ?? "", words);
}

const isHarmless = async (pair: TreePair, change: FileChange): Promise<boolean> =>
	(await onlyIgnores(pair, change)) || (await onlyPins(pair, change));

/** Tells which new files the changed tests import or name. */
function usedBy(tests: Grown, files: ReadonlySet<string>): (file: string) => boolean {
	const tree = { files, texts: tests };
	const imported = new Set([...tests.keys()].flatMap((file) => importedBy(file, tree)));
	const named = mentionsOf(tests);
	return (file) =>
		imported.has(file) ||
		[file, ...foldersOf(file)].some((place) => named.has(path.posix.basename(place)));
}

/** Tells whether a new file declares cases beside files of tests of its kind, as where a runner takes all of a folder. */
function isOfCases(file: string, text: string, { tests }: Sides): boolean {
	return declared(text, file) > 0 && !LOADED_FOR_ALL.test(file) && hasSibling(file, tests);
}

/** Names by which runners load a file for all tests beside it, whatever cases it declares. */
const LOADED_FOR_ALL =
	/(?:^|[/._-])(?:conftest|__init__|set_?up|tear_?down|hooks?|globals?|fixtures?|index)\.\w+$/i;

function hasSibling(file: string, tests: Sides["tests"]): boolean {
	return [...tests.keys()].some(
		(other) =>
			path.posix.extname(other) === path.posix.extname(file) &&
			path.posix.dirname(other) === path.posix.dirname(file),
	);
}

/** Tells whether tests beside a new file of data have others of its kind, so that it is one more entry. */
function isLikeOthers(file: string, { tests }: Sides): boolean {
	const isPlain = path.posix.extname(file) !== "" && !path.posix.basename(file).startsWith(".");
	return isPlain && !isCode(file) && !isManifest(file) && hasSibling(file, tests);
}

/** Tells whether a new file stands in a folder that is new as well, so that it acts on new tests only. */
function isApart(file: string, { tests }: Sides): boolean {
	const folder = `${path.posix.dirname(file)}/`;
	return file.includes("/") && ![...tests.keys()].some((other) => other.startsWith(folder));
}

import path from "node:path";
import { pathMatcher, shown, whole } from "../../evidence/path-match.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import { sha256 } from "../../kernel/json.ts";
import { isManifest } from "../../setups/setup-key.ts";
import type { Allowance } from "../../workflow/workflow.ts";
import type {
	EvidencePair,
	Integrity,
	IntegrityRules,
	Otherwise,
	TreePair,
} from "../reading/tree-pair.ts";
import { APART, edited, final, type Violation, violationOf } from "../reading/violation.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";
import { agentChanges } from "./agent-changes.ts";
import { sortByAllowance } from "./allowed.ts";
import { apparatusChanges } from "./apparatus-changes.ts";
import { caseChanges, namesEveryCase, replacesTests } from "./case-changes.ts";
import { caseHomes } from "./case-homes.ts";
import { dependencyChanges } from "./dependency-changes.ts";
import { embeddedTestChanges } from "./embedded-tests.ts";
import { allowedChange, type BaseText, excusesIn, isCaseOf, isOwnCase } from "./excuses.ts";
import { massDeletion } from "./mass-deletion.ts";
import { byCause, workflowsTogether } from "./one-cause.ts";
import { installedChanges } from "./runner-hijack.ts";
import { copiedValues, secretFiles } from "./secret-files.ts";
import { suspectAdditions } from "./suspect-additions.ts";
import { suspectChanges, unprovenChanges } from "./suspect-changes.ts";
import { type TestChanges, testChanges } from "./test-changes.ts";
import { movedTests } from "./test-moves.ts";

const LINK = "120000";
const GITLINK = "160000";

const MAX_STEPS = 40;

/** Links that point outside of the checkout, submodules, and paths that are not in the snapshot. */
async function linkChanges(pair: TreePair): Promise<Violation[]> {
	const violations = pair.embedded.map((text) => final("", text));
	for (const change of pair.changes) {
		if (change.kind === "deleted") continue;
		if (change.newMode === GITLINK) violations.push(final(change.path, submoduleText(change)));
		if (change.newMode !== LINK) continue;
		const target = (await pair.readHead(change.path)) ?? "";
		if (await leaves(pair, change.path, target)) {
			const text = `${shown(change.path)}: this symbolic link points outside of the checkout (${shown(target)}); remove it`;
			violations.push(final(change.path, text));
		}
	}
	return violations;
}

function submoduleText({ path, oldMode, oldOid, newOid }: FileChange): string {
	const to = `commit ${newOid.slice(0, 10)}`;
	const how =
		oldMode === GITLINK ? `moved from commit ${oldOid.slice(0, 10)} to ${to}` : `added at ${to}`;
	return `${shown(path)}: this submodule was ${how}, which no allowance lets pass. Put it back; a person may move it ${APART}`;
}

/**
 * Tells whether a target cannot be read, is absolute, is outside of the checkout, or is in `.git`, also through other links.
 * `..` after another name (`a/../b`) is refused, since `a` may be a link.
 */
async function leaves(pair: TreePair, link: string, target: string, depth = 0): Promise<boolean> {
	if (target === "" || path.posix.isAbsolute(target) || path.win32.isAbsolute(target)) return true;
	if (depth > MAX_STEPS || climbsAgain(target)) return true;
	const parts = path.posix
		.normalize(path.posix.join(path.posix.dirname(link), target))
		.split("/")
		.filter((part) => part !== "." && part !== "");
	if (parts[0] === ".." || parts.some((part) => part.toLowerCase() === ".git")) return true;
	for (let length = 1; length < parts.length; length += 1) {
		const step = parts.slice(0, length).join("/");
		// Only a link has content and paths below it.
		const through = await pair.readHead(step);
		if (through === null) continue;
		const rest = parts.slice(length).join("/");
		return leaves(pair, step, `${through.replace(/\/+$/, "")}/${rest}`, depth + 1);
	}
	return false;
}

function climbsAgain(target: string): boolean {
	const parts = target.split("/").filter((part) => part !== "." && part !== "");
	return parts.some((part, index) => part === ".." && index > 0 && parts[index - 1] !== "..");
}

const PLACES = new Set(["path", "url"]);

const ENTRY = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/** `[submodule "name"]` or another section, optionally followed by an entry on the same line. */
const SECTION = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;

/**
 * A `.gitmodules` that runs a command, points outside of the work tree, or that git cannot read. `git fsck` refuses such
 * a file, and later git commands in the repository would fail.
 */
async function submoduleChanges(pair: TreePair): Promise<Violation[]> {
	const violations: Violation[] = [];
	for (const change of pair.changes) {
		// Some file systems ignore upper and lower case.
		if (change.path.toLowerCase() !== ".gitmodules" || change.kind === "deleted") continue;
		if (change.newMode === LINK) {
			const text = `${shown(change.path)}: the submodule configuration must be a file, not a link`;
			violations.push(final(change.path, text));
			continue;
		}
		const text = await pair.readHead(change.path);
		const problem = text === null ? "cannot be read" : problemIn(text);
		if (problem !== null) {
			const text = `${whole(change, "the submodule configuration")} (${problem})`;
			violations.push(final(change.path, text));
		}
	}
	return violations;
}

function problemIn(text: string): string | null {
	// A backslash at the end continues the line.
	const whole = text.replace(/^\uFEFF/, "").replaceAll(/\\\r?\n/g, "");
	for (const line of whole.split(/\r?\n/)) {
		const problem = lineProblem(line.trim());
		if (problem !== null) return problem;
	}
	return null;
}

function lineProblem(line: string): string | null {
	const section = SECTION.exec(line);
	const name = unquoted(section?.[2] ?? "");
	if (climbs(name) || name.startsWith("-"))
		return `the name ${shown(name)} points outside of its directory`;
	const rest = section === null ? line : (section[3] ?? "");
	if (rest === "" || /^[#;]/.test(rest)) return null;
	const entry = ENTRY.exec(rest);
	if (entry === null) return `git cannot read the line ${shown(rest.slice(0, 100))}`;
	return entryProblem((entry[1] ?? "").toLowerCase(), unquoted(entry[2] ?? ""));
}

function entryProblem(key: string, value: string): string | null {
	if (key === "update" && !/^(?:checkout|rebase|merge|none)$/i.test(value)) {
		return value.startsWith("!") ? "update runs a command" : `update: ${shown(value)} is unknown`;
	}
	if (!PLACES.has(key)) return null;
	if (value.startsWith("-")) return `${key} starts with a dash, so git would take it for an option`;
	if (/\p{Cc}/u.test(value)) return `${key} contains a control character`;
	if (key === "url") return /^(?:ext|fd)::/i.test(value) ? "url runs a command" : null;
	return climbs(value) || value.startsWith("/") ? "path points outside of the work tree" : null;
}

const climbs = (path: string): boolean => path.split(/[/\\]/).includes("..");

const ESCAPES: ReadonlyMap<string, string> = new Map([
	["n", "\n"],
	["t", "\t"],
	["b", "\b"],
]);

function unquoted(value: string): string {
	let result = "";
	let quoted = false;
	for (let at = 0; at < value.length; at += 1) {
		const character = value.charAt(at);
		if (character === '"') quoted = !quoted;
		else if (character === "\\") {
			at += 1;
			const escaped = value.charAt(at);
			result += ESCAPES.get(escaped) ?? escaped;
		} else if (!quoted && /[#;]/.test(character)) break;
		else result += character;
	}
	return quoted ? result : result.trim();
}

/**
 * The tamper wall: compares the definitions of the checks, and the tests, with the base commit. Each violation blocks
 * unless the task allows it; suspicions, also those about added lines, are for somebody to answer; notes are shown.
 *
 * It reads only changed files. It notices a weaker test only by the number of assertions and of tests that ran; a replay
 * of the base's tests decides better, and once it passed (`evidence.replayed`) rewritten tests are suspicions.
 *
 * @param pair the start commit and the frozen commit
 * @param evidence of the checks on both commits, and what a replay says
 * @throws what the readers of the pair throw
 */
export async function checkIntegrity(
	pair: TreePair,
	rules: IntegrityRules,
	evidence: EvidencePair,
): Promise<Integrity> {
	const { allow = [], commands = [], secrets = [] } = rules;
	const places = guardedPlaces(pair.changes, rules);
	const tests = await testSide(pair, allow, evidence);
	const { replayed } = evidence;
	const { holds } = replayed;
	const changed = pair.changes.map(({ path }) => path);
	const embedded = await embeddedTestChanges(pair, (path) => isRunAsTest(path, evidence));
	const asked = [
		...(await apparatusChanges(pair, replayed.sides, rules)),
		...(changed.some(isManifest) ? await dependencyChanges(pair, replayed.sides.words) : []),
		...embedded,
	];
	const additions = await suspectAdditions(pair, replayed.sides, rules.told);
	const found = [
		...places.violations,
		...(commands.length > 0 ? await agentChanges(pair, commands) : []),
		...tests,
		...(await linkChanges(pair)),
		...(await submoduleChanges(pair)),
		...(await newlyKept(pair)),
		...additions.violations,
		...(await unreadableTests(pair)),
	];
	const tested = replayed.sides.tests;
	const ofTests = pair.changes.filter(({ path }) => tested.has(path) || isTestFile(path));
	const sorted = sortByAllowance([...found, ...asked], { changes: pair.changes, ofTests }, allow);
	const left = sorted.left.flatMap((one) => ("text" in one ? [one] : []));
	const blocked = new Set(left.map(({ path }) => path));
	const granted = new Set(sorted.allowed.map(({ path }) => path));
	const isGranted = ({ path, kind }: FileChange): boolean =>
		granted.has(path) && kind === "modified";
	const { kept = new Set<string>() } = evidence;
	const { files: otherwise } = replayed.otherwise ?? NOTHING_OTHERWISE;
	const isSettled = (change: FileChange): boolean =>
		blocked.has(change.path) ||
		kept.has(change.path) ||
		(!isGranted(change) && (!holds || granted.has(change.path)));
	const rewritten =
		ofTests.length > 0
			? await suspectChanges(pair, { tests: tested, otherwise }, isSettled, isGranted)
			: [];
	const isKnown = ({ path }: FileChange): boolean => blocked.has(path) || granted.has(path);
	const untried = { tests: tested, otherwise, isUntried: true };
	const unproven = replayed.isUntried
		? await suspectChanges(pair, untried, isKnown, isGranted)
		: await unprovenChanges(pair, replayed.unproven ?? new Set(), isKnown);
	// No replay brings them back, so what an allowance lets go is shown like other lines of tests.
	const loosened = embedded.flatMap((one) => {
		const { id: _, place, ...about } = one.suspicion;
		const isAsked = one.change !== "delete" && !sorted.left.includes(one);
		return isAsked ? [suspicion({ ...about, rule: "allowed_change" }, [place])] : [];
	});
	const isAdded = pair.changes.some(({ kind }) => kind === "added");
	const secret = isAdded ? await secretFiles(pair, rules) : [];
	// These show all that changed in a file, so that one question about it is enough.
	const caused = [...rewritten, ...unproven];
	const shownWhole = [...caused.map((one) => one.suspicion), ...secret];
	const known = new Set([...blocked, ...shownWhole.map(({ file }) => file)]);
	const questions = sorted.left.flatMap((one) =>
		"suspicion" in one && !known.has(one.path) ? [one.suspicion] : [],
	);
	const suspicions = [
		...bounded(workflowsTogether(questions)),
		...byCause(caused),
		...loosened,
		...additions.suspicions,
		...secret,
		...(secrets.length > 0 ? await copiedValues(pair, secrets) : []),
	];
	const notes = [...(await massDeletion(pair)), ...places.notes, ...sorted.notes];
	return {
		violations: [...new Set(left.map(({ text }) => text))],
		blocked: left.map(({ path: file, change }) => ({ path: file, change })),
		notes: [...new Set(notes)],
		suspicions,
		allowed: sorted.allowed,
	};
}

const MOST_ASKED = 50;

/** Suspicions of which the last stands for all beyond a number that nobody reads. */
function bounded(all: readonly Suspicion[]): readonly Suspicion[] {
	const [first, ...rest] = all.slice(MOST_ASKED);
	if (first === undefined) return all;
	const names = [first, ...rest].map(({ file }) => file);
	const some = names.slice(0, 6).map((name) => `+ ${shown(name)}`);
	const places = all.map(({ place }) => place);
	const digest = sha256(places.join("\n")).slice(0, 8);
	const text = [...some, `+ ... ${names.length} files in all (${digest})`].join("\n");
	const last = suspicion({ ...first, line: null, text }, places);
	return [...all.slice(0, MOST_ASKED), last];
}

const NO_TEST_CHANGED: TestChanges = {
	violations: [],
	assertsAsMuch: true,
	uncounted: new Set(),
};

/** Tells of a document whether the base's run has cases of it, or a command names it. */
function isRunAsTest(path: string, { baseline, replayed }: EvidencePair): boolean {
	const cases = baseline.flatMap((piece) => piece.cases ?? []);
	return replayed.sides.tests.has(path) || cases.some(({ id }) => isCaseOf(id, path, ""));
}

const NOTHING_OTHERWISE: Otherwise = {
	files: new Map(),
	isGone: () => false,
	gone: 0,
};

/** Test files that changed, and tests that no longer run. */
async function testSide(
	pair: TreePair,
	allow: readonly Allowance[],
	evidence: EvidencePair,
): Promise<readonly Violation[]> {
	const everyCase = namesEveryCase(evidence);
	const isTestChanged = pair.changes.some(({ path }) => isTestFile(path));
	const moves = isTestChanged ? movedTests(pair, everyCase) : new Map<string, string>();
	const replayed = evidence.replayed.holds === true;
	const replaced = replacesTests(evidence);
	const { kept = new Set<string>() } = evidence;
	const { files: otherwise, isGone, gone } = evidence.replayed.otherwise ?? NOTHING_OTHERWISE;
	const cases = everyCase ? evidence.baseline.flatMap((piece) => piece.cases ?? []) : [];
	const isListed = (path: string, text: string): boolean =>
		cases.some(({ id }) => isCaseOf(id, path, text));
	const known = { moves, everyCase, isListed, replayed, replaced, kept, otherwise };
	const changed = isTestChanged ? await testChanges(pair, known) : NO_TEST_CHANGED;
	const isKept = replayed && (changed.assertsAsMuch || replaced);
	const isAllowed = allowedChange(allow, !everyCase);
	const tested = evidence.replayed.sides.tests;
	const old: (FileChange & BaseText)[] = [];
	for (const change of pair.changes)
		if (change.kind !== "added" && (isTestFile(change.path) || tested.has(change.path)))
			old.push({ ...change, text: (await pair.readBase(change.path)) ?? "" });
	const homes = caseHomes(tested.keys(), new Map(old.map(({ path, text }) => [path, text])));
	const { isExcused, excused } = excusesIn(old.filter(isAllowed), homes);
	const told = old.filter(
		({ path }) =>
			kept.has(path) || (isKept && isTestFile(path) && (replaced || !changed.uncounted.has(path))),
	);
	const retold = excusesIn(told, homes);
	// What is told otherwise has another name, and is not skipped.
	const isForgiven = (id: string, isSkipped: boolean): boolean =>
		isExcused(id) || isGone(id) || (!isSkipped && retold.isExcused(id));
	const mayLose = excused + retold.excused + gone;
	const homeOf = (id: string): FileChange | undefined =>
		old.find(({ path }) => path === homes.fileOf(id)) ??
		old.find((file) => isOwnCase(id, file, homes));
	const lost = caseChanges(evidence, { moves, isForgiven, homeOf, mayLose });
	return [...changed.violations, ...lost];
}

function guardedPlaces(changes: readonly FileChange[], rules: IntegrityRules) {
	const violations = installedChanges(changes);
	const notes: string[] = [];
	const isProtected = pathMatcher(rules.protected);
	for (const change of changes) {
		const { path, kind } = change;
		if (path === rules.workflowFile)
			violations.push(final(path, whole(change, "the workflow file")));
		if (!isProtected(path)) continue;
		if (kind === "added") notes.push(`${shown(path)}: a new file in a protected place`);
		else violations.push(violationOf(change, "this protected file"));
	}
	return { violations, notes };
}

/** Files that are in the tree only because a .gitignore changed, such as dependencies and caches; lists of dependencies are kept on purpose. */
async function newlyKept(pair: TreePair): Promise<Violation[]> {
	const rulesChanged = pair.changes.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
	if (!rulesChanged) return [];
	const isNew = ({ kind, path }: FileChange): boolean => kind === "added" && !isManifest(path);
	const kept = pair.changes.filter(isNew).map(({ path }) => path);
	const ignored = await pair.ignoredByBase(kept);
	return ignored.map((path) => {
		const text = `${shown(path)}: ignore rules that held at the start exclude this file; remove it`;
		return { path, change: "edit", text };
	});
}

/** Tests that became binary to git and to readers, so that no diff shows what they say. */
async function unreadableTests(pair: TreePair): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const { kind, path } of pair.changes) {
		if (kind === "deleted" || !isTestFile(path)) continue;
		if (!(await pair.readHead(path))?.includes("\0")) continue;
		if (kind === "modified" && (await pair.readBase(path))?.includes("\0")) continue;
		found.push(
			edited(path, "this test file has null bytes, so nobody sees its changes; remove them"),
		);
	}
	return found;
}

import type { FileChange } from "../../git/changes.ts";
import { caseChanges, namesEveryCase } from "./case-changes.ts";
import { definitionChanges } from "./definition-changes.ts";
import { linkChanges, submoduleChanges } from "./link-changes.ts";
import { pathMatcher, shown, whole } from "./path-match.ts";
import { isInstalled } from "./runner-hijack.ts";
import { testChanges } from "./test-changes.ts";
import { movedTests } from "./test-moves.ts";
import type { EvidencePair, Integrity, IntegrityRules, TreePair } from "./tree-pair.ts";

/**
 * The tamper wall: compares the definitions of the checks, and the tests, with the base commit. Each violation blocks;
 * notes are shown.
 *
 * It reads only changed files. It notices a weaker test only by the number of assertions and of tests that ran.
 *
 * @param pair the start commit and the frozen commit
 * @param evidence of the checks on both commits; without it only files are compared
 * @throws what the readers of the pair throw
 */
export async function checkIntegrity(
	pair: TreePair,
	rules: IntegrityRules,
	evidence: EvidencePair,
): Promise<Integrity> {
	const everyCase = namesEveryCase(evidence);
	const moves = movedTests(pair, everyCase);
	const places = guardedPlaces(pair.changes, rules);
	const definitions = await definitionChanges(pair, rules);
	const violations = [
		...places.violations,
		...definitions.violations,
		...(await testChanges(pair, moves, everyCase)),
		...(await linkChanges(pair)),
		...(await submoduleChanges(pair)),
		...(await newlyKept(pair)),
		...caseChanges(evidence, moves),
	];
	const notes = [...(await massDeletion(pair)), ...places.notes, ...definitions.notes];
	return { violations: [...new Set(violations)], notes: [...new Set(notes)] };
}

function guardedPlaces(changes: readonly FileChange[], rules: IntegrityRules): Integrity {
	const violations: string[] = [];
	const notes: string[] = [];
	const isProtected = pathMatcher(rules.protected);
	for (const change of changes) {
		const { path, kind } = change;
		const was = kind === "type-changed" ? "replaced" : kind;
		if (isInstalled(path)) violations.push(whole(change, "a file of an installed package"));
		if (path === rules.workflowFile) violations.push(whole(change, "the workflow file"));
		if (!isProtected(path)) continue;
		if (kind === "added") notes.push(`${shown(path)}: a new file in a protected place`);
		else violations.push(`${shown(path)}: this protected file was ${was}; restore it`);
	}
	return { violations, notes };
}

/** Files that are in the tree only because a .gitignore changed, such as dependencies and caches. */
async function newlyKept(pair: TreePair): Promise<string[]> {
	const rulesChanged = pair.changes.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
	if (!rulesChanged) return [];
	const kept = pair.changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
	const ignored = await pair.ignoredByBase(kept);
	return ignored.map(
		(path) =>
			`${shown(path)}: the ignore rules of the base exclude this file; remove it from the tree`,
	);
}

/** Maximum number of names in a note. */
const NAMES_SHOWN = 20;

/**
 * A note when more than half of the files at the start of the task are deleted, so that an empty tree is noticed. Files
 * that moved unchanged do not count.
 *
 * @returns at most one sentence, with the names of the first 20 files
 */
export async function massDeletion(pair: TreePair): Promise<readonly string[]> {
	const { changes } = pair;
	const added = new Set(changes.flatMap(({ kind, newOid }) => (kind === "added" ? [newOid] : [])));
	const gone = changes.filter(({ kind, oldOid }) => kind === "deleted" && !added.has(oldOid));
	if (gone.length === 0) return [];
	const all = await pair.countBase();
	if (gone.length * 2 <= all) return [];
	const names = gone.slice(0, NAMES_SHOWN).map(({ path }) => shown(path));
	const rest = gone.length > names.length ? ` and ${gone.length - names.length} more` : "";
	return [
		`most of the project was deleted: ${gone.length} of ${all} files: ${names.join(", ")}${rest}`,
	];
}

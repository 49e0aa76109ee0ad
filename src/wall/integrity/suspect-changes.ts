import type { FileChange } from "../../git/file-change.ts";
import { assertionNames, plainModule } from "../language/bound-names.ts";
import { importedNames, placesOf } from "../language/languages.ts";
import type { SideReason } from "../reading/sides.ts";
import { withoutComments } from "../reading/strip-comments.ts";
import { isAmongTests, isCode, isLoadedByName, isTestByName } from "../reading/test-places.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { type Suspicion, type SuspicionRule, suspicion } from "../suspicion.ts";
import type { TextPair } from "./acting-lines.ts";
import { additionsTo } from "./acting-lines.ts";
import { disarmingLines } from "./disarming-lines.ts";
import { withPlainCases } from "./new-cases.ts";
import { type Caused, renamed } from "./one-cause.ts";
import { aboutLines } from "./shown-lines.ts";
import { type Line, plainly, type Rewritten, reordered, rewritten } from "./vanished.ts";

interface SuspectTests {
	/** The base's files on the tests' side. */
	readonly tests: ReadonlyMap<string, SideReason>;
	/** Those with which the product is red, while it is green with the work's. */
	readonly otherwise: ReadonlyMap<string, readonly string[]>;
	/** Nothing was run, so that nobody knows whether the base's tests hold. */
	readonly isUntried?: boolean;
}

/**
 * Changes of what the base's tests consist of, where a replay showed that these tests hold without the changes. Lines
 * that only moved, formatting, comments and additions that disarm nothing are none.
 *
 * @param isSettled whether the change blocks already, or needs no answer
 * @param isAllowed whether the task allows the change, so that the replay says nothing of it
 */
export async function suspectChanges(
	pair: TreePair,
	{ tests, otherwise, isUntried = false }: SuspectTests,
	isSettled: (change: FileChange) => boolean,
	isAllowed: (change: FileChange) => boolean,
): Promise<Caused[]> {
	const changed = pair.changes.filter(
		(change) => change.kind !== "added" && tests.has(change.path) && !isSettled(change),
	);
	if (changed.length === 0) return [];
	const added = await Promise.all(
		pair.changes
			.filter(({ kind, path }) => kind === "added" && isCode(path))
			.map(async ({ path }) => (await pair.readHead(path)) ?? ""),
	);
	const found = await Promise.all(
		changed.map(async (change) => {
			const { path, kind } = change;
			const head = kind === "deleted" ? "" : ((await pair.readHead(path)) ?? "");
			const texts = { path, base: (await pair.readBase(path)) ?? "", head };
			if (!otherwise.has(path) && (await isMovedData(pair, change, texts.base))) return [];
			const { gone, fresh } = await shownOf(texts, {
				pair,
				tests,
				added,
				isAll: otherwise.has(path),
			});
			const about = {
				...aboutLines(gone, fresh),
				...otherExpected(gone, fresh, otherwise.get(path)),
			};
			if (about.text === "") return [];
			const plain = ruleOf(path, isAllowed(change) ? "allowed" : tests.get(path));
			const rule = isUntried ? "changed_unproven" : plain;
			const cause = renamed({ gone, fresh }) ?? redCause(path, otherwise);
			return { suspicion: suspicion({ rule, file: path, ...about }, [head]), cause };
		}),
	);
	return found.flat();
}

/** The red cases of a file, if it has some; all of them where some read data, since which reads which nobody can tell. */
function redCause(path: string, otherwise: SuspectTests["otherwise"]): string | null {
	if (!otherwise.has(path)) return null;
	const isMixed = [...otherwise].some(([file, cases]) => cases.length === 0 || !isCode(file));
	return isMixed ? "red" : `red: ${otherwise.get(path)?.join("\n")}`;
}

/** Data whose text stands in a new file beside it or below: it has another name. */
async function isMovedData(
	pair: TreePair,
	{ path, kind }: FileChange,
	text: string,
): Promise<boolean> {
	if (kind !== "deleted" || isCode(path) || !path.includes("/")) return false;
	const folder = path.slice(0, path.lastIndexOf("/") + 1);
	for (const other of pair.changes)
		if (
			other.kind === "added" &&
			other.path.startsWith(folder) &&
			(await pair.readHead(other.path)) === text
		)
			return true;
	return false;
}

/** Facts about tests that expect something else, where there are some. */
function otherExpected(
	gone: readonly Line[],
	fresh: readonly Line[],
	cases: readonly string[] | undefined,
): Partial<Omit<Suspicion, "kind">> {
	if (cases === undefined) return {};
	const [old, now] = [gone, fresh].map((lines) => lines.map(({ text }) => text).join("\n"));
	const test = cases.join(", ");
	const shown = gone.length + fresh.length > 0 ? {} : { text: `= ${test}` };
	return { rule: "other_expected", expected: { old: old ?? "", new: now ?? "", test }, ...shown };
}

/** Lines of a file of the tests that are gone, or are no longer read, and those that took their place or act on others. */
async function shownOf(
	whole: TextPair,
	{
		pair,
		tests,
		added,
		isAll,
	}: Pick<SuspectTests, "tests"> & {
		readonly pair: TreePair;
		readonly added: readonly string[];
		/** What was only added is shown as well. */
		readonly isAll: boolean;
	},
): Promise<Rewritten> {
	const [base = "", head = ""] = [whole.base, whole.head].map((text) => plainly(whole.path, text));
	const isKept = rewritten(base, head, added).gone.length === 0;
	const texts = { ...whole, base, head: isKept ? withPlainCases(base, head) : head };
	const lines = rewritten(base, texts.head, added);
	const gone = lines.gone.length > 0 ? lines.gone : hidden(texts, added);
	// Lines that still stand there, in their order, are not shown as gone: what was put between them is.
	const isInserted = lines.gone.length === 0 && lines.fresh.length > 0 && onlyInserts(whole);
	const turned = await turnedImports(whole, { pair, tests });
	// What a line acts on is told by what the file imports.
	const named = { ...whole, head: isKept ? withPlainCases(whole.base, whole.head) : whole.head };
	const disarming = gone.length > 0 || isAll ? lines.fresh : disarmingLines(lines.fresh, named);
	return { gone: isInserted ? [] : gone, fresh: [...turned, ...disarming] };
}

function onlyInserts({ path, base, head }: TextPair): boolean {
	const [old = [], now = []] = [base, head].map((text) =>
		withoutComments(text, path).split(/\r?\n/),
	);
	return !additionsTo(now, old).includes(true);
}

/**
 * Every change of files that act on the tests, where no replay could tell whether the base's own tests hold: also lines
 * that only moved or were added.
 *
 * @param files of the base or new ones
 */
export async function unprovenChanges(
	pair: TreePair,
	files: ReadonlySet<string>,
	isSettled: (change: FileChange) => boolean,
): Promise<Caused[]> {
	const changed = pair.changes.filter((change) => files.has(change.path) && !isSettled(change));
	return await Promise.all(
		changed.map(async ({ path: file, kind }) => {
			const base = kind === "added" ? "" : ((await pair.readBase(file)) ?? "");
			const head = kind === "deleted" ? "" : ((await pair.readHead(file)) ?? "");
			const { gone, fresh } = rewritten(base, head, []);
			const about = { rule: "changed_unproven", file, ...aboutLines(gone, fresh) } as const;
			return { suspicion: suspicion(about, [head]), cause: renamed({ gone, fresh }) };
		}),
	);
}

/** Lines of the base that still stand there, and are part of a comment or of a text now, or in another order. */
function hidden({ path, base, head }: TextPair, elsewhere: readonly string[]): readonly Line[] {
	if (!isCode(path)) return [];
	const { gone } = rewritten(withoutComments(base, path), withoutComments(head, path), elsewhere);
	return gone.length > 0 ? gone : reordered(path, base, head, elsewhere);
}

/** Imports by which a test gets a name from another file of the tests, or compares by other assertions. */
async function turnedImports(
	{ path, base, head }: TextPair,
	{ pair, tests }: { readonly pair: TreePair; readonly tests: ReadonlyMap<string, SideReason> },
): Promise<Line[]> {
	const isAmong = async (module: string): Promise<boolean> => {
		for (const place of placesOf(path, module))
			if ((await pair.readHead(place)) !== null) return tests.has(place) || isTestByName(place);
		return false;
	};
	// What moved from one file of the tests to another has left the first.
	const isMoved = async (name: string, from: string): Promise<boolean> => {
		for (const place of placesOf(path, from)) {
			const text = tests.has(place) ? await pair.readHead(place) : null;
			if (text !== null) return text.match(/[\w$]+/g)?.includes(name) !== true;
		}
		return await isAmong(from);
	};
	const asserts = new Set(assertionNames(base));
	const was = new Map(importedNames(path, base).map(({ name, module }) => [name, module]));
	const lines = head.split(/\r?\n/);
	const found: Line[] = [];
	for (const { name, module } of importedNames(path, head)) {
		const before = was.get(name) ?? module;
		if (plainModule(before) === plainModule(module)) continue;
		if (!asserts.has(name) && (!(await isAmong(module)) || (await isMoved(name, before)))) continue;
		const at = lines.findIndex((line) => line.includes(module));
		found.push({ number: at + 1, text: (lines[at] ?? "").trim() });
	}
	return found;
}

function ruleOf(path: string, reason: SideReason | "allowed" | undefined): SuspicionRule {
	if (reason === "allowed") return "allowed_change";
	if (reason === "command") return "check_changed";
	if (isLoadedByName(path) && !isAmongTests(path)) return "apparatus_changed";
	return isCode(path) ? "test_changed" : "test_data_changed";
}

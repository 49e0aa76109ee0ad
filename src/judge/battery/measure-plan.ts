import type { Evidence } from "../../evidence/evidence.ts";
import { type CommitView, commitView } from "../../formats/commit-view.ts";
import { changesBetween, textReader } from "../../git/changes.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { declared } from "../../wall/integrity/declarations.ts";
import { disarmingLines } from "../../wall/integrity/disarming-lines.ts";
import { allowedChange, bySkipAlone } from "../../wall/integrity/excuses.ts";
import { reordered, rewritten } from "../../wall/integrity/vanished.ts";
import type { ImportedName } from "../../wall/language/bound-names.ts";
import { importedNames, languageOf } from "../../wall/language/languages.ts";
import type { ChangedFile } from "../../wall/measure/kept-tests.ts";
import { importedBy } from "../../wall/reading/imported.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import { goneWords } from "../../wall/replay/gone-words.ts";
import { mayAllGo } from "../../wall/replay/void-replay.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import type { Stand } from "../stand.ts";
import { abandonedBy } from "./abandoned.ts";
import type { Replay, ReplayRequest } from "./replay.ts";

export interface MeasureRequest extends Pick<ReplayRequest, "commit" | "start" | "baseline"> {
	/** Runs of the checks in this turn. */
	readonly checked: readonly Evidence[];
	readonly replayed: Replay;
}

/** A check that is green with the work's tests and with the base's, on the work's product. */
export interface MeasuredPair {
	readonly check: CheckDefinition;
	readonly own: Evidence;
	readonly replayed: Evidence;
}

/** Tests of one side, as they stand on the work's product. */
export interface MeasuredSide {
	readonly name: "original" | "changed" | "again";
	/** Commit of the product: the work's, or the base's where its tests are red on the work's. */
	readonly of: string;
	readonly view: CommitView;
	/** Brings the tests of this side to the work's tree. */
	readonly back: readonly TreeEdit[];
	/** Files in which calls are altered. */
	readonly files: readonly string[];
}

export interface MeasurePlan {
	readonly commit: string;
	readonly pairs: readonly MeasuredPair[];
	readonly isTest: (path: string) => boolean;
	/** Changed files of the base's tests, with their texts on the base and in the work. */
	readonly opened: readonly ChangedFile[];
	/** Texts in the work of all changed and new code of the tests. */
	readonly heads: ReadonlyMap<string, string>;
	readonly original: MeasuredSide;
	readonly changed: MeasuredSide;
	/** Changed files whose tests expect something else now. */
	readonly otherwise: ReadonlyMap<string, readonly string[]>;
	/** Set where there are some, or may be: then the base's tests stand on the base's product. */
	readonly isApart: boolean;
	/** Tells of a function or a property by its name whether the product has it no longer, or keeps it to itself. */
	readonly isGone: (name: string, isProperty: boolean) => boolean;
	/** Files of the product that the base's tests import, and that are still there and lead to nothing that is tested now. */
	readonly abandoned: readonly string[];
	/** Changed and new files of the product. */
	readonly product: readonly string[];
}

/** Most files of the tests' side that are measured. */
const MAX_FILES = 200;

/** Plan of the measure; null where no test of the base changed, or both sides are not green. */
export async function measurePlan(
	{ vault, task, workflow }: Pick<Stand, "vault" | "task" | "workflow">,
	{ commit, start, checked, replayed }: MeasureRequest,
): Promise<MeasurePlan | null> {
	const { plan, sides } = replayed;
	const { allow = [] } = task;
	// A file that may be edited is the work's in the replay, so that nothing of it was put back.
	const mayEdit = allow.some(({ change }) => change === "edit");
	if (plan === undefined || (plan.differs !== "changed" && !mayEdit)) return null;
	const acceptance = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const pairs = acceptance.flatMap((check): MeasuredPair[] => {
		const own = checked.find((piece) => piece.check === check.name);
		const again = replayed.evidence.find((piece) => piece.check === replayOf(check.name));
		if (own?.status !== "pass") return [];
		// Where nothing else differs, the run of the check is the replay.
		const held = again ?? (plan.differs === "changed" ? null : own);
		const isGreen = held !== null && (held.status === "pass" || mayAllGo(held));
		return isGreen ? [{ check, own, replayed: held }] : [];
	});
	if (pairs.length < acceptance.length) return null;
	const [base, head] = [commitView(vault, start, start), commitView(vault, start, commit)];
	const all = await changesBetween(vault, start, commit);
	// Who allows an edit asks for something else, and for no less.
	const isLet = allowedChange(allow.filter(({ change }) => change !== "edit"));
	const isBySkip = bySkipAlone(allow);
	const written = new Set(plan.edits.flatMap((one) => (one.kind === "write" ? [one.path] : [])));
	// Where the replay knows which of its cases are skipped, the others are measured.
	const isAllowed = (change: FileChange): boolean =>
		isLet(change) && !(isBySkip(change.path) && written.has(change.path));
	const isEdit = allowedChange(allow.filter(({ change }) => change === "edit"));
	const open = all.flatMap((change) => {
		const isOpen = change.kind !== "added" && sides.tests.has(change.path) && !isAllowed(change);
		return isOpen && isCode(change.path) ? [change.path] : [];
	});
	const added = plan.leftOut.filter(isCode);
	const [old, heads] = [await base.texts(open), await head.texts([...open, ...added])];
	const opened = open
		.map((path) => ({ path, text: old.get(path) ?? "", head: heads.get(path) ?? "" }))
		.filter(mayNoticeLess);
	if (opened.length === 0) return null;
	const tested = [...sides.tests.keys()].filter((path) => languageOf(path) !== null);
	// What is gone comes back only where the base's tests read it.
	const excused = new Set(
		all.filter((one) => one.kind !== "deleted" && isAllowed(one)).map(({ path }) => path),
	);
	const chosen = (await leadingTo(open, tested, base)).filter((path) => !excused.has(path));
	const present = new Set(await head.files());
	const isTest = (path: string): boolean => sides.tests.has(path) || plan.leftOut.includes(path);
	const product = all.flatMap(({ path, kind }) =>
		kind !== "deleted" && !isTest(path) && languageOf(path) !== null ? [path] : [],
	);
	const files = [...chosen, ...added.filter((path) => languageOf(path) !== null)].filter((path) =>
		present.has(path),
	);
	const otherwise = replayed.otherwise?.files ?? new Map<string, never>();
	const edited = all.filter(({ path }) => open.includes(path)).filter(isEdit);
	const isApart = otherwise.size + edited.length > 0;
	const made = [...(await head.texts(product)).values()].join("\n");
	const others = all.filter(({ path }) => !sides.tests.has(path));
	const isWordGone = await goneWords(isApart ? others : [], {
		readBase: textReader(vault, start, { changes: all, side: "old" }),
		readHead: textReader(vault, commit, { changes: all, side: "new" }),
	});
	const isGone = (name: string, isProperty: boolean): boolean =>
		isWordGone(name) || (isProperty && isKeptWithin(name, made));
	const abandoned = await abandonedBy({ base, head, isTest, before: chosen, now: files });
	return {
		commit,
		pairs,
		abandoned,
		isTest,
		otherwise,
		isApart,
		isGone,
		product: product.slice(0, MAX_FILES),
		opened,
		heads,
		original: {
			name: "original",
			of: isApart ? start : commit,
			view: base,
			// On the base's product they are as they were, but for the cases that may be skipped.
			back: plan.edits.filter(({ kind, path }) =>
				isApart ? kind === "write" && isBySkip(path) : !excused.has(path),
			),
			files: chosen,
		},
		changed: {
			name: "changed",
			of: commit,
			view: head,
			back: [],
			files,
		},
	};
}

/** A property that a class no longer shows: it has another name, or is private. */
function isKeptWithin(name: string, text: string): boolean {
	const word = RegExp.escape(name);
	const isPrivate = new RegExp(`\\b(?:private|protected)\\s+(?:readonly\\s+)?${word}\\b`).test(
		text,
	);
	const isShown = new RegExp(
		`\\b(?:this|self)\\.${word}\\b|\\b(?:get|def)\\s+${word}\\b|^\\s*${word}\\s*(?:=|;|:\\s*\\w+\\s*[=;])`,
		"m",
	).test(text);
	return isPrivate || !isShown;
}

/** Lines or imports are gone, or such lines came that can disarm others; what is only added takes nothing away. */
function mayNoticeLess({ path, text, head }: ChangedFile): boolean {
	const { gone, fresh } = rewritten(text, head, []);
	const told = (one: ImportedName): string => `${one.name} ${one.module}`;
	const imported = new Set(importedNames(path, head).map(told));
	return (
		gone.length > 0 ||
		importedNames(path, text).some((one) => !imported.has(told(one))) ||
		reordered(path, text, head, []).length > 0 ||
		disarmingLines(fresh, { path, base: text, head }).length > 0
	);
}

/** Files of the tests that changed, or that use such a one; all where nothing says who uses it. */
async function leadingTo(
	open: readonly string[],
	tested: readonly string[],
	base: CommitView,
): Promise<readonly string[]> {
	const texts = await base.texts(tested);
	const files = new Set(tested);
	const imports = new Map(tested.map((path) => [path, importedBy(path, { files, texts })]));
	const found = new Set(open);
	for (let size = -1; size < found.size; ) {
		size = found.size;
		for (const path of tested)
			if (imports.get(path)?.some((file) => found.has(file)) === true) found.add(path);
	}
	const isUsed = (path: string): boolean =>
		declared(texts.get(path) ?? "", path) > 0 ||
		[...imports.values()].some((files) => files.includes(path));
	const chosen = open.every(isUsed) ? tested.filter((path) => found.has(path)) : tested;
	// What those use is changed along, so that a product that comes by way of a helper is measured.
	for (const path of new Set(chosen)) for (const file of imports.get(path) ?? []) found.add(file);
	return [...new Set([...chosen, ...found])].filter((path) => files.has(path)).slice(0, MAX_FILES);
}

import { whoseFault } from "../../checks/fault-side.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { isNamedAsTest } from "../../evidence/test-files.ts";
import { commitView } from "../../formats/commit-view.ts";
import { changesBetween, textReader, treeOf } from "../../git/changes.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { type CaseHomes, caseHomes } from "../../wall/integrity/case-homes.ts";
import {
	allowedChange,
	type BaseText,
	bySkipAlone,
	type EmptyFinder,
	emptyIn,
	excusesIn,
	excusesOf,
	goneLines,
	homesAmong,
	isOwnCase,
	isRead,
	joinedExcuses,
	skippedIn,
} from "../../wall/integrity/excuses.ts";
import { treeReader } from "../../wall/language/languages.ts";
import type { Sides } from "../../wall/reading/sides.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import type { Otherwise } from "../../wall/reading/tree-pair.ts";
import {
	asOtherwise,
	mayBeOfOthers,
	otherwiseFiles,
	otherwiseIn,
	otherwiseOf,
	redForOtherTests,
	withoutEmpty,
} from "../../wall/replay/otherwise.ts";
import { type KnownSkips, type OwnChanges, ownChanges } from "../../wall/replay/own-lines.ts";
import { type PlanInput, planReplay, type ReplayPlan } from "../../wall/replay/replay-plan.ts";
import { mayAllGo, NOTHING_PASSED } from "../../wall/replay/void-replay.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { keepEvidence } from "../check-suite.ts";
import { sidesAt } from "../judging-vault.ts";
import { ENVIRONMENT_RETRIES, type Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";
import { changedTests } from "./changed-tests.ts";
import { type CheckReplay, type ReplayPlace, replayCheck } from "./replay-check.ts";

export interface ReplayRequest {
	readonly commit: string;
	readonly start: string;
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly stored: readonly Evidence[];
	readonly early: boolean;
}

export interface Replay {
	readonly evidence: readonly Evidence[];
	readonly sides: Sides;
	readonly holds: boolean;
	readonly unproven?: ReadonlySet<string>;
	readonly plan?: ReplayPlan;
	readonly otherwise?: Otherwise;
}

/** Finds the skips of the work's run in each file. Where it names no case, of one file alone can be said which they are. */
function skipsIn(
	{ stored, baseline }: Pick<ReplayRequest, "stored" | "baseline">,
	homes: CaseHomes,
	files: readonly string[],
): (path: string) => KnownSkips {
	const own = stored.filter(({ kind }) => kind === "acceptance");
	const skipped = own.reduce((sum, { check, counts }) => {
		const before = baseline.get(check)?.counts?.skipped ?? 0;
		return sum + Math.max(0, (counts?.skipped ?? 0) - before);
	}, 0);
	if (own.some(({ cases }) => cases === null))
		return () => ({ count: files.length === 1 ? skipped : 0 });
	const fates = skippedIn(
		own.flatMap(({ cases }) => cases ?? []),
		homes,
	);
	return (path) => ({ fatesOf: (names) => fates(path, names) });
}

// Of each acceptance check one piece, for the tree of that commit. What is stored for it already is not run again.
export async function replay(
	ground: Stand,
	place: Omit<ReplayPlace, "attempt">,
	request: ReplayRequest,
): Promise<Replay> {
	const { allow = [] } = ground.task;
	const prepared = await prepare(ground, request, {
		mayChange: allowedChange(allow),
		bySkip: bySkipAlone(allow),
	});
	const { plan, sides } = prepared;
	if (request.early && plan.differs !== "changed") return { evidence: [], sides, holds: false };
	const evidence = await replayChecks(ground, place, request, prepared);
	const holds =
		evidence.length > 0 && evidence.every((piece) => piece.status === "pass" || mayAllGo(piece));
	const isSilent = evidence.some(({ reason }) => reason === NOTHING_PASSED);
	const acting = [...plan.restored, ...plan.leftOut.filter((path) => !isNamedAsTest(path))];
	const isOther = otherwiseIn(evidence).length > 0;
	const changed = isOther ? await changedTests(ground, request, sides) : [];
	const otherwise = otherwiseOf(evidence, changed);
	const unproven = new Set(isSilent ? acting : []);
	return { evidence, sides, holds, unproven, plan, otherwise };
}

interface PreparedReplay
	extends Pick<CheckReplay, "plan" | "sides" | "isBase" | "isExcused" | "excused"> {
	/** Names of the base's cases that need not hold, or files with them where nothing names these. */
	readonly changed: readonly string[];
	readonly emptyIn: EmptyFinder;
}

interface Loosened {
	/** Tells of a change whether it is not held to the base's tests. */
	readonly mayChange: (change: FileChange) => boolean;
	readonly bySkip: (path: string) => boolean;
	/** Of such files only the cases whose own lines changed are not, where these are known; left out: so it is. */
	readonly byCase?: boolean;
}

async function prepare(
	ground: Stand,
	request: ReplayRequest,
	{ mayChange, bySkip, byCase = true }: Loosened,
): Promise<PreparedReplay> {
	const { commit, start } = request;
	const { vault } = ground;
	const changes = await changesBetween(vault, start, commit);
	const sides = await sidesAt(ground, start);
	const readBase = textReader(vault, start, { changes, side: "old" });
	const readHead = textReader(vault, commit, { changes, side: "new" });
	const stays = await namedBy(
		[...sides.tests.keys()].filter(isCode),
		changes.filter((change) => sides.tests.has(change.path) && mayChange(change)),
		readBase,
	);
	const isAllowed = (change: FileChange): boolean => mayChange(change) && !stays.has(change.path);
	const loosened = changes.filter(
		(change) => change.kind !== "added" && sides.tests.has(change.path) && isAllowed(change),
	);
	// A helper that may change acts on cases of files that did not.
	const tests = loosened.length === 0 ? [] : [...sides.tests.keys()].filter(isCode);
	const texts = new Map(await commitView(vault, start, start).texts(tests));
	for (const { path } of loosened) texts.set(path, (await readBase(path)) ?? "");
	const homes = caseHomes(sides.tests.keys(), texts);
	// Of these only the cases whose own lines changed are excused, and the rest is the base's.
	const own = byCase
		? await ownChangesOf(ground, loosened, {
				readBase,
				readHead,
				bySkip,
				skipsOf: skipsIn(
					request,
					homes,
					loosened.flatMap(({ path }) => (bySkip(path) ? [path] : [])),
				),
			})
		: new Map<string, OwnChanges>();
	const planned = await planReplay({
		changes,
		sides,
		isAllowed: (change) => isAllowed(change) && !own.has(change.path) && !bySkip(change.path),
		readBase,
		readHead,
	});
	const edits = planned.edits.map((edit): TreeEdit => {
		const text = own.get(edit.path)?.text;
		return edit.kind === "put" && text !== undefined
			? { kind: "write", path: edit.path, mode: edit.mode, text }
			: edit;
	});
	// Of a file in which no cases are seen none is known to be skipped, so that it is the base's.
	const paths = loosened.flatMap(({ path }) => (own.has(path) || !bySkip(path) ? [path] : []));
	const whole = paths.filter((path) => !own.has(path));
	const gone: BaseText[] = [];
	for (const path of whole)
		gone.push({ path, text: goneLines(texts.get(path) ?? "", (await readHead(path)) ?? "") });
	const taken = new Set(paths);
	const named = [...own].map(([path, cases]) => ({ path, ...cases }));
	return {
		changed: [...named.flatMap(({ names }) => names), ...whole],
		emptyIn: emptyIn(named, homes),
		plan: { ...planned, edits },
		sides,
		isBase: (file) => !taken.has(file),
		...joinedExcuses(excusesIn(gone, homes), excusesOf(named, homes)),
	};
}

/**
 * A replay that is green once tests of which the work changed the lines, or whose code is gone, are not held against it; null
 * where that does not explain it. What else the base's tests say holds, and the changed ones are asked about.
 */
async function heldOtherwise(
	ground: Stand,
	request: ReplayRequest,
	{
		asked,
		found,
	}: { readonly asked: Omit<CheckReplay, "declaresTests">; readonly found: Evidence },
): Promise<Evidence | null> {
	const red = redForOtherTests(asked, found);
	const isNumbered = mayBeOfOthers(asked, found);
	if (red.length === 0 && !isNumbered) return null;
	const changed = await changedTests(ground, request, asked.sides);
	const files = isNumbered ? changed : otherwiseFiles(red, changed);
	if (files.length === 0) return null;
	const open = new Set(files.map(({ path }) => path));
	const homes = homesAmong(changed);
	const { allow = [] } = ground.task;
	const isAllowed = allowedChange(allow);
	const mayChange = (change: FileChange): boolean => isAllowed(change) || open.has(change.path);
	const isBySkip = bySkipAlone(allow);
	const bySkip = (path: string): boolean => isBySkip(path) && !open.has(path);
	// Where names of cases are made from a table, or a case is red for one in it, the whole file is the work's.
	for (const byCase of [true, false]) {
		const prepared = await prepare(ground, request, { mayChange, bySkip, byCase });
		const again = await replayCheck(ground, { ...asked, ...prepared });
		// A file that did not load took along cases that are as they were.
		const isKept = (id: string): boolean =>
			!prepared.isExcused(id) && files.some((file) => isOwnCase(id, file, homes));
		// Where a run names none, those are meant whose lines changed.
		const left = isNumbered ? prepared.changed : red.filter((id) => !isKept(id));
		const held = asOtherwise(again, left, prepared.emptyIn);
		if (held !== null) return held;
	}
	return null;
}

// Deleted files without tests of their own that code of the base's tests names, and so goes on reading.
async function namedBy(
	code: readonly string[],
	changes: readonly FileChange[],
	readBase: PlanInput["readBase"],
): Promise<ReadonlySet<string>> {
	const gone = changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
	if (gone.length === 0) return new Set();
	const texts = new Map<string, string>();
	for (const path of new Set([...code, ...gone])) texts.set(path, (await readBase(path)) ?? "");
	return new Set(gone.filter((path) => isRead(path, texts)));
}

async function ownChangesOf(
	ground: Stand,
	loosened: readonly FileChange[],
	{
		readBase,
		readHead,
		bySkip,
		skipsOf,
	}: Pick<PlanInput, "readBase" | "readHead"> & {
		readonly bySkip: (path: string) => boolean;
		readonly skipsOf: (path: string) => KnownSkips;
	},
): Promise<ReadonlyMap<string, OwnChanges>> {
	const found = new Map<string, OwnChanges>();
	for (const { kind, path } of loosened) {
		const [base, head] = [await readBase(path), await readHead(path)];
		if (kind !== "modified" || base === null || head === null) continue;
		const read = treeReader(pythonRunner(ground));
		const [before = null, after = null] = await read([base, head].map((text) => ({ path, text })));
		const own = await ownChanges({
			path,
			base,
			head,
			trees: [before, after],
			readHead,
			skipped: bySkip(path) ? skipsOf(path) : null,
		});
		if (own !== null) found.set(path, own);
	}
	return found;
}

async function replayChecks(
	ground: Stand,
	place: Omit<ReplayPlace, "attempt">,
	request: ReplayRequest,
	prepared: PreparedReplay,
): Promise<Evidence[]> {
	const { commit, start, baseline, stored } = request;
	const tree = await treeOf(ground.vault, commit);
	const known = new Map<string, Evidence>();
	for (const piece of stored) if (piece.tree === tree) known.set(piece.check, piece);
	const acceptance = ground.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const isWanted = ({ name }: CheckDefinition): boolean => {
		const piece = known.get(replayOf(name));
		return piece === undefined || whoseFault(piece, baseline.get(name)) === "environment";
	};
	if (acceptance.some(isWanted)) {
		const { differs, restored, leftOut: left_out } = prepared.plan;
		const told = {
			purpose: place.purpose,
			differs,
			restored: [...restored],
			left_out: [...left_out],
		};
		await ground.evidence.tell("replay-planned", told);
	}
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		for (const check of acceptance.filter(isWanted)) {
			const own = known.get(check.name);
			if (own === undefined) continue;
			const nth = ground.evidence.attempt(attempt);
			const before = baseline.get(check.name);
			const run = { ...place, attempt: nth };
			const asked = { ...prepared, check, commit, start, before, own, place: run };
			const found = await replayCheck(ground, asked);
			const other = await heldOtherwise(ground, request, { asked, found });
			const told = other ?? withoutEmpty(found, prepared.emptyIn);
			const piece = { ...told, purpose: place.purpose, tree };
			await keepEvidence(ground, nth, piece);
			known.set(piece.check, piece);
		}
	}
	return acceptance.flatMap(({ name }) => known.get(replayOf(name)) ?? []);
}

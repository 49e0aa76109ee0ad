import { failedIds } from "../../checks/judge-results.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { commitView } from "../../formats/commit-view.ts";
import { isWholeFile } from "../../formats/reports/empty-files.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { counted } from "../../kernel/counted.ts";
import { randomId } from "../../kernel/ids.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { loadModuleParser } from "../../syntax/module-syntax.ts";
import { hear, isCanary, isDisarmed, type PlantedFile } from "../../wall/canary/hear.ts";
import { plainRun } from "../../wall/canary/plain-run.ts";
import { plant } from "../../wall/canary/plant.ts";
import { renamed, reworded } from "../../wall/canary/reworded.ts";
import { declared } from "../../wall/integrity/declarations.ts";
import { isCaseOf } from "../../wall/integrity/excuses.ts";
import type { SourceText } from "../../wall/language/language.ts";
import { treeReader } from "../../wall/language/languages.ts";
import { isShared } from "../../wall/reading/shared-files.ts";
import type { Sides } from "../../wall/reading/sides.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import { canCompare, judgeReplay, type ReplayInput } from "../../wall/replay/judge-replay.ts";
import type { ReplayPlan } from "../../wall/replay/replay-plan.ts";
import { isUnsteady, judgedTwice, redIn, unsteady } from "../../wall/replay/unsteady.ts";
import { isVoidReplay } from "../../wall/replay/void-replay.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import type { CheckPlace } from "../check-suite.ts";
import type { Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";
import { noticedValues } from "./replay-values.ts";
import { variant } from "./variant.ts";

export interface CheckReplay
	extends Pick<ReplayInput, "own" | "isExcused" | "excused" | "declaresTests"> {
	readonly check: CheckDefinition;
	readonly commit: string;
	readonly start: string;
	readonly plan: ReplayPlan;
	readonly sides: Sides;
	readonly isBase: (file: string) => boolean;
	readonly before: Evidence | undefined;
	readonly place: ReplayPlace;
}

export interface ReplayPlace extends CheckPlace {
	readonly purpose: "turn" | "assembled";
	readonly attempt: number;
}

// Canaries are tests that must fail, run in the same process. A product on which they do not, although they do on
// the base, disarms its tests. One run is enough where a report names or counts the tests and the canaries fail.
// Else the replay runs by itself, and the base with the canaries. Where nothing passed on the base it cannot tell;
// then wrong values do. The tree of the result is not set.
export async function replayCheck(
	ground: Stand,
	given: Omit<CheckReplay, "declaresTests">,
): Promise<Evidence> {
	const { before, own } = given;
	const texts = await testTexts(ground, given, isTestFile);
	const asked = { ...given, declaresTests: declarers(texts) };
	if (!canCompare(before) && own.status !== "pass")
		return judged(asked, { ...own, outputPath: null }, []);
	const planted = await canariesIn(texts, ground, asked);
	if (planted.length === 0) return await replayCorrupted(ground, asked);
	const found = await replayPlanted(ground, asked, planted);
	const isLast = asked.place.purpose === "assembled" && canCompare(before);
	return isLast && found.status === "pass" ? await unwatched(ground, asked, planted, found) : found;
}

// A product that is right only where a runner watches.
async function unwatched(
	ground: Stand,
	asked: CheckReplay,
	planted: readonly PlantedFile[],
	found: Evidence,
): Promise<Evidence> {
	const wasRed = (asked.before?.cases ?? []).filter(({ status }) => status === "failed");
	const otherwise = await watchedOnly({
		texts: await testTexts(ground, asked, isCode),
		tests: planted.map(({ path }) => path),
		run: (on, definition, files) => {
			const [commit, edits] = on === "base" ? [asked.start, []] : [asked.commit, asked.plan.edits];
			const plain = {
				...asked,
				before: undefined,
				check: { ...hurried(asked.check, found), ...definition },
			};
			return runOn(ground, plain, `plain-${on}`, commit, [...edits, ...files.map(written)]);
		},
	});
	// What is red under the runner as well is known.
	const details = otherwise.filter((id) => {
		const title = id.split(" > ").at(-1) ?? id;
		return !wasRed.some((one) => one.id.includes(title));
	});
	if (details.length === 0) return found;
	return { ...found, status: "fail", reason: UNWATCHED, details: details.slice(0, MAX_NAMED) };
}

async function replayPlanted(
	ground: Stand,
	asked: CheckReplay,
	planted: readonly PlantedEdit[],
): Promise<Evidence> {
	const { before } = asked;
	const edits = planted.map(({ edit }) => edit);
	const byExit = !canCompare(before) && asked.check.report?.format === "exit";
	const heardBy = byExit ? recognised(asked) : asked;
	const run = await runOn(ground, heardBy, "canary", asked.commit, [...asked.plan.edits, ...edits]);
	const heard = hear(run, planted, before?.counts?.passed ?? 0);
	const count = planted.reduce((sum, { names }) => sum + names.length, 0);
	if (heard.kind === "failed" && !byExit) {
		const told = [
			`${counted(count, "test")} that must fail failed, in ${counted(planted.length, "file")}`,
		];
		if (heard.evidence === null) return (await judgedAlone(ground, asked, told)).lone;
		const first = judged(asked, heard.evidence, told);
		if (first.status === "pass") return first;
		return await redBesideCanaries(ground, asked, edits, first);
	}
	// What the tests themselves say comes first: a file that does not load has no canaries either.
	const { alone, lone } = await judgedAlone(ground, asked, [UNHEARD]);
	if (lone.status !== "pass") return lone;
	if (!canCompare(before) && run.cases === null)
		return await corrupted(ground, asked, { alone, lone });
	const onBase = await runOn(ground, heardBy, "canary-base", asked.start, edits);
	const quiet = heard.kind === "quiet" ? heard.names : [];
	const runs = { planted, run, onBase, byExit, alone, lone, quiet };
	const first = await comparedWithBase(ground, asked, runs);
	if (first.status !== "fail") return first;
	const again = await runOn(ground, heardBy, "canary", asked.commit, [
		...asked.plan.edits,
		...edits,
	]);
	return judgedTwice(asked, first, await comparedWithBase(ground, asked, { ...runs, run: again }));
}

async function redBesideCanaries(
	ground: Stand,
	asked: CheckReplay,
	canaries: readonly TreeEdit[],
	first: Evidence,
): Promise<Evidence> {
	// Runners can be told to stop at the first failure.
	const second = judged(asked, await replayAlone(ground, asked), []);
	if (second.status !== "pass") return judgedTwice(asked, first, second);
	const failed = failedIds(first.cases);
	const red = redIn(asked, first).filter((id) => failed.has(id));
	if (red.length === 0) return second;
	// Where they fail on the base as well, the canaries are why.
	const base = await runOn(ground, asked, "canary-base", asked.start, canaries);
	const known = failedIds(base.cases);
	return unsteady(
		second,
		red.filter((id) => !known.has(id)),
	);
}

interface PlantedRuns extends Readonly<Record<"run" | "onBase" | "alone" | "lone", Evidence>> {
	readonly planted: readonly PlantedFile[];
	readonly byExit: boolean;
	readonly quiet: readonly string[];
}

async function comparedWithBase(
	ground: Stand,
	asked: CheckReplay,
	{ planted, run, onBase, byExit, alone, lone, quiet }: PlantedRuns,
): Promise<Evidence> {
	if (isDisarmed(onBase, run, planted, asked.before))
		return { ...lone, status: "fail", reason: QUIET, details: quiet.slice(0, MAX_NAMED) };
	const unloaded = (onBase.cases ?? []).filter(isWholeFile);
	if (byExit && run.cases !== null) {
		const cases = run.cases.filter(({ id }) => !isCanary(id, planted));
		const now = { ...run, ...NO_FAILURE, cases };
		const verdict = judged({ ...asked, before: { ...onBase, cases: unloaded } }, now, []);
		if (verdict.status !== "pass") return verdict;
	}
	// Where a file loads on the product alone, the base has no canaries to compare with.
	const stillOut = new Set((run.cases ?? []).filter(isWholeFile).map(({ id }) => id));
	const loaded = unloaded.filter(({ id }) => !stillOut.has(id));
	const within = planted.filter(({ names, isOwn }) => {
		return loaded.some(({ id }) => isOwn(id)) && names.some((name) => quiet.includes(name));
	});
	if (within.length === 0) return lone;
	return await corrupted(ground, asked, { alone, lone, within: within.map(({ path }) => path) });
}

const NO_FAILURE = { status: "pass", reason: null } as const;
const UNWATCHED =
	"tests of the start commit pass under their runner and fail without it, or with other names, although on the base they do not";
const QUIET = "tests that must fail do not fail on this product, although they do on the base";

const declarers =
	(texts: ReadonlyMap<string, string>): CheckReplay["declaresTests"] =>
	(id) =>
		[...texts].some(([path, text]) => isCaseOf(id, path, "") && declared(text, path) > 0);

// Canaries of one file turn an exit code red, whatever becomes of the others: names of a known runner tell more.
function recognised(asked: CheckReplay): CheckReplay {
	const { report: _, ...check } = asked.check;
	return { ...asked, check };
}

// For runners in which no test can be planted.
async function replayCorrupted(ground: Stand, asked: CheckReplay): Promise<Evidence> {
	const { alone, lone } = await judgedAlone(ground, asked, []);
	const isGreen = alone.status === "pass" && lone.status === "pass";
	return isGreen ? await corrupted(ground, asked, { alone, lone }) : lone;
}

async function corrupted(
	ground: Stand,
	asked: CheckReplay,
	{
		alone,
		lone,
		within,
	}: Pick<PlantedRuns, "alone" | "lone"> & { readonly within?: readonly string[] },
): Promise<Evidence> {
	const isWanted = (file: string): boolean => within?.includes(file) ?? !isShared(file);
	const known = { ...asked, before: alone, check: hurried(asked.check, alone) };
	// Cases that an allowance lets go notice nothing on the base either.
	const emptied = asked.plan.edits.filter(({ kind }) => kind === "write");
	const { heard, silent } = await noticedValues({
		texts: await testTexts(ground, asked, isWanted),
		sides: asked.sides,
		trees: treeReader(pythonRunner(ground)),
		tree: asked.own.tree,
		before: within === undefined && canCompare(asked.before) ? asked.before : null,
		lone: alone,
		enough: ENOUGH[asked.place.purpose],
		run: (on, files) =>
			on === "base"
				? runOn(ground, asked, "canary-base", asked.start, [...emptied, ...files.map(written)])
				: runOn(ground, known, "canary", asked.commit, [
						...asked.plan.edits,
						...files.map(written),
					]),
	});
	if (silent !== null) return { ...lone, status: "fail", ...silent };
	if (isUnsteady(lone)) return lone;
	return judged(asked, alone, heard.length === 0 ? [NO_CANARY] : heard);
}

/** Ends a check that waits for what a wrong value never brings: it has noticed it. */
function hurried(check: CheckDefinition, { ms }: Evidence): CheckDefinition {
	return { ...check, timeoutMs: Math.min(check.timeoutMs ?? Infinity, 5 * ms + LEAST_WAIT_MS) };
}

const written = ({ path, text }: Pick<SourceText, "path" | "text">): TreeEdit => ({
	kind: "write",
	path,
	mode: "100644",
	text,
});

const ENOUGH = { turn: 1, assembled: 2 } as const;
const NO_CANARY = "no test that must fail could be added, so whether the tests work is not known";
const UNHEARD = "tests that must fail did not tell whether the tests work";
const MAX_NAMED = 10;
const LEAST_WAIT_MS = 10_000;
const MAX_FILES = 30;

function judged(asked: CheckReplay, now: Evidence, told: readonly string[]): Evidence {
	const strict = asked.check.baseline === "strict";
	const verdict = judgeReplay({ ...asked, now, strict });
	const details = [...verdict.details, ...told];
	const check = replayOf(asked.check.name);
	const piece: Evidence = { ...now, ...verdict, details, check, kind: "replay" };
	return isVoidReplay(piece) ? { ...piece, counts: null, cases: null, outputTail: "" } : piece;
}

/** The word of the base's tests on the product. Red, they are asked once more: no lot decides. */
async function judgedAlone(
	ground: Stand,
	asked: CheckReplay,
	told: readonly string[],
): Promise<Pick<PlantedRuns, "alone" | "lone">> {
	const alone = await replayAlone(ground, asked);
	const lone = judged(asked, alone, told);
	if (lone.status !== "fail") return { alone, lone };
	const again = await replayAlone(ground, asked);
	return { alone: again, lone: judgedTwice(asked, lone, judged(asked, again, told)) };
}

function replayAlone(ground: Stand, asked: CheckReplay): Promise<Evidence> {
	// A result from elsewhere, such as the turn's own before a merge, says nothing of this place.
	const isOfHere = asked.own.purpose === asked.place.purpose;
	if (asked.plan.differs === "none" && isOfHere) return Promise.resolve(asked.own);
	return runOn(ground, asked, "replay", asked.commit, asked.plan.edits);
}

interface PlantedEdit extends PlantedFile {
	readonly edit: TreeEdit;
}

async function canariesIn(
	texts: ReadonlyMap<string, string>,
	ground: Stand,
	asked: CheckReplay,
): Promise<PlantedEdit[]> {
	const planted: PlantedEdit[] = [];
	const files = [...texts].map(([path, text]) => ({ path, text }));
	const trees = await treeReader(pythonRunner(ground))(files);
	for (const [at, { path, text }] of files.entries()) {
		// Another one in each file: reports may name no files.
		const found = plant({ path, text, tree: trees[at] ?? null }, randomId(10), asked.sides);
		if (found === null) continue;
		planted.push({
			path,
			names: found.names,
			isOwn: (id) => isCaseOf(id, path, text),
			edit: written({ path, text: found.text }),
		});
		if (planted.length === MAX_FILES) break;
	}
	return planted;
}

function testTexts(
	{ vault }: Pick<Stand, "vault">,
	{ start, sides, isBase }: Pick<CheckReplay, "start" | "sides" | "isBase">,
	isWanted: (file: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
	const files = [...sides.tests.keys()].filter((file) => isWanted(file) && isBase(file));
	return commitView(vault, start, start).texts(files);
}

async function runOn(
	ground: Stand,
	{ check, before, place }: Pick<CheckReplay, "check" | "before" | "place">,
	what: string,
	commit: string,
	edits: readonly TreeEdit[],
): Promise<Evidence> {
	const made = await variant(ground, { of: commit, edits, what: "replay" });
	const { purpose, attempt } = place;
	const named = { ...check, name: `${what}:${check.name}` };
	return await made.run({ check: named, before, place, purpose, attempt });
}

export interface PlainRequest {
	/** Code of the base on the tests' side. */
	readonly texts: ReadonlyMap<string, string>;
	/** The test files among them. */
	readonly tests: readonly string[];
	/** Runs a command on the product, or on the base, with further files. */
	readonly run: (
		on: "product" | "base",
		definition: Pick<CheckDefinition, "run" | "report">,
		files: readonly { readonly path: string; readonly text: string }[],
	) => Promise<Evidence>;
}

const MAX_CHANGED = 100;

// Tests of the base that compare otherwise where their runner is not there, or where their names and words are others,
// although on the base they do not. One that needs its runner fails there on the base as well, or fails by no comparison.
// A file with a case that fails is run once more.
export async function watchedOnly({ texts, tests, run }: PlainRequest): Promise<readonly string[]> {
	const mark = randomId(10);
	const setups = [...texts].filter(([, text]) => /\bexpect\.extend\(/.test(text));
	const { files, command, report } = plainRun(
		tests,
		setups.map(([path]) => path).filter((path) => !tests.includes(path)),
		mark,
		[...texts.keys()],
	);
	if (files.length === 0) return [];
	const parse = await loadModuleParser();
	const some = [...texts].slice(0, MAX_CHANGED);
	const others = some.flatMap(([path, text]) => {
		const tree = parse(text, path);
		return tree === null ? [] : [{ path, text: reworded(text, tree, mark) }];
	});
	const otherNames = renamed(some);
	for (const changed of otherNames.length === 0 ? [others] : [others, otherNames]) {
		const casesOn = async (on: "product" | "base", status: string): Promise<string[]> => {
			const definition = { run: command, report: { format: "tap", path: report } } as const;
			const { cases } = await run(on, definition, [...files, ...changed]);
			return (cases ?? []).filter((one) => one.status === status).map(({ id }) => id);
		};
		const failed = await casesOn("product", "failed");
		if (failed.length === 0) continue;
		const right = new Set(await casesOn("base", "passed"));
		const otherwise = new Set(failed.filter((id) => right.has(id)));
		if (otherwise.size === 0) continue;
		const again = (await casesOn("product", "failed")).filter((id) => otherwise.has(id));
		if (again.length > 0) return again;
	}
	return [];
}

import { computedEvidence } from "../../evidence/computed.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { commitView } from "../../formats/commit-view.ts";
import { changesBetween, filesAt, treeOf } from "../../git/changes.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { isoTime } from "../../kernel/clock.ts";
import { counted } from "../../kernel/counted.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { lineMutants } from "../../mutation/line-mutants.ts";
import { type CodeMutant, moduleMutants } from "../../mutation/module-mutants.ts";
import { isModulePath, loadModuleParser } from "../../syntax/module-syntax.ts";
import { allowedChange } from "../../wall/integrity/excuses.ts";
import { type ChangedTest, changedTests, type TestPair } from "../../wall/power/changed-tests.ts";
import { someOf } from "../../wall/power/choose-mutants.ts";
import {
	greenOnBase,
	lostPower,
	lostPowerText,
	noticing,
	passing,
	type Suspect,
	type Trial,
	turnedGreen,
	weakerCases,
} from "../../wall/power/judge-power.ts";
import { type TargetLines, targetsOf, tiersOf } from "../../wall/power/targets.ts";
import { withoutComments } from "../../wall/reading/strip-comments.ts";
import { isCode } from "../../wall/reading/test-places.ts";
import { mutationPolicy } from "../../workflow/mutation-policy.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { keepEvidence } from "../check-suite.ts";
import type { Stand } from "../stand.ts";
import type { Replay, ReplayRequest } from "./replay.ts";
import { type Variant, variant } from "./variant.ts";

export interface PowerRequest extends Pick<ReplayRequest, "commit" | "start" | "baseline"> {
	/** Runs of the checks in this turn. */
	readonly checked: readonly Evidence[];
	readonly replayed: Replay;
}

const POWER = "power:tests";
/** Mutants that a suite of many tests tries, and one of few. No clock says how many: the same work is asked the same. */
const MUTANTS = { least: 4, most: 12 };
const FEW_TESTS = 100;
const MAX_FILES = 40;
/** Most mutants of which a few are chosen. */
const MAX_POOL = 200;

interface Pair {
	readonly check: CheckDefinition;
	/** The player's tests on the player's product. */
	readonly own: Evidence;
	/** The base's on the same. */
	readonly replayed: Evidence;
}

interface Work extends PowerRequest {
	/** Brings the base's tests back, but for files that the task allows to change. */
	readonly back: readonly TreeEdit[];
	readonly pairs: readonly Pair[];
	readonly changes: readonly FileChange[];
	readonly changed: readonly ChangedTest[];
	readonly suspects: readonly [Suspect, ...(readonly Suspect[])];
	/** Code of the base's tests, and of the player's product. */
	readonly texts: ReadonlyMap<string, string>;
	/** The product's files on the base. */
	readonly before: ReadonlyMap<string, string>;
	readonly isTest: (path: string) => boolean;
}

/**
 * Measures whether changed tests of the base still notice what the base's own do, once both pass: on a few mutants of what
 * they test both are run. A mutant that only the base's notice proves a loss of power, and so does a case that was red on
 * the base and is green there with the changed tests. Each run is stored before the next, so a kill repeats one at most.
 *
 * @returns sentences about the loss, for the player; empty where none is proven
 */
export async function testPower(ground: Stand, request: PowerRequest): Promise<readonly string[]> {
	const { vault, evidence } = ground;
	const tree = await treeOf(vault, request.commit);
	const stored = await evidence.ofWork();
	const known = stored.find((piece) => piece.check === POWER && piece.tree === tree);
	if (known !== undefined) return known.status === "fail" ? known.details : [];
	const work = await planned(ground, request);
	if (work === null) return [];
	const startedAt = isoTime(ground.clock.now());
	const clock = { leftMs: limitOf(ground, work) };
	const whole = clock.leftMs;
	const told = (await onBase(ground, work, clock)) ?? (await onMutants(ground, work, clock));
	const part = { check: POWER, kind: "power", tree, startedAt, ms: whole - clock.leftMs } as const;
	await keepEvidence(ground, evidence.attempt(0), computedEvidence({ ...part, ...told }));
	return told.status === "fail" ? told.details : [];
}

type Told = Pick<Evidence, "status" | "reason" | "details">;

const lost = (text: string): Told => ({
	status: "fail",
	reason: "changed tests notice less",
	details: [text],
});

const usualOf = ({ pairs }: Pick<Work, "pairs">): number =>
	pairs.reduce((sum, { own }) => sum + own.ms, 0);

function limitOf({ workflow }: Stand, work: Work): number {
	return Math.max(mutationPolicy(workflow).timeoutMs, MUTANTS.least * usualOf(work));
}

function countOf({ pairs }: Pick<Work, "pairs">): number {
	const tests = pairs.reduce((sum, { own }) => sum + (own.counts?.total ?? 0), 0);
	return tests > FEW_TESTS ? MUTANTS.least : MUTANTS.most;
}

async function planned(ground: Stand, request: PowerRequest): Promise<Work | null> {
	const { vault, task, workflow } = ground;
	const { commit, start, checked, replayed } = request;
	const { plan, sides } = replayed;
	const acceptance = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const pairs = acceptance.flatMap((check): Pair[] => {
		const own = checked.find((piece) => piece.check === check.name);
		const again = replayed.evidence.find((piece) => piece.check === replayOf(check.name));
		const isGreen = own?.status === "pass" && again?.status === "pass";
		return isGreen ? [{ check, own, replayed: again }] : [];
	});
	if (plan === undefined || pairs.length < acceptance.length) return null;
	const [base, head] = [commitView(vault, start, start), commitView(vault, start, commit)];
	const isTest = (path: string): boolean => sides.tests.has(path);
	const code = [...sides.tests.keys()].filter(isCode);
	const isAllowed = allowedChange(task.allow ?? []);
	const all = await changesBetween(vault, start, commit);
	const changes = all.filter(({ path, kind }) =>
		kind === "added" ? plan.leftOut.includes(path) : isTest(path),
	);
	const opened = changes.filter((change) => !isAllowed(change));
	const open = opened.map(({ path }) => path);
	const [old, fresh] = [await base.texts([...code, ...open]), await head.texts(open)];
	const tests = new Map([...old].filter(([path]) => isCode(path)));
	const found = changedTests(
		opened.map(({ kind, path }): TestPair => {
			return { kind, path, base: old.get(path) ?? "", head: fresh.get(path) ?? "" };
		}),
		tests,
	);
	const [first, ...others] = found.map(({ path }) => ({ path, base: old.get(path) ?? "" }));
	if (first === undefined) return null;
	const product = [...(await head.files())].filter(
		(path) => isCode(path) && !isTest(path) && !plan.leftOut.includes(path),
	);
	const texts = new Map([...tests, ...(await head.texts(product))]);
	const before = await base.texts(product);
	// What is gone comes back only where the base's tests read it.
	const excused = new Set(
		all.filter((one) => one.kind !== "deleted" && isAllowed(one)).map(({ path }) => path),
	);
	const back = plan.edits.filter(({ path }) => !excused.has(path));
	const suspects = [first, ...others] as const;
	return { ...request, back, pairs, changes, changed: found, suspects, texts, before, isTest };
}

interface Clock {
	leftMs: number;
}

// The player's tests on the base's product, where something was red there.
async function onBase(ground: Stand, work: Work, clock: Clock): Promise<Told | null> {
	const { start, pairs, baseline, changes, suspects } = work;
	for (const { check, own } of pairs) {
		const before = baseline.get(check.name);
		const turned = turnedGreen(before, own);
		if (before === undefined || turned === null) continue;
		const edits = changes.map(
			({ kind, path, newMode: mode, newOid: oid }): TreeEdit =>
				kind === "deleted" ? { kind: "remove", path } : { kind: "put", path, mode, oid },
		);
		const at = await made(ground, start, edits);
		const judge: Asked["judge"] = (run) => ({ red: greenOnBase(turned, run), green: [] });
		const asked = { at, side: "base", check, own: before, usualMs: own.ms, judge } as const;
		const green = (await tried(ground, asked, clock))?.red ?? null;
		if (green !== null) return lost(lostPowerText({ noticedBy: green, mutant: null }, suspects));
	}
	return null;
}

async function onMutants(ground: Stand, work: Work, clock: Clock): Promise<Told> {
	const { commit, suspects } = work;
	const files = await filesAt(ground.vault, commit);
	const modes = new Map(files.map(({ path, mode }) => [path, mode]));
	const trials: Trial[] = [];
	for (const mutant of await mutantsOf(work)) {
		if (clock.leftMs < usualOf(work)) break;
		const { file: path, text } = mutant;
		const edit: TreeEdit = { kind: "write", path, mode: modes.get(path) ?? "100644", text };
		const trial = await onMutant(ground, work, { mutant, edit, clock });
		if (trial === null) continue;
		trials.push(trial);
		if (trial.red === null) break;
	}
	const proof = lostPower(trials);
	if (proof !== null) return lost(lostPowerText(proof, suspects));
	if (trials.length === 0) return { status: "absent", reason: SILENT, details: [] };
	const all = `${counted(trials.length, "mutant")} that the original tests notice: the changed ones do, too`;
	return { status: "pass", reason: null, details: [all, ...weakerCases(trials)] };
}

const SILENT = "no mutant was found that the original tests notice";

async function onMutant(
	ground: Stand,
	{ commit, back, pairs }: Work,
	{
		mutant,
		edit,
		clock,
	}: { readonly mutant: CodeMutant; readonly edit: TreeEdit; readonly clock: Clock },
): Promise<Trial | null> {
	const withOriginal = await made(ground, commit, [...back, edit]);
	for (const pair of pairs) {
		const { check, own, replayed } = pair;
		const judge: Asked["judge"] = (run) => ({ red: noticing(run, replayed), green: [] });
		const asked = { at: withOriginal, side: "original", check, own: replayed, judge } as const;
		const noticedBy = (await tried(ground, { ...asked, usualMs: own.ms }, clock))?.red ?? null;
		if (noticedBy === null) continue;
		const withChanged = await made(ground, commit, [edit]);
		let missedBy: readonly string[] = [];
		// That which noticed it first.
		for (const again of [pair, ...pairs.filter((other) => other !== pair)]) {
			const same: Asked["judge"] = (run) => ({
				red: run.status === "pass" ? null : (noticing(run, again.own) ?? []),
				green: passing(noticedBy, run),
			});
			const { check: checked, own: usual } = again;
			const changed = { at: withChanged, side: "changed", check: checked, own: usual } as const;
			const answer = await tried(ground, { ...changed, usualMs: usual.ms, judge: same }, clock);
			if (answer === null) return null;
			if (again === pair) missedBy = answer.green;
			if (answer.red !== null) return { mutant, noticedBy, red: answer.red, missedBy };
		}
		return { mutant, noticedBy, red: null, missedBy };
	}
	return null;
}

async function mutantsOf(work: Work): Promise<CodeMutant[]> {
	const { changed, texts, before, isTest } = work;
	const count = countOf(work);
	const paths = targetsOf(
		changed.map(({ path }) => path),
		{ texts, isTest },
	);
	const files = paths.slice(0, MAX_FILES).map((path) => {
		return { path, text: texts.get(path) ?? "", base: before.get(path) ?? "" };
	});
	const parse = files.some(({ path }) => isModulePath(path)) ? await loadModuleParser() : null;
	const pools = tiersOf(files, changed).map((tier) => [
		...(parse === null ? [] : moduleMutants(tier.filter(isModule), parse, MAX_POOL)),
		...lineMutants(tier.filter((file) => !isModule(file)).map(withCode)),
	]);
	// Emptied texts are often noticed by nobody.
	const isText = ({ operator }: CodeMutant): boolean => operator === "string";
	const chosen: CodeMutant[] = [];
	for (const pool of [
		...pools.map((all) => all.filter((mutant) => !isText(mutant))),
		...pools.map((all) => all.filter(isText)),
	])
		chosen.push(...someOf(pool, files, count - chosen.length));
	return chosen;
}

const isModule = ({ path }: TargetLines): boolean => isModulePath(path);

const withCode = (file: TargetLines) => ({ ...file, code: withoutComments(file.text, file.path) });

const made = (ground: Stand, of: string, edits: readonly TreeEdit[]): Promise<Variant> =>
	variant(ground, { of, edits, what: "power" });

interface Asked {
	readonly at: Variant;
	/** The tests that are run: those of the base, or the changed ones on a mutant or on the base's product. */
	readonly side: "original" | "changed" | "base";
	readonly check: CheckDefinition;
	/** The same tests without a mutant. */
	readonly own: Evidence;
	readonly usualMs: number;
	readonly judge: (run: Evidence) => Shown;
}

/** Cases of a run that notice something, null for none, and some that do not. */
interface Shown {
	readonly red: readonly string[] | null;
	readonly green: readonly string[];
}

interface Tried extends Shown {
	readonly ms: number;
}

const MAX_SHOWN = 200;

/** @returns null when the time is over */
async function tried(ground: Stand, asked: Asked, clock: Clock): Promise<Shown | null> {
	const name = `power/${asked.side}/${asked.check.name}/${asked.at.tree}`;
	const known = await ground.evidence.part<Tried>(name);
	if (known === undefined && clock.leftMs <= 0) return null;
	const result = known ?? (await triedNow(ground, asked));
	if (known === undefined) await ground.evidence.keepPart(name, result);
	clock.leftMs -= result.ms;
	return result;
}

async function triedNow(ground: Stand, asked: Asked): Promise<Tried> {
	const { at, side, check, own, usualMs, judge } = asked;
	const startedAt = ground.clock.now();
	const name = `power-${side}:${check.name}`;
	const timeoutMs = Math.min(check.timeoutMs, usualMs * 3 + 5_000);
	const piece = await at.run({ check: { ...check, name, timeoutMs }, before: own });
	const ms = Math.max(piece.ms, ground.clock.now() - startedAt);
	const { red, green } = judge(piece);
	return { red: red?.slice(0, MAX_SHOWN) ?? null, green: green.slice(0, MAX_SHOWN), ms };
}

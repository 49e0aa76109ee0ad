import { computedEvidence } from "../../evidence/computed.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { shown } from "../../evidence/path-match.ts";
import { type CommitView, commitView } from "../../formats/commit-view.ts";
import { changesBetween, filesAt, treeOf } from "../../git/changes.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { isoTime } from "../../kernel/clock.ts";
import { counted } from "../../kernel/counted.ts";
import { randomId } from "../../kernel/ids.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { allowedChange } from "../../wall/integrity/excuses.ts";
import type { SourceText } from "../../wall/language/language.ts";
import { languageOf, treeReader } from "../../wall/language/languages.ts";
import { isMeasured } from "../../wall/measure/kept-tests.ts";
import { measuredTexts } from "../../wall/measure/measured-texts.ts";
import { joined, lossOf, type Notices, noticesIn } from "../../wall/measure/notices.ts";
import { importedBy } from "../../wall/reading/imported.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { keepEvidence } from "../check-suite.ts";
import type { Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";
import type { Replay, ReplayRequest } from "./replay.ts";
import { variant } from "./variant.ts";

export interface MeasureRequest extends Pick<ReplayRequest, "commit" | "start" | "baseline"> {
	/** Runs of the checks in this turn. */
	readonly checked: readonly Evidence[];
	readonly replayed: Replay;
}

/** Answer of the measure about changed tests. */
export interface Measured {
	/** Sentences about what the changed tests no longer notice. */
	readonly violations: readonly string[];
	/** Changed files of the base's tests of which all that was noticed is noticed. */
	readonly kept: ReadonlySet<string>;
}

const NOTHING: Measured = { violations: [], kept: new Set() };
const MEASURE = "power:tests";
/** Most files of the tests' side that are measured. */
const MAX_FILES = 200;
const MAX_MANIFESTS = 50;
/** As many results as one report may name. */
const MAX_LINES = 19_000;
const MAX_SHOWN = 3;
/** Time of repetitions beyond what the suite itself takes, in milliseconds. */
const TRIALS_MS = 20_000;

interface Pair {
	readonly check: CheckDefinition;
	/** The work's tests on the work's product. */
	readonly own: Evidence;
}

interface Side {
	readonly name: "original" | "changed" | "again";
	readonly view: CommitView;
	/** Brings the tests of this side to the work's tree. */
	readonly back: readonly TreeEdit[];
	readonly files: readonly string[];
}

interface Work extends MeasureRequest {
	readonly pairs: readonly Pair[];
	readonly isTest: (path: string) => boolean;
	/** Changed files of the base's tests, with their texts on the base and in the work. */
	readonly opened: readonly (SourceText & { readonly head: string })[];
	readonly original: Side;
	readonly changed: Side;
}

/**
 * Measures whether changed tests of the base still notice what the base's own do, once both pass on the work's product: in
 * one run each, answers of the product are altered beneath every case, and the case notices or does not. An alteration that
 * only the base's tests notice is a loss; a loss is measured twice.
 */
export async function measureTests(ground: Stand, request: MeasureRequest): Promise<Measured> {
	const work = await planned(ground, request);
	if (work === null) return NOTHING;
	const startedAt = ground.clock.now();
	const original = await noticesOf(ground, work, work.original);
	if (original === null || ![...original.trials.values()].some(isPlace)) return NOTHING;
	const changed = await noticesOf(ground, work, work.changed);
	if (changed === null) return NOTHING;
	const first = lossOf(original, changed);
	const again =
		first.lost.length === 0
			? null
			: await noticesOf(ground, work, { ...work.changed, name: "again" });
	const loss = again === null ? first : lossOf(original, joined([changed, again]));
	const violations = first.lost.length > 0 && again === null ? [] : lossTexts(loss.lost, original);
	const isWhole = loss.lost.length + loss.otherwise.length === 0;
	const kept = work.opened.filter((file) => isWhole && isMeasured(file, original));
	await told(ground, request.commit, { violations, noticed: original, startedAt });
	return { violations, kept: new Set(kept.map(({ path }) => path)) };
}

const isPlace = (place: string | null): boolean => place !== null;

function lossTexts(lost: readonly string[], original: Notices): string[] {
	const places = Map.groupBy(lost, (what) => original.trials.get(what)?.replace(/:\d+$/, "") ?? "");
	return [...places].map(([path, trials]) => {
		const some = trials.slice(0, MAX_SHOWN).map((what) => `when ${what}`);
		const more = trials.length - some.length;
		const all = [...some, ...(more > 0 ? [`in ${more} more cases`] : [])].join(", ");
		return `${shown(path)}: this test file was weakened, its tests notice less: nothing notices ${all}, and the original tests do; restore what was removed`;
	});
}

interface Told {
	readonly violations: readonly string[];
	readonly noticed: Notices;
	readonly startedAt: number;
}

/** Stores the result once, as a piece of evidence beside those of the checks. */
async function told(ground: Stand, commit: string, { violations, noticed, startedAt }: Told) {
	const { vault, evidence, clock } = ground;
	const tree = await treeOf(vault, commit);
	const stored = await evidence.ofWork();
	if (stored.some((piece) => piece.check === MEASURE && piece.tree === tree)) return;
	const count = [...noticed.trials.values()].filter(isPlace).length;
	const all = `${counted(count, "altered answer")} that the original tests notice: the changed ones do, too`;
	const isLost = violations.length > 0;
	const piece = computedEvidence({
		check: MEASURE,
		kind: "power",
		tree,
		startedAt: isoTime(startedAt),
		ms: clock.now() - startedAt,
		status: isLost ? "fail" : "pass",
		reason: isLost ? "changed tests notice less" : null,
		details: isLost ? violations : [all],
	});
	await keepEvidence(ground, evidence.attempt(0), piece);
}

async function planned(ground: Stand, request: MeasureRequest): Promise<Work | null> {
	const { vault, task, workflow } = ground;
	const { commit, start, checked, replayed } = request;
	const { plan, sides } = replayed;
	if (plan?.differs !== "changed") return null;
	const acceptance = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const pairs = acceptance.flatMap((check): Pair[] => {
		const own = checked.find((piece) => piece.check === check.name);
		const again = replayed.evidence.find((piece) => piece.check === replayOf(check.name));
		return own?.status === "pass" && again?.status === "pass" ? [{ check, own }] : [];
	});
	if (pairs.length < acceptance.length) return null;
	const [base, head] = [commitView(vault, start, start), commitView(vault, start, commit)];
	const all = await changesBetween(vault, start, commit);
	const isAllowed = allowedChange(task.allow ?? []);
	const isOpen = (change: FileChange): boolean =>
		change.kind !== "added" && sides.tests.has(change.path) && !isAllowed(change);
	const open = all.filter(isOpen).map(({ path }) => path);
	const [old, fresh] = [await base.texts(open), await head.texts(open)];
	const opened = open
		.filter((path) => languageOf(path) !== null)
		.map((path) => ({ path, text: old.get(path) ?? "", head: fresh.get(path) ?? "" }));
	if (opened.length === 0) return null;
	const tested = [...sides.tests.keys()].filter((path) => languageOf(path) !== null);
	const added = plan.leftOut.filter((path) => languageOf(path) !== null);
	// What is gone comes back only where the base's tests read it.
	const excused = new Set(
		all.filter((one) => one.kind !== "deleted" && isAllowed(one)).map(({ path }) => path),
	);
	const back = plan.edits.filter(({ path }) => !excused.has(path));
	const chosen = (await leadingTo(open, tested, base)).filter((path) => !excused.has(path));
	const present = new Set(await head.files());
	return {
		...request,
		pairs,
		isTest: (path) => sides.tests.has(path) || added.includes(path),
		opened,
		original: { name: "original", view: base, back, files: chosen },
		changed: {
			name: "changed",
			view: head,
			back: [],
			files: [...chosen, ...added].filter((path) => present.has(path)),
		},
	};
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
		isCase(texts.get(path) ?? "") || [...imports.values()].some((files) => files.includes(path));
	const chosen = open.every(isUsed) ? tested.filter((path) => found.has(path)) : tested;
	// What those use is changed along, so that a product that comes by way of a helper is measured.
	for (const path of new Set(chosen)) for (const file of imports.get(path) ?? []) found.add(file);
	return [...new Set([...chosen, ...found])].filter((path) => files.has(path)).slice(0, MAX_FILES);
}

const isCase = (text: string): boolean => /\b(?:test|it)\s*(?:\.\w+)*\s*\(|\bdef test/.test(text);

/** Notices of a side's tests on the work's product; null where a run told none. Stored, so that a kill repeats one at most. */
async function noticesOf(ground: Stand, work: Work, side: Side): Promise<Notices | null> {
	const found: Notices[] = [];
	for (const pair of work.pairs) {
		const name = `measure/${side.name}/${pair.check.name}/${work.commit}`;
		const known = await ground.evidence.part<Evidence["cases"]>(name);
		const cases = known === undefined ? await measuredRun(ground, work, { side, pair }) : known;
		if (known === undefined) await ground.evidence.keepPart(name, cases);
		if (cases === null) return null;
		found.push(noticesIn(cases));
	}
	return joined(found);
}

async function measuredRun(
	ground: Stand,
	{ commit, isTest }: Work,
	{ side, pair: { check, own } }: { readonly side: Side; readonly pair: Pair },
): Promise<Evidence["cases"]> {
	const { view, back, files, name } = side;
	const token = randomId(16);
	const texts = await view.texts(files);
	const manifests = [...(await view.files())]
		.filter((path) => /(?:^|\/)package\.json$/.test(path))
		.slice(0, MAX_MANIFESTS);
	const measured = await measuredTexts(
		[...texts].map(([path, text]) => ({ path, text })),
		{
			trees: treeReader(pythonRunner(ground)),
			token,
			isTest,
			manifests: [...(await view.texts(manifests)).values()],
		},
	);
	if (measured.length === 0) return [];
	const modes = new Map(
		(await filesAt(ground.vault, commit)).map(({ path, mode }) => [path, mode]),
	);
	const edits = [...measured, { path: token, text: "" }].map(({ path, text }): TreeEdit => {
		return { kind: "write", path, mode: modes.get(path) ?? "100644", text };
	});
	const written = new Set(measured.map(({ path }) => path));
	const others = back.filter(({ path }) => !written.has(path));
	const at = await variant(ground, { of: commit, edits: [...others, ...edits], what: "measure" });
	const run = [
		`export SPAR_MEASURE_UNTIL=$(($(date +%s) + ${Math.ceil((own.ms * 2 + TRIALS_MS) / 1000)}))`,
		// What is red, or ends otherwise than it does unmeasured, tells nothing.
		`(\n${check.run}\n) || exit 1`,
		`head -n ${MAX_LINES} ${token} > ${token}.tap`,
		`echo "1..$(grep -c '^ok\\|^not' ${token}.tap)" >> ${token}.tap`,
	].join("\n");
	const timeoutMs = Math.min(check.timeoutMs, own.ms * 5 + 3 * TRIALS_MS);
	const report = { format: "tap", path: `${token}.tap` } as const;
	const piece = await at.run({
		check: { ...check, name: `measure-${name}:${check.name}`, run, report, timeoutMs },
	});
	return piece.exitCode === 0 ? piece.cases : null;
}

import { computedEvidence } from "../../evidence/computed.ts";
import { shown } from "../../evidence/path-match.ts";
import { treeOf } from "../../git/changes.ts";
import { isoTime } from "../../kernel/clock.ts";
import { counted } from "../../kernel/counted.ts";
import { treeReader } from "../../wall/language/languages.ts";
import { isMeasured } from "../../wall/measure/kept-tests.ts";
import {
	asAnsweredNow,
	callsLeftOut,
	joined,
	lossOf,
	type Notices,
	noticedIn,
} from "../../wall/measure/notices.ts";
import { unaskedNotes } from "../../wall/measure/unasked.ts";
import { keepEvidence } from "../check-suite.ts";
import type { Stand } from "../stand.ts";
import { pythonRunner } from "../syntax-runner.ts";
import { lineTrials } from "./line-trials.ts";
import { type MeasurePlan, type MeasureRequest, measurePlan } from "./measure-plan.ts";
import { noticesOf } from "./measured-run.ts";

/** Answer of the measure about changed tests. */
export interface Measured {
	/** Sentences about what the changed tests no longer notice. */
	readonly violations: readonly string[];
	/** Files of which they speak. */
	readonly weaker: readonly string[];
	/** Changed files of the base's tests of which all that was noticed is noticed. */
	readonly kept: ReadonlySet<string>;
	/** A line about changed functions of which no measured test notices the answers. */
	readonly notes: readonly string[];
}

const NOTHING: Measured = { violations: [], weaker: [], kept: new Set(), notes: [] };
const MEASURE = "power:tests";
const MAX_SHOWN = 3;

/**
 * Measures whether changed tests of the base still notice what the base's own do, once both pass on the work's product: in
 * one run each, answers of the product are altered beneath every case, and the case notices or does not. An alteration that
 * only the base's tests notice is a loss; a loss is measured twice. Where no answer can be altered, lines of the product are.
 */
export async function measureTests(ground: Stand, request: MeasureRequest): Promise<Measured> {
	const plan = await measurePlan(ground, request);
	if (plan === null) return NOTHING;
	const startedAt = ground.clock.now();
	const original = await noticesOf(ground, plan, plan.original);
	const byCalls = original === null ? null : await comparedTo(original, ground, plan);
	// Tests that are red on the work's product notice each line of it.
	const compared = byCalls ?? (plan.isApart ? NOTHING_NOTICED : await byLines(ground, plan));
	const found = { ...compared, notes: compared.noticed === 0 ? [UNMEASURED] : compared.notes };
	await told(ground, request.commit, { ...found, startedAt });
	return found;
}

interface Found extends Measured {
	/** Number of altered answers, or of changed lines, that the original tests notice. */
	readonly noticed: number;
	/** Of them, those for which the changed tests ask otherwise. */
	readonly otherwise: number;
}

const NOTHING_NOTICED: Found = { ...NOTHING, noticed: 0, otherwise: 0 };

/** Compares by altered answers; null where the original tests notice none, or the changed ones told nothing. */
async function comparedTo(told: Notices, ground: Stand, plan: MeasurePlan): Promise<Found | null> {
	const noticed = noticedIn(told).length;
	if (noticed === 0) return null;
	const changed = await noticesOf(ground, plan, plan.changed);
	if (changed === null) return { ...NOTHING, notes: [UNTOLD], noticed, otherwise: noticed };
	// What is asked for instead is shown as the question; this is in no line of it.
	const left = plan.isApart ? callsLeftOut(told, changed, MAX_SHOWN) : null;
	const unasked = await notesOf(ground, plan, changed);
	const notes = left === null ? unasked : [left, ...unasked];
	const [{ path } = { path: "" }] = plan.opened;
	const abandoned = plan.abandoned.map(
		(file) =>
			`${shown(path)}: this test file was weakened: the original tests import ${shown(file)}, which is still there, and the changed ones do not; restore what was removed, or delete what nothing uses`,
	);
	const original = plan.isApart ? asAnsweredNow(told, changed, plan.isGone) : told;
	const first = lossOf(original, changed);
	const otherwise = first.otherwise.length;
	if (first.lost.length === 0) {
		const isWhole = otherwise + abandoned.length === 0;
		const kept = plan.opened.filter(
			(file) => isWhole && !plan.otherwise.has(file.path) && isMeasured(file, told, plan),
		);
		const paths = new Set(kept.map((file) => file.path));
		return { ...NOTHING, violations: abandoned, kept: paths, notes, noticed, otherwise };
	}
	const again = await noticesOf(ground, plan, { ...plan.changed, name: "again" });
	if (again === null) return { ...NOTHING, notes, noticed, otherwise: noticed };
	const { lost } = lossOf(original, joined([changed, again]));
	return { ...NOTHING, ...lossTexts(lost, original), notes, noticed, otherwise };
}

async function notesOf(
	ground: Stand,
	{ product, original, changed }: MeasurePlan,
	notices: Notices,
): Promise<string[]> {
	const [base, head] = [await original.view.texts(product), await changed.view.texts(product)];
	const files = [...head].map(([path, text]) => ({ path, text, base: base.get(path) ?? "" }));
	return await unaskedNotes(files, notices, treeReader(pythonRunner(ground)));
}

async function byLines(ground: Stand, plan: MeasurePlan): Promise<Found> {
	const { original, changed } = await lineTrials(ground, plan);
	const { lost } = lossOf(original, changed);
	const noticed = noticedIn(original).length;
	return { ...NOTHING, ...lossTexts(lost, original), noticed, otherwise: 0 };
}

function lossTexts(
	lost: readonly string[],
	original: Notices,
): Pick<Measured, "violations" | "weaker"> {
	const places = Map.groupBy(lost, (what) => original.trials.get(what)?.replace(/:\d+$/, "") ?? "");
	const violations = [...places].map(([path, trials]) => {
		const some = trials.slice(0, MAX_SHOWN).map((what) => `when ${what}`);
		const more = trials.length - some.length;
		const all = [...some, ...(more > 0 ? [`or ${more} more`] : [])].join(", ");
		return `${shown(path)}: this test file was weakened, its tests notice less: nothing notices ${all}; the original tests do; restore what was removed`;
	});
	return { violations, weaker: [...places.keys()] };
}

/** Stores the result once, as a piece of evidence beside those of the checks. */
async function told(
	ground: Stand,
	commit: string,
	{ violations, noticed, otherwise, startedAt }: Found & { readonly startedAt: number },
): Promise<void> {
	const { vault, evidence, clock } = ground;
	const tree = await treeOf(vault, commit);
	const stored = await evidence.ofWork();
	if (stored.some((piece) => piece.check === MEASURE && piece.tree === tree)) return;
	const piece = {
		check: MEASURE,
		kind: "power",
		tree,
		startedAt: isoTime(startedAt),
		ms: clock.now() - startedAt,
	} as const;
	const what = `${counted(noticed, "altered answer")} of the product that the original tests notice`;
	const also =
		otherwise === 0
			? "the changed ones do, too"
			: `the changed ones ask otherwise for ${otherwise}`;
	const isLost = violations.length > 0;
	const result = isLost
		? ({ status: "fail", reason: "changed tests notice less", details: violations } as const)
		: noticed === 0
			? ({ status: "absent", reason: UNMEASURED, details: [] } as const)
			: ({ status: "pass", reason: null, details: [`${what}: ${also}`] } as const);
	await keepEvidence(ground, evidence.attempt(0), computedEvidence({ ...piece, ...result }));
}

const UNTOLD =
	"what the changed tests notice could not be measured: measured, they are red, or end otherwise than they do unmeasured";
const UNMEASURED =
	"what the changed tests notice could not be measured: no answer of the product can be altered beneath them";

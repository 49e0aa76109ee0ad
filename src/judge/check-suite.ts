import { holdsForGood } from "../checks/baseline-stand.ts";
import { definitionHash } from "../checks/definition.ts";
import { runSuite } from "../checks/suite.ts";
import type { RunDefinition } from "../evidence/checklist.ts";
import { countsJson } from "../evidence/counts-json.ts";
import type { DefinedCheck, Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import { commitView } from "../formats/commit-view.ts";
import { mutantsJson } from "../formats/mutation/mutation-text.ts";
import { treeOf } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { JudgingStep } from "./ports.ts";
import { setUp, setupKeyAt } from "./prepare-checkout.ts";
import { BASELINE_TURN, type Stand } from "./stand.ts";
import { tellingLines } from "./telling-lines.ts";

/** A checkout and its name in the events of its setups. */
export interface CheckPlace {
	readonly checkout: Checkout;
	readonly name: string;
}

export interface TaskSuite {
	/** Default: the checkout for the checks of a turn. */
	readonly place?: CheckPlace;
	readonly commit: string;
	readonly tree: string;
	/** Default: `turn`. */
	readonly purpose?: EvidencePurpose;
	readonly checks: readonly RunDefinition[];
	readonly attempt: number;
	readonly cold?: boolean;
	readonly baseline?: ReadonlyMap<string, Evidence>;
	readonly isKept?: boolean;
	/** Step of the judgement that it is part of; default: by its purpose. */
	readonly step?: JudgingStep["name"];
}

export async function checkSuite(ground: Stand, suite: TaskSuite): Promise<Evidence[]> {
	const { commit, tree, checks, attempt, purpose = "turn", cold = false, isKept = true } = suite;
	if (checks.length === 0) return [];
	const own = suite.place ?? { checkout: ground.places.checks, name: "checks" };
	const start = purpose === "baseline" ? commit : await ground.evidence.startCommit();
	const startKey = start === null ? "" : await setupKeyAt(ground, start);
	const turn = purpose === "baseline" ? BASELINE_TURN : ground.evidence.turn;
	// Before a merge nothing that is kept is used, in later executions either.
	const least = cold || purpose === "assembled" ? "again" : false;
	return runSuite(
		{
			place: {
				...suitePlace(ground, own.checkout, turn, `${turn}:${purpose}:${attempt}`),
				warms: purpose === "baseline" && commit === ground.run.baseCommit,
			},
			commit,
			tree,
			view: commitView(ground.vault, start ?? commit, commit),
			purpose,
			checks,
			setup: ground.workflow.setup,
			variant: await ground.bases.variant(),
			prepare: (again) => setUp(ground, { ...own, commit, cold: cold && !again ? true : least }),
			setupChanged: (await setupKeyAt(ground, commit)) !== startKey,
			baseline: suite.baseline ?? new Map(),
			attempt,
			onRun: (check) => tellStep(ground, suite, check),
			onEvidence: async (evidence) => {
				if (isKept) await keepEvidence(ground, attempt, evidence);
			},
		},
		ground.signal,
	);
}

async function tellStep(
	{ onStep, evidence }: Pick<Stand, "onStep" | "evidence">,
	{ purpose, step = purpose === "baseline" ? "base" : "work" }: TaskSuite,
	{ name, run }: RunDefinition,
): Promise<void> {
	if (onStep === undefined) return;
	// A run on a variant has a name before that of its check.
	const check = name.slice(name.lastIndexOf(":") + 1);
	const base = (await evidence.ofBase()).find((piece) => piece.check === check);
	onStep({ name: step, run, baseMs: base !== undefined && hasValue(base.status) ? base.ms : null });
}

/** @param mark tells the processes of this suite from others of the task */
export function suitePlace(
	ground: Stand,
	checkout: Checkout,
	turn: number,
	mark: string,
): Parameters<typeof runSuite>[0]["place"] {
	const { places, run, task, masker, blobs, host, workflow } = ground;
	return {
		checkout,
		work: places.work,
		env: ground.environment(workflow.env ?? []),
		shown: ground.shown,
		mark: `${run.runId}:${task.id}:${mark}:`,
		masker,
		blobs,
		outputs: `${places.outputs}/turn-${turn}`,
		host,
	};
}

/** A result of tests of which none is known to fail. */
export const isPlain = ({ kind, counts }: Evidence): boolean =>
	kind === "acceptance" && (counts?.knownFailing ?? 0) === 0;

/**
 * Stores a piece of evidence of this turn, or of the baseline, and tells of it.
 *
 * @param reused true where another execution gave it
 */
export async function keepEvidence(
	{ evidence: store, bases }: Pick<Stand, "evidence" | "bases">,
	attempt: number,
	evidence: Evidence,
	reused = false,
): Promise<void> {
	const { check, item, kind, purpose, status, reason, details, tree, ms } = evidence;
	const counts = countsJson(evidence.counts);
	// Of a replay its cases tell: what its runner printed last may be about those that pass.
	const isLost = kind === "replay" && status === "fail";
	const lines = isLost ? details.slice(0, 2) : tellingLines(evidence);
	const said = lines.length === 0 ? undefined : lines;
	const mutants = evidence.mutation === undefined ? null : mutantsJson(evidence);
	const told = {
		check,
		kind,
		purpose,
		status,
		reason,
		said,
		tree,
		ms,
		...(reused ? { reused: evidence.startedAt } : {}),
		counts,
		...(item === undefined ? {} : { item }),
		...(mutants === null ? {} : { mutants }),
	};
	// Work that passes is the base of what comes next, but for a turn's: its setup may be that of another tree. First, so that
	// whoever goes on after a kill finds both or runs again.
	const isBase = purpose === "baseline" || (purpose === "assembled" && isPlain(evidence));
	if (isBase && !reused) await bases.keep(evidence);
	await store.keep(evidence, attempt, told);
}

export async function takeBaseline(ground: Stand, start: string): Promise<void> {
	const tree = await treeOf(ground.vault, start);
	await ground.baselines.run(tree, () => takeMissing(ground, start, tree));
}

async function takeMissing(ground: Stand, start: string, tree: string): Promise<void> {
	const stored = await ground.evidence.ofBase();
	// What failed when the run began stays known beside what fails on a tip that somebody moved: a landing asks for both.
	const attempt = start === ground.run.baseCommit ? 0 : 1;
	const missing = [];
	for (const check of ground.workflow.checks) {
		const of = await definedHere(ground, check);
		// Evidence of another tree is of a start that was given up when the integration branch was merged in.
		const isTaken = stored.some(
			(piece) => piece.tree === tree && isOf(piece, of) && holdsForGood(piece),
		);
		if (isTaken) continue;
		const known =
			(await ground.evidence.elsewhere(tree, of)) ?? (await ground.bases.find(tree, of));
		if (known !== undefined && holdsForGood(known))
			await keepEvidence(ground, attempt, { ...known, purpose: "baseline" }, true);
		else missing.push(check);
	}
	const baseline = { purpose: "baseline", checks: missing, attempt } as const;
	await checkSuite(ground, { ...baseline, commit: start, tree });
}

/** A check as its evidence would be marked if it ran here and now. */
export async function definedHere(
	{ workflow, bases }: Pick<Stand, "workflow" | "bases">,
	check: CheckDefinition,
): Promise<DefinedCheck> {
	const definition = definitionHash(check, workflow.setup, await bases.variant());
	return { check: check.name, definition };
}

/** Tells whether evidence is of a check as it is defined here: of another machine or environment it is not. */
export const isOf = (piece: DefinedCheck, of: DefinedCheck): boolean =>
	piece.check === of.check && piece.definition === of.definition;

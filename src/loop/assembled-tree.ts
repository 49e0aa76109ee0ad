import { spoiltOf } from "../checks/fault-side.ts";
import { holdsAgainst } from "../checks/holds-against.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { askGate, refusing } from "../gate/ask-gate.ts";
import type { GateReason } from "../gate/gate-facts.ts";
import { treeOf } from "../git/changes.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import { replay } from "../judge/battery/replay.ts";
import {
	type CheckPlace,
	checkSuite,
	definedHere,
	isOf,
	isPlain,
	keepEvidence,
} from "../judge/check-suite.ts";
import { fitsInputs, servesAlike, setUp, setupKeyAt } from "../judge/prepare-checkout.ts";
import { ENVIRONMENT_RETRIES } from "../judge/stand.ts";
import { replayOf } from "../kernel/replayed.ts";
import { requiredOf } from "../review/effective-verdict.ts";
import { isManifest } from "../setups/setup-key.ts";
import { standsFor } from "../wall/replay/stands-for.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { ColdSetup, Ground } from "./context.ts";
import { mergesNext } from "./present-task.ts";

export interface AssembledRequest {
	readonly commit: string;
	readonly tip: string;
	readonly gone?: AbortSignal;
	readonly again?: boolean;
}

export type AssembledResult =
	| { readonly kind: "pass" }
	/** `rules`: of the gate, that refuse it whatever its evidence says. */
	| {
			readonly kind: "red";
			readonly short: readonly Evidence[];
			readonly rules: readonly GateReason[];
	  }
	| { readonly kind: "spoilt"; readonly spoilt: readonly Evidence[] };

// Findings of a killed attempt on this very tree need not be found again.
export async function checkAssembled(
	ground: Ground,
	{ commit, tip, again = false }: AssembledRequest,
): Promise<AssembledResult> {
	const baseline = await ground.read.baseline();
	const tree = await treeOf(ground.vault, commit);
	const required = ground.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const before = again ? null : await passedBefore(ground, tree, required, baseline);
	const product = { commit, tip, tree, baseline, key: await setupKeyAt(ground, commit) };
	if (before !== null) return resultOf(ground, product, before);
	// A person's word may come days after the turn.
	const isAtOnce = mergesNext(ground);
	const replayed = again || !isAtOnce ? null : await replayHeld(ground, required, product);
	return replayed === null
		? await runAssembled(ground, required, product)
		: resultOf(ground, product, replayed);
}

/**
 * The cold run of the base's tests before an approval, which serves for the merge of the same tree. Null where the merge needs
 * a run of the checks besides.
 */
export async function replayCold(
	ground: Ground,
	commit: string,
): Promise<readonly Evidence[] | null> {
	// What is merged before will have moved the tip.
	if (!ground.queue.isEmpty) return null;
	const required = ground.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const replayed = await replayHeld(ground, required, {
		commit,
		tip: await ground.refs.integrationTip(),
		tree: await treeOf(ground.vault, commit),
		key: await setupKeyAt(ground, commit),
		baseline: await ground.read.baseline(),
	});
	if (replayed === null) return null;
	// Its checks ran in the turn.
	const fresh = replayed.filter(({ kind }) => kind === "replay");
	const ofTurn = fresh.map((piece) => ({ ...piece, purpose: "turn" }) as const);
	for (const piece of ofTurn) await keepEvidence(ground, ground.evidence.attempt(0), piece, true);
	return ofTurn;
}

async function replayHeld(
	ground: Ground,
	checks: readonly CheckDefinition[],
	product: AssembledTree,
): Promise<readonly Evidence[] | null> {
	// What a task allows is not the base's any more, and its own tests ran in the turn's place alone.
	if ((ground.task.allow ?? []).length > 0) return null;
	const held = await heldByTurn(ground, checks, product);
	if (held === null || !(await setUpFresh(ground, product))) return null;
	for (const piece of held) {
		const told = { ...piece, purpose: "assembled" } as const;
		await keepEvidence(ground, ground.evidence.attempt(0), told, true);
		// It is the base of what comes next.
		await ground.bases.keep(piece);
	}
	return [...held, ...(await replayIn(ground, product, held))];
}

interface AssembledTree extends Pick<AssembledRequest, "commit" | "tip"> {
	readonly tree: string;
	/** Of its setup. */
	readonly key: string;
	readonly baseline: ReadonlyMap<string, Evidence>;
}

async function runAssembled(
	ground: Ground,
	checks: readonly CheckDefinition[],
	product: AssembledTree,
): Promise<AssembledResult> {
	const { commit, tree, baseline } = product;
	let spoilt: readonly Evidence[] = [];
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const isPrepared = attempt === 0 && (await takePrepared(ground, product)) !== null;
		if (!isPrepared) await ground.places.integration.remove();
		const evidence = await checkSuite(ground, {
			place: placeOf(ground),
			commit,
			tree,
			purpose: "assembled",
			checks,
			attempt: ground.evidence.attempt(attempt),
			// What was prepared is a fresh setup already.
			cold: !isPrepared,
			baseline,
		});
		const short = requiredOf(evidence, []).failed;
		if (short.length === 0)
			return resultOf(ground, product, [
				...evidence,
				...(await replayIn(ground, product, evidence)),
			]);
		spoilt = spoiltOf(short, baseline);
		if (spoilt.length === 0) return { kind: "red", short, rules: [] };
	}
	return { kind: "spoilt", spoilt };
}

async function takePrepared(ground: Ground, product: AssembledTree): Promise<ColdSetup | null> {
	const prepared = await ground.ahead.take();
	return prepared !== null && servesFor(prepared, product) ? prepared : null;
}

/** A fresh setup of the tree, whose result is known to be that of each tree with the same inputs: of the turn's place too. */
async function setUpFresh(ground: Ground, product: AssembledTree): Promise<boolean> {
	const { commit, tree } = product;
	const { checkout } = placeOf(ground);
	let fresh = await takePrepared(ground, product);
	if (fresh === null) {
		await checkout.remove();
		const own = { ...placeOf(ground), commit, cold: true };
		if ((await setUp(ground, own)).status !== "pass") return false;
		const isPlain = await servesAlike(ground, checkout, commit);
		fresh = { tree, key: isPlain ? product.key : null, isUsed: false };
	}
	const isPlain = fresh.key !== null;
	// Each execution begins as the setup left it, so another one may follow here.
	const held = { ...fresh, isUsed: isPlain };
	ground.ahead.begin(() => Promise.resolve(held));
	return isPlain;
}

async function heldByTurn(
	ground: Ground,
	checks: readonly CheckDefinition[],
	{ tip, tree, key, baseline }: AssembledTree,
): Promise<readonly Evidence[] | null> {
	const { read, log } = ground;
	const { startCommit: start } = await read.task();
	const startKey = start === null ? "" : await setupKeyAt(ground, start);
	const turn: Evidence[] = [];
	const stored = await read.evidence(log.turn);
	for (const check of checks) {
		const of = await definedHere(ground, check);
		turn.push(...stored.filter((piece) => isOf(piece, of) && isPlain(piece)));
	}
	const names = checks.map(({ name }) => name);
	return standsFor({ tree, start, tip, startKey, key }, names, turn, baseline);
}

const placeOf = ({ places }: Ground): CheckPlace => ({
	checkout: places.integration,
	name: "integration",
});

async function replayIn(
	ground: Ground,
	{ commit, tip: start, baseline }: AssembledTree,
	stored: readonly Evidence[],
): Promise<readonly Evidence[]> {
	const place = { ...placeOf(ground), purpose: "assembled" } as const;
	return (await replay(ground, place, { commit, start, baseline, stored, early: false })).evidence;
}

/** The gate has the last word on a merge, too; what the turn alone knows is not asked here. */
export function resultOf(
	{ workflow, task }: Pick<Ground, "workflow" | "task">,
	{ tree, baseline }: Pick<AssembledTree, "tree" | "baseline">,
	evidence: readonly Evidence[],
): AssembledResult {
	const rules = refusing(
		askGate({
			scope: "tests",
			tree,
			evidence,
			baseline,
			checks: workflow.checks,
			riskTier: task.gatePolicy?.riskTier ?? "T0",
			waive: workflow.waive ?? {},
			// A person signs before the merge.
			signed: true,
		}),
	);
	if (rules.length === 0) return { kind: "pass" };
	const short = requiredOf(evidence, []).failed;
	const spoilt = spoiltOf(short, baseline);
	if (spoilt.length > 0) return { kind: "spoilt", spoilt };
	return { kind: "red", short, rules: rules.filter(({ rule }) => rule !== ACCEPTANCE) };
}

/** Told by its evidence. */
const ACCEPTANCE = "acceptance";

// The baseline that they were judged by may have been another, where the commit was tested ahead.
async function passedBefore(
	ground: Ground,
	tree: string,
	checks: readonly CheckDefinition[],
	baseline: ReadonlyMap<string, Evidence>,
): Promise<readonly Evidence[] | null> {
	const { read, log } = ground;
	const evidence = (await read.allEvidence(log.turn)).filter(
		(piece) => piece.purpose === "assembled" && piece.tree === tree && !isShort(piece),
	);
	for (const check of checks) {
		const of = await definedHere(ground, check);
		const isPassed = evidence.some((piece) => isOf(piece, of));
		const replay = replayOf(check.name);
		if (!(isPassed && evidence.some((piece) => piece.check === replay))) return null;
	}
	const names = checks.map(({ name }) => name);
	return holdsAgainst(names, evidence, baseline) ? evidence : null;
}

// Nothing that is kept is used. Null when there would be a conflict, the setup fails, or it leaves files that
// forcing the checkout removes.
export async function prepareCold(
	ground: Ground,
	{ commit, before }: { readonly commit: string; readonly before: ColdSetup | null },
): Promise<ColdSetup | null> {
	const isFresh = before !== null && !before.isUsed;
	if (isFresh && before.key === (await setupKeyAt(ground, commit))) return before;
	const { vault, refs, places } = ground;
	const { integration: checkout } = places;
	const tip = await refs.integrationTip();
	const forecast = await forecastMerge(vault, tip, commit);
	if (!forecast.clean) return null;
	const { tree } = forecast;
	// No ref and no row ever names this commit: it only carries the tree into the checkout.
	const carrier = { tree, parents: [tip, commit], message: "to be set up\n", at: 0 };
	const own = (await treeOf(vault, commit)) === tree;
	const target = own ? commit : await commitMerge(vault, carrier);
	await checkout.remove();
	const result = await setUp(ground, { ...placeOf(ground), commit: target, cold: true });
	if (result.status !== "pass") return null;
	const { ignored, others } = await checkout.untracked(target);
	if (!others.every(isManifest)) return null;
	const fitsOthers = await fitsInputs(ground, target, ignored);
	return { tree, key: fitsOthers ? await setupKeyAt(ground, target) : null, isUsed: false };
}

export function servesFor(
	cold: Pick<ColdSetup, "tree" | "key">,
	{ tree, key }: { readonly tree: string; readonly key: string },
): boolean {
	return cold.tree === tree || cold.key === key;
}

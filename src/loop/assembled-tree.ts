import { spoiltOf } from "../checks/fault-side.ts";
import { holdsAgainst } from "../checks/holds-against.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { treeOf } from "../git/changes.ts";
import { commitMerge, forecastMerge } from "../git/merging.ts";
import { replayOf } from "../kernel/replayed.ts";
import { requiredOf } from "../review/effective-verdict.ts";
import { isManifest } from "../setups/setup-key.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import { type CheckPlace, checkSuite } from "./check-suite.ts";
import type { ColdSetup, Ground } from "./context.ts";
import { fitsInputs, setUp, setupKeyAt } from "./prepare-checkout.ts";
import { attemptOf, ENVIRONMENT_RETRIES } from "./records/task-reader.ts";
import { type ReplayRequest, replay } from "./replay.ts";

export interface AssembledRequest {
	readonly commit: string;
	readonly tip: string;
	readonly gone?: AbortSignal;
	readonly again?: boolean;
}

export type AssembledResult =
	| { readonly kind: "pass" }
	| { readonly kind: "red"; readonly short: readonly Evidence[] }
	| { readonly kind: "spoilt"; readonly spoilt: readonly Evidence[] };

// Findings of a killed attempt on this very tree need not be found again.
export async function checkAssembled(
	ground: Ground,
	{ commit, tip, again = false }: AssembledRequest,
): Promise<AssembledResult> {
	const baseline = await ground.read.baseline();
	const tree = await treeOf(ground.vault, commit);
	const required = ground.workflow.checks.filter(({ kind }) => kind === "acceptance");
	const names = required.map(({ name }) => name);
	if (!again && (await passedBefore(ground, tree, names, baseline))) return { kind: "pass" };
	const key = await setupKeyAt(ground, commit);
	let spoilt: readonly Evidence[] = [];
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const prepared = attempt === 0 ? await ground.ahead.take() : null;
		const serves = prepared !== null && servesFor(prepared, { tree, key });
		if (!serves) await ground.places.integration.remove();
		const evidence = await checkSuite(ground, {
			place: placeOf(ground),
			commit,
			tree,
			purpose: "assembled",
			checks: required,
			attempt: attemptOf(ground.state.items, attempt),
			// What was prepared is a fresh setup already.
			cold: !serves,
			baseline,
		});
		const short = requiredOf(evidence, []).failed;
		if (short.length === 0)
			return await replayAssembled(ground, { commit, start: tip, baseline, stored: evidence });
		spoilt = spoiltOf(short, baseline);
		if (spoilt.length === 0) return { kind: "red", short };
	}
	return { kind: "spoilt", spoilt };
}

const placeOf = ({ places }: Ground): CheckPlace => ({
	checkout: places.integration,
	name: "integration",
});

async function replayAssembled(
	ground: Ground,
	product: Omit<ReplayRequest, "early">,
): Promise<AssembledResult> {
	const { baseline } = product;
	const place = { ...placeOf(ground), purpose: "assembled" } as const;
	const replayed = await replay(ground, place, { ...product, early: false });
	const short = requiredOf(replayed.evidence, []).failed;
	if (short.length === 0) return { kind: "pass" };
	const spoilt = spoiltOf(short, baseline);
	return spoilt.length === 0 ? { kind: "red", short } : { kind: "spoilt", spoilt };
}

// The baseline that they were judged by may have been another, where the commit was tested ahead.
async function passedBefore(
	{ read, log }: Ground,
	tree: string,
	names: readonly string[],
	baseline: ReadonlyMap<string, Evidence>,
): Promise<boolean> {
	const evidence = (await read.allEvidence(log.turn)).filter(
		(piece) => piece.purpose === "assembled" && piece.tree === tree,
	);
	const passed = new Set(evidence.flatMap((piece) => (isShort(piece) ? [] : [piece.check])));
	const all = names.flatMap((name) => [name, replayOf(name)]);
	return all.every((name) => passed.has(name)) && holdsAgainst(names, evidence, baseline);
}

// Nothing that is kept is used. Null when there would be a conflict, the setup fails, or it leaves files that
// forcing the checkout removes.
export async function prepareCold(ground: Ground, commit: string): Promise<ColdSetup | null> {
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
	return { tree, key: fitsOthers ? await setupKeyAt(ground, target) : null };
}

export function servesFor(
	cold: ColdSetup,
	{ tree, key }: { readonly tree: string; readonly key: string },
): boolean {
	return cold.tree === tree || cold.key === key;
}

import type { Evidence } from "../../evidence/evidence.ts";
import { canCompare } from "./judge-replay.ts";
import { isShort } from "./void-replay.ts";

/** Two states of what a run rests on: that of a turn, and that of the merge of its tree. */
export interface MergeGround {
	readonly tree: string;
	/** Commit on which the turn was built, and the tip on which it would merge. */
	readonly start: string | null;
	readonly tip: string;
	/** Keys of the setups of the start and of the merged tree. */
	readonly startKey: string;
	readonly key: string;
}

/**
 * The results of a turn that stand for a cold run of its checks before the merge: passes on the very tree, where nothing
 * landed since the start and a fresh setup would be the same. The base's own tests still run cold, so each check must have
 * some that passed.
 *
 * @param names checks that must have passed
 * @param turn evidence of the turn
 * @returns one piece for each name; null where the checks have to run
 */
export function standsFor(
	{ tree, start, tip, startKey, key }: MergeGround,
	names: readonly string[],
	turn: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): readonly Evidence[] | null {
	if (start !== tip || startKey !== key) return null;
	const held = names.flatMap((name) => {
		const piece = turn.findLast(({ check, tree: of }) => check === name && of === tree);
		const stands = piece !== undefined && !isShort(piece) && canCompare(baseline.get(name));
		return stands ? [piece] : [];
	});
	return held.length === names.length ? held : null;
}

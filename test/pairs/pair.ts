import type { Branch } from "../cheats/check-branch.ts";
import type { Edit } from "../cheats/tree.ts";

/** A change of tests as honest people make it, and the same change with a loss. */
export interface Pair {
	readonly name: string;
	readonly project: Branch["project"];
	/** All that the base's tests noticed is still noticed, and its tests pass on the product. */
	readonly twin: readonly Edit[];
	/** After the twin's edits: the tests are still green, and notice less. */
	readonly loss: readonly Edit[];
	/** Of the product, after the others: the twin's tests fail, those with the loss pass. */
	readonly fault: Edit;
}

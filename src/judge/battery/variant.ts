import type { Evidence } from "../../evidence/evidence.ts";
import { commitEdits, type TreeEdit } from "../../git/write-tree.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import { checkSuite, type TaskSuite } from "../check-suite.ts";
import type { Stand } from "../stand.ts";

/** A tree that nobody wrote: a commit with some of its files changed. */
export interface Variant {
	readonly tree: string;
	/** Runs a command on it. What comes of it speaks of this tree, and is stored by whoever asked. */
	run(command: VariantCommand): Promise<Evidence>;
}

export interface VariantCommand extends Pick<Partial<TaskSuite>, "place" | "purpose" | "attempt"> {
	/** Its name tells the run from others of the same check. */
	readonly check: CheckDefinition;
	/** Evidence that the run is judged against; left out: none. */
	readonly before?: Evidence | undefined;
}

/**
 * The only way in which tests are run on a changed tree.
 *
 * @param of commit that is changed
 * @param what names the variant among the refs of its turn, such as `"replay"`
 * @example `(await variant(stand, { of, edits, what: "near" })).run({ check })`
 */
export async function variant(
	stand: Stand,
	{
		of,
		edits,
		what,
	}: { readonly of: string; readonly edits: readonly TreeEdit[]; readonly what: string },
): Promise<Variant> {
	const { vault, refs, evidence } = stand;
	const message = `A variant for ${what}: nobody's work\n`;
	const { commit, tree } = await commitEdits(vault, { of, edits, parents: [of], message, at: 0 });
	await refs.keep(`${what}-${evidence.turn}`, commit);
	const run: Variant["run"] = async ({ check, before, ...suite }) => {
		const [piece] = await checkSuite(stand, {
			attempt: evidence.attempt(0),
			...suite,
			commit,
			tree,
			checks: [check],
			baseline: before === undefined ? new Map() : new Map([[check.name, before]]),
			isKept: false,
			step: what === "replay" ? "replay" : "notices",
		});
		if (piece === undefined) throw new Error(`check ${check.name} left no evidence`);
		return piece;
	};
	return { tree, run };
}

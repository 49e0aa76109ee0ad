import { keepDiff, type PromptGround } from "./coach-call.ts";
import { prepareCheckout, type SetupGround } from "./prepare-checkout.ts";
import type { SeatRequest } from "./seat-request.ts";
import type { TaskState } from "./state.ts";

/**
 * The coach's checkout for somebody else who judges the same commit, made again: the coach may have left anything there.
 *
 * @param keep the call before was of the same judge: what it left unchanged may stay
 */
export function judgeCheckout(
	context: SetupGround,
	{ commit }: TaskState,
	keep = false,
): Pick<SeatRequest, "checkout" | "prepare"> {
	const { coach: checkout } = context.places;
	return {
		checkout: checkout.dir,
		prepare: async () => {
			if (!keep || !(await checkout.isUnchanged(commit))) await checkout.remove();
			await prepareCheckout(context, { checkout, name: "coach", commit });
		},
	};
}

/** What somebody who judges is told of the work, with its difference in a file beside the call. */
export async function judgedWork(
	context: PromptGround,
	{ start, commit }: TaskState,
	workDir: string,
): Promise<{
	readonly diff: { readonly text: string; readonly path: string };
	/** JSON, for the context of the call. */
	readonly told: Readonly<Record<string, unknown>>;
}> {
	const diff = await keepDiff(context, { from: start, to: commit, path: `${workDir}/diff.patch` });
	const { id, description, acceptanceCriteria } = context.task;
	const told = {
		run: context.run.runId,
		turn: context.log.turn,
		base: start,
		commit,
		task: { id, description, acceptance_criteria: acceptanceCriteria },
		subtask: context.subtask?.id ?? null,
		diff_path: diff.path,
	};
	return { diff, told };
}

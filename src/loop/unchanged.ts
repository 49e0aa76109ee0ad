import type { CoachReport } from "../agents/report.ts";
import { requirementCoverage } from "../confidence/requirement-coverage.ts";
import type { NodeInput } from "./node.ts";

/** Whether the work adds nothing to what the task began with, or to the branch that was merged into it since. */
export async function addsNothing({
	facts,
	state: { start, commit },
	commits,
}: Pick<NodeInput, "facts" | "state" | "commits">): Promise<boolean> {
	if (facts.task.formalReview === true) return false;
	return start === commit || (await commits.treeOf(start)) === (await commits.treeOf(commit));
}

/** Whether nothing is done: the files are those that the task or its present subtask began with. */
export async function isUnchanged(
	input: Pick<NodeInput, "facts" | "state" | "commits" | "read">,
): Promise<boolean> {
	const { facts, state, commits, read } = input;
	if (await addsNothing(input)) return true;
	const { subtaskStart } = await read.task();
	if (facts.subtask === null || subtaskStart === 0) return false;
	return (await read.turn(subtaskStart)).tree === (await commits.treeOf(state.commit));
}

/**
 * Why a coach does not show that an unchanged tree is right as it is: it has to name a test case that passed for each
 * criterion; where the task has none, for the task.
 *
 * @returns null where it does
 */
export function whyUnshown({
	criteria,
	report,
	...ground
}: Omit<Parameters<typeof requirementCoverage>[0], "claims"> & {
	readonly criteria: NonNullable<Parameters<typeof requirementCoverage>[0]["claims"]>;
	readonly report: Pick<CoachReport, "requirements_status">;
}): string | null {
	const tests = report.requirements_status.flatMap((one) => (one.met ? one.tests : []));
	const whole = [{ criterion: "the task", met: true, tests }];
	const claims = criteria.length === 0 ? whole : criteria;
	const { score, reason } = requirementCoverage({ ...ground, claims });
	return score === 1 ? null : reason;
}

import type { CoachReport } from "../agents/report.ts";
import { requirementCoverage } from "../confidence/requirement-coverage.ts";
import type { NodeInput } from "./node-input.ts";

type Input = Pick<NodeInput, "facts" | "state" | "commits" | "read">;

export async function didNothing({ facts, state, commits, read }: Input): Promise<boolean> {
	if (facts.task.formalReview === true) return false;
	const { tree } = await read.turn(state.turn);
	return tree === (await commits.treeOf(state.start)) && !(await hasMoved({ state, read }));
}

export async function isUnchanged({ facts, state, commits, read }: Input): Promise<boolean> {
	if (facts.task.formalReview === true) return false;
	const tree = await commits.treeOf(state.commit);
	if (tree === (await commits.treeOf(state.start)))
		return facts.task.pair === undefined || !(await hasMoved({ state, read }));
	const { subtaskStart } = await read.task();
	if (facts.subtask === null || subtaskStart === 0) return false;
	return (await read.turn(subtaskStart)).tree === tree;
}

async function hasMoved({ state, read }: Pick<Input, "state" | "read">): Promise<boolean> {
	for (let turn = state.turn; turn > 0; turn -= 1)
		if ((await read.refusedMerge(turn)) !== null) return true;
	return false;
}

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

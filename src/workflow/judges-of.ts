import { mayDisagree, stakeholdersOf, standInsOf, tieBreakerOf } from "./tie-breaker-of.ts";
import type { TaskDefinition, Workflow } from "./workflow.ts";

function judgesOfTask({ player, pair, confidence, formalReview }: TaskDefinition): string[] {
	const evaluators = (confidence?.metrics ?? []).map(({ evaluator_agent: name }) => name);
	const switches = (pair?.roleSwitch ?? "session") !== "session";
	return [
		pair?.challenger,
		// Where seats swap, the agent that builds now judges later.
		...(switches || formalReview === true ? [player] : []),
		...evaluators,
	].filter((name) => name !== undefined);
}

/** Who may settle the conflicts of a task in place of the default tie-breaker. */
function standInNames(workflow: Workflow, task: TaskDefinition): readonly string[] {
	if (workflow.tieBreaker !== undefined || !mayDisagree({ ...workflow, tasks: [task] })) return [];
	return standInsOf(workflow, stakeholdersOf(workflow, task)).map(({ name }) => name);
}

/**
 * Names of the agents whose word judges work: challengers, drivers that change seats, formal reviewers, evaluators, the
 * verifier, the tie-breaker where a pair can disagree and those who may be asked in its place, and whatever stands in for them.
 */
export function judgesOf(workflow: Workflow): ReadonlySet<string> {
	const judges = new Set([
		...workflow.tasks.flatMap(judgesOfTask),
		...(mayDisagree(workflow) ? [tieBreakerOf(workflow).name] : []),
		...(workflow.verification.agent === undefined ? [] : [workflow.verification.agent]),
		...workflow.tasks.flatMap((task) => standInNames(workflow, task)),
	]);
	for (const name of judges) {
		const fallback = workflow.agents[name]?.fallback;
		// Names that are added while the set is walked are walked as well.
		if (fallback !== undefined) judges.add(fallback);
	}
	return judges;
}

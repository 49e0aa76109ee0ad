import { mayDisagree, tieBreakerOf } from "./tie-breaker-of.ts";
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

/**
 * Names of the agents whose word judges work: challengers, drivers that change seats, formal reviewers, evaluators, the
 * verifier, the tie-breaker where a pair can disagree, and whatever stands in for them.
 */
export function judgesOf(workflow: Workflow): ReadonlySet<string> {
	const judges = new Set([
		...workflow.tasks.flatMap(judgesOfTask),
		...(mayDisagree(workflow) ? [tieBreakerOf(workflow).name] : []),
		...(workflow.verification.agent === undefined ? [] : [workflow.verification.agent]),
	]);
	for (const name of judges) {
		const fallback = workflow.agents[name]?.fallback;
		// Names that are added while the set is walked are walked as well.
		if (fallback !== undefined) judges.add(fallback);
	}
	return judges;
}

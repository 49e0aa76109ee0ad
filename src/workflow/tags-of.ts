import { UNTAGGED } from "./limits.ts";
import { nameProblem } from "./safe-name.ts";
import { arbitersOf, chainOf, evaluatorsOf, type Parties } from "./tie-breaker-of.ts";
import { verifierOf } from "./verifier-of.ts";
import type { TaskDefinition } from "./workflow.ts";

/** Finds why a word cannot be a tag, of an agent or of a machine; undefined when it can. */
export function tagProblem(tag: string): string | undefined {
	return (
		nameProblem(tag) ??
		(tag === UNTAGGED ? "is the name for work that any machine can do" : undefined)
	);
}

/**
 * Tags that a machine needs for a task: those of every agent that may be called in it, and of its fallbacks, sorted,
 * each once. A verifier that is asked in another process runs there. A player tagged `gpu` and a coach tagged `mac`
 * and `gpu` give `["gpu", "mac"]`.
 */
export function tagsOf(workflow: Parties, task: TaskDefinition): readonly string[] {
	const { player, pair } = task;
	const called = [
		...(pair === undefined ? [player] : [player, pair.challenger]),
		...evaluatorsOf(task),
		...verifiersOf(workflow, task),
		...arbitersOf(workflow, task),
	];
	const agents = called.flatMap((name) => chainOf(workflow.agents, name));
	return [...new Set(agents.flatMap(({ tags = [] }) => tags))].sort();
}

/** `auto` counts: what a turn touches decides only when there is a turn. */
function verifiersOf(workflow: Parties, task: TaskDefinition): readonly string[] {
	if (workflow.verification.via !== undefined) return [];
	if (task.requiresVerification === "false" || task.formalReview === true) return [];
	const verifier = verifierOf(workflow, task);
	return verifier === null ? [] : [verifier];
}

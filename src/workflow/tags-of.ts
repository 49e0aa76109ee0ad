import { nameProblem } from "./safe-name.ts";
import { mayDisagree, stakeholdersOf, standInsOf, tieBreakerOf } from "./tie-breaker-of.ts";
import { verifierOf } from "./verifier-of.ts";
import type { TaskDefinition, Workflow } from "./workflow.ts";

/** Name for work that any machine can do; no agent's tag can be it. */
export const UNTAGGED = "any";

/** Finds why a word cannot be a tag, of an agent or of a machine; undefined when it can. */
export function tagProblem(tag: string): string | undefined {
	return (
		nameProblem(tag) ??
		(tag === UNTAGGED ? "is the name for work that any machine can do" : undefined)
	);
}

type Agents = Pick<Workflow, "name" | "agents" | "tasks" | "tieBreaker" | "verification">;

/**
 * Tags that a machine needs for a task: those of every agent that may be called in it, and of its fallbacks, sorted,
 * each once. A verifier that is asked in another process runs there. A player tagged `gpu` and a coach tagged `mac`
 * and `gpu` give `["gpu", "mac"]`.
 */
export function tagsOf(workflow: Agents, task: TaskDefinition): readonly string[] {
	const names = [...seatsOf(task), ...verifiersOf(workflow, task), ...arbitersOf(workflow, task)];
	return tagsOfAgents(workflow, names);
}

function tagsOfAgents(
	{ agents }: Pick<Workflow, "agents">,
	called: readonly string[],
): readonly string[] {
	const names = new Set(called);
	const tags = new Set<string>();
	for (const name of names) {
		const agent = agents[name];
		for (const tag of agent?.tags ?? []) tags.add(tag);
		// Names that are added while the set is walked are walked as well.
		if (agent?.fallback !== undefined) names.add(agent.fallback);
	}
	return [...tags].sort();
}

/** Name of a set of sorted tags, for queues: `["gpu", "mac"]` is `"gpu/mac"`, and `[]` is `"any"`. */
export function queueOf(tags: readonly string[]): string {
	return tags.length === 0 ? UNTAGGED : tags.join("/");
}

function seatsOf({ player, pair, confidence }: TaskDefinition): readonly string[] {
	const named = (confidence?.metrics ?? []).map(({ evaluator_agent: name }) => name);
	return [player, pair?.challenger, ...named].filter((name) => name !== undefined);
}

/** `auto` counts: what a turn touches decides only when there is a turn. */
function verifiersOf(workflow: Agents, task: TaskDefinition): readonly string[] {
	if (workflow.verification.via !== undefined) return [];
	if (task.requiresVerification === "false" || task.formalReview === true) return [];
	const verifier = verifierOf(workflow, task);
	return verifier === null ? [] : [verifier];
}

function arbitersOf(workflow: Agents, task: TaskDefinition): readonly string[] {
	const { verification, tieBreaker } = workflow;
	if (!mayDisagree({ tasks: [task], verification })) return [];
	if (tieBreaker !== undefined) return [tieBreakerOf(workflow).name];
	return standInsOf(workflow, stakeholdersOf(workflow, task)).map(({ name }) => name);
}

import { AGENT_TIMEOUT_MS } from "./harnesses.ts";
import { familyOf } from "./kinship.ts";
import { verifierOf } from "./verifier-of.ts";
import type { AgentDefinition, ModelDefinition, TaskDefinition, Workflow } from "./workflow.ts";

const MODEL = "google/gemini-flash-latest";

/** Tie-breaker of a workflow that names none. No agent of a file can have its name, which holds a slash. */
export const DEFAULT_TIE_BREAKER: ModelDefinition = {
	adapter: "model",
	name: MODEL,
	model: MODEL,
	env: [],
	timeoutMs: AGENT_TIMEOUT_MS,
};

/**
 * The agent that settles conflicts: the one that `tie_breaker` names, else `google/gemini-flash-latest` by API. Where
 * that one cannot be asked, see {@link standInsOf}.
 */
export function tieBreakerOf({
	name,
	agents,
	tieBreaker,
}: Pick<Workflow, "name" | "agents" | "tieBreaker">): AgentDefinition {
	if (tieBreaker === undefined) return DEFAULT_TIE_BREAKER;
	const agent = agents[tieBreaker];
	if (agent === undefined) throw new Error(`no tie-breaker ${tieBreaker} in workflow ${name}`);
	return agent;
}

/**
 * Names of the agents that write, verify or judge the work of a task: none of them decides a dispute about it.
 *
 * @example of a pair of `dev` and `rev` with `verifier: qa` these are `dev`, `rev` and `qa`
 */
export function stakeholdersOf(
	workflow: Pick<Workflow, "agents" | "verification">,
	task: Pick<TaskDefinition, "player" | "pair" | "requiresVerification">,
): readonly string[] {
	const verifier = task.requiresVerification === "false" ? null : verifierOf(workflow, task);
	const names = [task.player, task.pair?.challenger, verifier];
	return [...new Set(names.filter((name) => name !== undefined && name !== null))];
}

/**
 * Agents that may settle a conflict where `tie_breaker` is left out and the default one cannot be asked, in the order
 * in which they are tried: those known to be of another family than every seat, then those of unknown family. None of
 * them, or of their fallbacks, holds a seat or stands in for one.
 */
export function standInsOf(
	{ agents }: Pick<Workflow, "agents">,
	seats: readonly string[],
): readonly AgentDefinition[] {
	const seated = new Set(seats.flatMap((name) => chainOf(agents, name)));
	const families = new Set([...seated].map(makerOf));
	const isFree = (agent: AgentDefinition): boolean =>
		!seated.has(agent) && (makerOf(agent) === null || !families.has(makerOf(agent)));
	const free = Object.values(agents).filter(({ name }) => chainOf(agents, name).every(isFree));
	const isKnown = (agent: AgentDefinition): boolean => makerOf(agent) !== null;
	return [...free.filter(isKnown), ...free.filter((agent) => !isKnown(agent))];
}

/** An agent with those that stand in for it, each once. */
export function chainOf(agents: Workflow["agents"], head: string): readonly AgentDefinition[] {
	const chain: AgentDefinition[] = [];
	for (let next = agents[head]; next !== undefined && !chain.includes(next); ) {
		chain.push(next);
		next = next.fallback === undefined ? undefined : agents[next.fallback];
	}
	return chain;
}

function makerOf(agent: AgentDefinition): string | null {
	return familyOf({
		adapter: agent.adapter,
		model: "model" in agent ? agent.model : undefined,
		run: "run" in agent ? agent.run : [],
	});
}

/** Tells whether conflicts can arise: a coach can uphold a finding, and a verifier a test. */
export function mayDisagree({
	tasks,
	verification,
}: Pick<Workflow, "tasks" | "verification">): boolean {
	return verification.agent !== undefined || tasks.some(({ pair }) => pair !== undefined);
}

/** Names of the agents that settle the conflicts of a task: the tie-breaker, or those who may be asked in its place. */
export function arbitersOf(workflow: Parties, task: TaskDefinition): readonly string[] {
	const { verification, tieBreaker } = workflow;
	if (!mayDisagree({ tasks: [task], verification })) return [];
	if (tieBreaker !== undefined) return [tieBreakerOf(workflow).name];
	return standInsOf(workflow, stakeholdersOf(workflow, task)).map(({ name }) => name);
}

export type Parties = Pick<Workflow, "name" | "agents" | "tasks" | "tieBreaker" | "verification">;

export function evaluatorsOf({ confidence }: Pick<TaskDefinition, "confidence">): string[] {
	return (confidence?.metrics ?? []).flatMap(({ evaluator_agent: name }) => name ?? []);
}

function judgesOfTask(task: TaskDefinition): readonly string[] {
	const { player, pair, formalReview } = task;
	const switches = (pair?.roleSwitch ?? "session") !== "session";
	// Where seats swap, the agent that builds now judges later.
	const builder = switches || formalReview === true ? [player] : [];
	return [...(pair === undefined ? [] : [pair.challenger]), ...builder, ...evaluatorsOf(task)];
}

/**
 * Names of the agents whose word judges work: challengers, drivers that change seats, formal reviewers, evaluators, the
 * verifier, the tie-breaker where a pair can disagree and those who may be asked in its place, and whatever stands in for them.
 */
export function judgesOf(workflow: Workflow): ReadonlySet<string> {
	const { agents, tasks, verification } = workflow;
	const judges = [
		...tasks.flatMap((task) => [...judgesOfTask(task), ...arbitersOf(workflow, task)]),
		...(mayDisagree(workflow) ? [tieBreakerOf(workflow).name] : []),
		...(verification.agent === undefined ? [] : [verification.agent]),
	];
	const fallbacks = judges.flatMap((name) => chainOf(agents, name).map((agent) => agent.name));
	return new Set([...judges, ...fallbacks]);
}

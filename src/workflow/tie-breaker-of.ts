import { AGENT_TIMEOUT_MS } from "./agent-timeout.ts";
import type { AgentDefinition, ModelDefinition, Workflow } from "./workflow.ts";

const MODEL = "google/gemini-flash-latest";

/**
 * Who settles conflicts where the workflow names nobody. No agent of a file can have its name, which holds a slash.
 */
export const DEFAULT_TIE_BREAKER: ModelDefinition = {
	adapter: "model",
	name: MODEL,
	model: MODEL,
	env: [],
	timeoutMs: AGENT_TIMEOUT_MS,
};

/**
 * The agent that settles the conflicts of a workflow: the one that `tie_breaker` names, else a Gemini Flash model by
 * API, whose key is looked for in the provider's standard variables.
 *
 * @example without `tie_breaker` its name is `"google/gemini-flash-latest"`
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

/** Whether conflicts can arise: a coach can uphold a finding, and a verifier a test. */
export function mayDisagree({
	tasks,
	verification,
}: Pick<Workflow, "tasks" | "verification">): boolean {
	return verification.agent !== undefined || tasks.some(({ pair }) => pair !== undefined);
}

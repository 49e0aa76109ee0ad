import { isMapping } from "./field.ts";
import { ADAPTERS_OF_KEY } from "./schema-agents.ts";
import type { AgentDefinition, ValueDefinition, Workflow } from "./workflow.ts";

const REACHED_BY: ReadonlySet<string> = new Set(["adapter", "login", ...ADAPTERS_OF_KEY.keys()]);

/** Stands for an agent that a program serves while the file is checked: nobody starts it. */
const STAND_IN = { adapter: "command", run: ["value"] } as const;

/**
 * A file in which the named agents can be checked like any other: one that it does not have is there, and of one that
 * it has everything but how it is reached.
 */
export function withStandIns(
	file: Readonly<Record<string, unknown>>,
	names: readonly string[],
): Readonly<Record<string, unknown>> {
	const agents = file["agents"] ?? {};
	// What is no mapping is reported as it is.
	if (names.length === 0 || !isMapping(agents)) return file;
	const served = names.map((name) => {
		const written = agents[name] ?? {};
		if (!isMapping(written)) return [name, written] as const;
		const kept = Object.entries(written).filter(([key]) => !REACHED_BY.has(key));
		return [name, { ...STAND_IN, ...Object.fromEntries(kept) }] as const;
	});
	return { ...file, agents: { ...agents, ...Object.fromEntries(served) } };
}

export function withValues(workflow: Workflow, names: readonly string[]): Workflow {
	const served = names.flatMap((name) => {
		const agent = workflow.agents[name];
		return agent === undefined ? [] : [[name, servedBy(agent)] as const];
	});
	return { ...workflow, agents: { ...workflow.agents, ...Object.fromEntries(served) } };
}

function servedBy(agent: AgentDefinition): ValueDefinition {
	if (agent.adapter !== "command") throw new Error(`agent ${agent.name} has no stand-in`);
	const { run: _run, ...common } = agent;
	return { ...common, adapter: "value" };
}

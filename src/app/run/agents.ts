import type { Agent } from "../../agents/agent.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Seat } from "../../loop/context.ts";
import { findProgram } from "../../process/find-program.ts";
import type { ProcessHost } from "../../process/process.ts";
import { mayDisagree, tieBreakerOf } from "../../workflow/tie-breaker-of.ts";
import type { AgentDefinition, HarnessDefinition, Workflow } from "../../workflow/workflow.ts";
import { harnessOf } from "../harnesses.ts";
import { acpStores } from "./acp-stores.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What agents are made with. */
export interface AgentSurroundings {
	readonly env: Environment;
	/** Starts the programs of agents. */
	readonly host: ProcessHost;
}

/**
 * Makes the agents of a workflow, and its tie-breaker, when they are first needed. The one place that knows the adapters
 * by name.
 */
export function seatsOf(
	workflow: Workflow,
	around: AgentSurroundings,
): (name: string) => Promise<Seat> {
	const made = new Map<string, Promise<Seat>>();
	return (name) => {
		const known = made.get(name);
		if (known !== undefined) return known;
		const definition = definitionOf(workflow, name);
		const seat = makeAgent(definition, around).then((agent) => ({ agent, definition }));
		made.set(name, seat);
		return seat;
	};
}

function definitionOf(workflow: Workflow, name: string): AgentDefinition {
	const tieBreaker = tieBreakerOf(workflow);
	const definition = name === tieBreaker.name ? tieBreaker : workflow.agents[name];
	if (definition === undefined) throw new Error(`no agent ${name} in workflow ${workflow.name}`);
	return definition;
}

/** The variables that the workflow's `env` names for an agent, as far as they are set. */
function namedVariables(names: readonly string[], env: Environment): Record<string, string> {
	return Object.fromEntries(
		names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
	);
}

async function makeAgent(definition: AgentDefinition, around: AgentSurroundings): Promise<Agent> {
	const env = namedVariables(definition.env, around.env);
	const { host } = around;
	switch (definition.adapter) {
		case "command": {
			const { commandAgent } = await import("../../agents/command/command-agent.ts");
			return commandAgent({ run: programOf(definition), env, host });
		}
		case "cassette": {
			const { readCassette } = await import("../../agents/cassette/read-cassette.ts");
			const { cassetteAgent } = await import("../../agents/cassette/cassette-agent.ts");
			return cassetteAgent(await readCassette(definition.file), { applyFiles: true });
		}
		case "claude":
		case "codex":
		case "gemini":
		case "opencode":
			return await makeHarness(definition, env, around);
		case "acp": {
			const { acpAgent } = await import("../../agents/acp/acp-agent.ts");
			const { model, login } = definition;
			const { store, readable } = acpStores(around.env);
			return acpAgent({ run: programOf(definition), model, login, env, host, store, readable });
		}
		case "model": {
			const { modelAgent } = await import("../../agents/model/model-agent.ts");
			const { model, baseUrl } = definition;
			return modelAgent({ model, baseUrl, named: env, env: around.env });
		}
		default:
			return assertNever(definition);
	}
}

function programOf({ name, run }: { readonly name: string; readonly run: readonly string[] }) {
	const [program, ...args] = run;
	if (program === undefined) throw new Error(`agent ${name} has no program`);
	return [program, ...args] as const;
}

async function makeHarness(
	{ name, adapter, model, args, login }: HarnessDefinition,
	env: Readonly<Record<string, string>>,
	around: AgentSurroundings,
): Promise<Agent> {
	const { harnessAgent } = await import("../../agents/harness/harness-agent.ts");
	const harness = await harnessOf(adapter);
	const program = await findProgram(harness.name, around.env["PATH"] ?? "", "/");
	if (program === undefined)
		throw missingProgram(name, harness.name, "Install it, or put it on the PATH");
	const store = namedVariables(harness.storeVariables, around.env);
	return harnessAgent(harness, { program, model, args, login, env, store, host: around.host });
}

function missingProgram(agent: string, program: string, wayOut: string): Fault {
	return new Fault(`agent ${agent} needs the program ${program}, which is not on the PATH`, {
		code: "program-missing",
		hint: `${wayOut}. \`spar doctor\` checks every agent.`,
	});
}

/**
 * The agents that a run of this workflow may call and cannot do without: those of the seats, the tie-breaker and
 * the verifier that it names, and whatever stands in for them. In place of a default tie-breaker that cannot be asked
 * another agent is, or a person.
 */
function calledAgents(workflow: Workflow): ReadonlySet<string> {
	const { tasks, tieBreaker, verification } = workflow;
	const called = new Set(
		tasks.flatMap(({ player, pair }) => [player, ...(pair === undefined ? [] : [pair.challenger])]),
	);
	if (tieBreaker !== undefined && mayDisagree(workflow)) called.add(tieBreaker);
	if (verification.agent !== undefined) called.add(verification.agent);
	return called;
}

function withFallbacks({ agents }: Workflow, names: ReadonlySet<string>): ReadonlySet<string> {
	const called = new Set(names);
	for (const name of called) {
		const fallback = agents[name]?.fallback;
		// Names that are added while the set is walked are walked as well.
		if (fallback !== undefined) called.add(fallback);
	}
	return called;
}

/**
 * Looks for what agents need before anything runs: programs, cassettes, packages, keys.
 *
 * @param names default: the agents of the workflow's seats and its named tie-breaker; fallbacks are added
 * @throws Fault `program-missing` naming agent and program or package, `cassette-invalid` naming file and line
 */
export async function requireAgents(
	workflow: Workflow,
	env: Environment,
	names: ReadonlySet<string> = calledAgents(workflow),
): Promise<void> {
	for (const name of withFallbacks(workflow, names)) {
		const definition = workflow.agents[name];
		if (definition !== undefined) await requireAgent(definition, env);
	}
}

/** Why an agent of a workflow, or its tie-breaker, cannot be called here; null when nothing is known to be in the way. */
export async function obstacleTo(
	workflow: Workflow,
	name: string,
	env: Environment,
): Promise<string | null> {
	try {
		await requireAgent(definitionOf(workflow, name), env);
		return null;
	} catch (error) {
		if (error instanceof Fault) return error.message;
		throw error;
	}
}

async function requireAgent(definition: AgentDefinition, env: Environment): Promise<void> {
	switch (definition.adapter) {
		case "cassette": {
			const { readCassette } = await import("../../agents/cassette/read-cassette.ts");
			await readCassette(definition.file);
			return;
		}
		case "model": {
			const { requireModel } = await import("../../agents/model/require-model.ts");
			const { name, model, baseUrl } = definition;
			requireModel({ agent: name, model, baseUrl, named: definition.env, env });
			return;
		}
		case "command":
		case "acp":
			await requireProgram(definition.name, programOf(definition)[0], {
				env,
				wayOut: "Install it, or name its full path in the workflow file",
			});
			return;
		case "claude":
		case "codex":
		case "gemini":
		case "opencode":
			await requireProgram(definition.name, definition.adapter, {
				env,
				wayOut: "Install it, or put it on the PATH",
			});
			return;
		default:
			assertNever(definition);
	}
}

async function requireProgram(
	agent: string,
	program: string,
	{ env, wayOut }: { readonly env: Environment; readonly wayOut: string },
): Promise<void> {
	// A path may lie in the checkout, which does not exist yet.
	if (program.includes("/")) return;
	if ((await findProgram(program, env["PATH"] ?? "", "/")) === undefined) {
		throw missingProgram(agent, program, wayOut);
	}
}

import type { Agent, AgentValues } from "../agents/agent.ts";
import { assertNever } from "../kernel/assert-never.ts";
import { Fault } from "../kernel/fault.ts";
import type { Seat } from "../loop/context.ts";
import type { EnvironmentSource } from "../process/environment.ts";
import type { ProcessHost } from "../process/process.ts";
import { isHarness } from "../workflow/harnesses.ts";
import type { AgentDefinition, HarnessDefinition, Workflow } from "../workflow/workflow.ts";
import { definitionOf, harnessProgram, missingValue } from "./agent-needs.ts";
import { agentHomes, harnessOf, STORE_VARIABLES } from "./harnesses.ts";
import { PORT_BASE } from "./port-base.ts";

export interface AgentSurroundings {
	readonly env: EnvironmentSource;
	readonly host: ProcessHost;
	readonly values?: AgentValues | undefined;
}

/** Makes the agents of a workflow, and its tie-breaker, when they are first needed. */
export function seatsOf(
	workflow: Workflow,
	around: AgentSurroundings,
): (name: string) => Promise<Seat> {
	const made = new Map<string, Promise<Seat>>();
	return (name) => {
		const known = made.get(name);
		if (known !== undefined) return known;
		const definition = definitionOf(workflow, name);
		const agent = makeAgent(definition, around).catch(unusable);
		const seat = agent.then((each) => ({ agent: each, definition }));
		made.set(name, seat);
		return seat;
	};
}

const OF_RUN: ReadonlySet<string> = new Set(["PATH", PORT_BASE]);

function namedVariables(names: readonly string[], env: EnvironmentSource): Record<string, string> {
	return Object.fromEntries(
		names.flatMap((name) =>
			env[name] === undefined || OF_RUN.has(name) ? [] : [[name, env[name]] as const],
		),
	);
}

async function makeAgent(definition: AgentDefinition, around: AgentSurroundings): Promise<Agent> {
	const env = namedVariables(definition.env, around.env);
	const { host } = around;
	if (isHarness(definition)) return await makeHarness(definition, env, around);
	switch (definition.adapter) {
		case "command": {
			const { commandAgent } = await import("../agents/command/command-agent.ts");
			return commandAgent({ run: commandOf(definition), env, host });
		}
		case "cassette": {
			const { readCassette } = await import("../agents/cassette/read-cassette.ts");
			const { cassetteAgent } = await import("../agents/cassette/cassette-agent.ts");
			return cassetteAgent(await readCassette(definition.file));
		}
		case "acp": {
			const { acpAgent } = await import("../agents/acp/acp-agent.ts");
			const { model, login } = definition;
			// Which program needs which is not known, and none may write there.
			const store = namedVariables(STORE_VARIABLES, around.env);
			const readable = [...Object.values(store), ...agentHomes(around.env)];
			return acpAgent({ run: commandOf(definition), model, login, env, host, store, readable });
		}
		case "model": {
			const { modelAgent } = await import("../agents/model/model-agent.ts");
			const { model, baseUrl } = definition;
			return modelAgent({ model, baseUrl, named: env, env: around.env });
		}
		case "value": {
			const { valueAgent } = await import("../agents/value/value-agent.ts");
			const value = around.values?.[definition.name];
			if (value === undefined) throw missingValue(definition.name);
			return valueAgent(value);
		}
		default:
			return assertNever(definition);
	}
}

function commandOf({ name, run }: { readonly name: string; readonly run: readonly string[] }) {
	const [program, ...args] = run;
	if (program === undefined) throw new Error(`agent ${name} has no program`);
	return [program, ...args] as const;
}

async function makeHarness(
	definition: HarnessDefinition,
	env: Readonly<Record<string, string>>,
	around: AgentSurroundings,
): Promise<Agent> {
	const { harnessAgent } = await import("../agents/harness/harness-agent.ts");
	const { adapter, model, args, login, mcp = {} } = definition;
	const program = harnessProgram(definition, around.env);
	const harness = harnessOf(adapter);
	const store = namedVariables(harness.storeVariables, around.env);
	const servers = Object.entries(mcp).map(([name, { command, env: names }]) => {
		return { name, command, env: namedVariables(names, around.env) };
	});
	const { host } = around;
	return harnessAgent(harness, { program, model, args, login, env, store, servers, host });
}

function unusable(error: unknown): Agent {
	if (!(error instanceof Fault)) throw error;
	const { message } = error;
	const failed = { kind: "failed", failure: "unknown", message, output: "", ms: 0 } as const;
	return { handsIn: "message", call: () => Promise.resolve(failed) };
}

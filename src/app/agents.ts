import type { Agent } from "../agents/agent.ts";
import { commandAgent } from "../agents/command/command-agent.ts";
import { assertNever } from "../kernel/assert-never.ts";
import { Fault } from "../kernel/fault.ts";
import type { Seat } from "../loop/context.ts";
import { bareHost } from "../process/run-process.ts";
import type { AgentDefinition, Workflow } from "../workflow/workflow.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes the agents of a workflow when they are first needed. The one place that knows the adapters by name. */
export function seatsOf(workflow: Workflow, env: Environment): (name: string) => Promise<Seat> {
	const made = new Map<string, Promise<Seat>>();
	return (name) => {
		const known = made.get(name);
		if (known !== undefined) return known;
		const definition = workflow.agents[name];
		if (definition === undefined) throw new Error(`no agent ${name} in workflow ${workflow.name}`);
		const seat = makeAgent(definition, env).then((agent) => ({ agent, definition }));
		made.set(name, seat);
		return seat;
	};
}

async function makeAgent(definition: AgentDefinition, env: Environment): Promise<Agent> {
	switch (definition.adapter) {
		case "command": {
			const [program, ...args] = definition.run;
			if (program === undefined) throw new Error(`agent ${definition.name} has no program`);
			const named = definition.env.flatMap((name) =>
				env[name] === undefined ? [] : [[name, env[name]] as const],
			);
			return commandAgent({
				run: [program, ...args],
				env: Object.fromEntries(named),
				host: bareHost,
			});
		}
		case "cassette": {
			const { readCassette } = await import("../agents/cassette/read-cassette.ts");
			const { cassetteAgent } = await import("../agents/cassette/cassette-agent.ts");
			return cassetteAgent(await readCassette(definition.file), { applyFiles: true });
		}
		case "claude":
		case "codex":
		case "gemini":
		case "opencode":
		case "acp":
		case "model":
			throw new Error(`adapter ${definition.adapter} is not wired`);
		default:
			return assertNever(definition);
	}
}

/**
 * Looks for what the agents of a workflow's seats need, before anything runs: programs and cassettes.
 *
 * @throws Fault `program-missing` naming agent and program, `cassette-invalid` naming file and line
 */
export async function requireAgents(workflow: Workflow, env: Environment): Promise<void> {
	const { findProgram } = await import("./find-program.ts");
	const seated = new Set(
		workflow.tasks.flatMap(({ player, pair }) => [
			player,
			...(pair === undefined ? [] : [pair.challenger]),
		]),
	);
	for (const name of seated) {
		const definition = workflow.agents[name];
		if (definition?.adapter === "cassette") {
			const { readCassette } = await import("../agents/cassette/read-cassette.ts");
			await readCassette(definition.file);
		}
		if (definition?.adapter !== "command") continue;
		const [program = ""] = definition.run;
		// A path may lie in the checkout, which does not exist yet.
		if (program.includes("/")) continue;
		if ((await findProgram(program, env["PATH"] ?? "", "/")) !== undefined) continue;
		throw new Fault(`agent ${name} needs the program ${program}, which is not on the PATH`, {
			code: "program-missing",
			hint: "Install it, or name its full path in the workflow file. `spar doctor` checks every agent.",
		});
	}
}

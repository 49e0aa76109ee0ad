import type { AgentValues } from "../../agents/agent.ts";
import { assertNever } from "../../kernel/assert-never.ts";
import { Fault } from "../../kernel/fault.ts";
import { findChildProgram } from "../../process/find-child-program.ts";
import { findProgram } from "../../process/find-program.ts";
import { isHarness } from "../../workflow/harnesses.ts";
import { mayDisagree, tieBreakerOf } from "../../workflow/tie-breaker-of.ts";
import type { AgentDefinition, Workflow } from "../../workflow/workflow.ts";

/** Where the programs, files and keys of agents are looked for. */
export interface NeedsPlace {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Whether a checkout will have a program at a relative path; left out: it cannot be told. */
	readonly inCheckout?: ((path: string) => Promise<boolean>) | undefined;
	/** What the program serves that runs the workflow; left out: nothing. */
	readonly values?: AgentValues | undefined;
}

/** The agent of this name: one of the file, or the default tie-breaker. */
export function definitionOf(workflow: Workflow, name: string): AgentDefinition {
	const tieBreaker = tieBreakerOf(workflow);
	const definition = name === tieBreaker.name ? tieBreaker : workflow.agents[name];
	if (definition === undefined) throw new Error(`no agent ${name} in workflow ${workflow.name}`);
	return definition;
}

/**
 * @param wayOut what to do; default: to install it
 * @param unseen where it is nevertheless, in a folder that agents do not search
 */
export function missingProgram(
	agent: string,
	program: string,
	wayOut: string = "Install it, or put it on the PATH",
	unseen?: string,
): Fault {
	const why =
		unseen === undefined
			? "which is not on the PATH"
			: `and ${unseen} is in a folder that agents do not search`;
	return new Fault(`agent ${agent} needs the program ${program}, ${why}`, {
		code: "program-missing",
		hint: `${wayOut}. \`spar doctor\` checks every agent.`,
	});
}

/**
 * The agents that a run of this workflow may call and cannot do without: those of the seats, the tie-breaker and
 * the verifier that it names, and whatever stands in for them. In place of a default tie-breaker that cannot be asked
 * another agent is, or a person; without an evaluator a metric has no value.
 */
export function neededAgents(workflow: Workflow): ReadonlySet<string> {
	const { tasks, tieBreaker, verification } = workflow;
	const called = new Set(
		tasks.flatMap(({ player, pair }) => [player, ...(pair === undefined ? [] : [pair.challenger])]),
	);
	if (tieBreaker !== undefined && mayDisagree(workflow)) called.add(tieBreaker);
	if (verification.agent !== undefined) called.add(verification.agent);
	return withFallbacks(workflow, called);
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
 * @param names default: those that a run needs; fallbacks are added
 * @throws Fault `program-missing` naming agent and program or package, `cassette-invalid` naming file and line
 */
export async function requireAgents(
	workflow: Workflow,
	place: Pick<NeedsPlace, "env" | "values">,
	names: ReadonlySet<string> = neededAgents(workflow),
): Promise<void> {
	for (const name of withFallbacks(workflow, names)) {
		const definition = workflow.agents[name];
		if (definition !== undefined) await requireAgent(definition, place);
	}
}

/** What is missing that an agent cannot be called without; null when nothing is known to be. Calls nobody. */
export async function missingFor(
	definition: AgentDefinition,
	place: NeedsPlace,
): Promise<Fault | null> {
	try {
		await requireAgent(definition, place);
		return null;
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
}

/** Why an agent of a workflow, or its tie-breaker, cannot be called here; null when nothing is known to be in the way. */
export async function obstacleTo(
	workflow: Workflow,
	name: string,
	place: Pick<NeedsPlace, "env" | "values">,
): Promise<string | null> {
	return (await missingFor(definitionOf(workflow, name), place))?.message ?? null;
}

async function requireAgent(definition: AgentDefinition, place: NeedsPlace): Promise<void> {
	const { name } = definition;
	if (isHarness(definition)) {
		const { adapter } = definition;
		if (!(await isFound(adapter, place))) throw missingProgram(name, adapter);
		return;
	}
	switch (definition.adapter) {
		case "cassette": {
			const { readCassette } = await import("../../agents/cassette/read-cassette.ts");
			await readCassette(definition.file);
			return;
		}
		case "model": {
			const { requireModel } = await import("../../agents/model/require-model.ts");
			const { model, baseUrl, env: named } = definition;
			requireModel({ agent: name, model, baseUrl, named, env: place.env });
			return;
		}
		case "command":
		case "acp":
			await requireProgram(name, definition.run[0] ?? "", place);
			return;
		case "value":
			requireValue(name, place);
			return;
		default:
			assertNever(definition);
	}
}

function requireValue(name: string, { values = {} }: NeedsPlace): void {
	if (!Object.hasOwn(values, name)) throw missingValue(name);
}

/** The agent of this name is no program that could be started here. */
export function missingValue(name: string): Fault {
	return new Fault(`agent ${name} exists only in the program that started the run`, {
		code: "program-missing",
		hint: `Resume from that program: openSparring({ agents: { ${name} } }).`,
	});
}

const isFound = async (program: string, { env }: NeedsPlace): Promise<boolean> =>
	(await findProgram(program, env["PATH"] ?? "", "/")) !== undefined;

async function requireProgram(agent: string, program: string, place: NeedsPlace): Promise<void> {
	if (!program.includes("/")) {
		const { file, unseen } = await findChildProgram(program, place.env, "/");
		if (file !== undefined) return;
		const wayOut = `Install it${unseen === undefined ? "" : " elsewhere"}, or name its full path in the workflow file`;
		throw missingProgram(agent, program, wayOut, unseen);
	}
	const isThere = program.startsWith("/")
		? await isFound(program, place)
		: ((await place.inCheckout?.(program)) ?? true);
	if (isThere) return;
	const where = program.startsWith("/")
		? "no program"
		: "not in the commit that the run starts from as an executable file";
	throw new Fault(`agent ${agent} needs the program ${program}, which is ${where}`, {
		code: "program-missing",
		hint: program.startsWith("/")
			? "Make it an executable file, or name another one in the workflow file."
			: "Commit it as executable (git add --chmod=+x), or name another one in the workflow file.",
	});
}

import type { AgentValues } from "../agents/agent.ts";
import { assertNever } from "../kernel/assert-never.ts";
import { Fault } from "../kernel/fault.ts";
import { findChildProgram, findProgram } from "../process/find-program.ts";
import { isHarness } from "../workflow/harnesses.ts";
import { mayDisagree, tieBreakerOf } from "../workflow/tie-breaker-of.ts";
import type { AgentDefinition, HarnessDefinition, Workflow } from "../workflow/workflow.ts";
import type { DoctorLine } from "./doctor-line.ts";
import { harnessState } from "./harness.ts";
import { harnessOf, programOf } from "./harnesses.ts";

export interface NeedsPlace {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Tells why a checkout will not have a program at a relative path; null: it will. Left out: it cannot be told. */
	readonly inCheckout?: ((path: string) => Promise<string | null>) | undefined;
	// Served by the program that runs the workflow.
	readonly values?: AgentValues | undefined;
	readonly signal?: AbortSignal | undefined;
}

export function definitionOf(workflow: Workflow, name: string): AgentDefinition {
	const tieBreaker = tieBreakerOf(workflow);
	const definition = name === tieBreaker.name ? tieBreaker : workflow.agents[name];
	if (definition === undefined) throw new Error(`no agent ${name} in workflow ${workflow.name}`);
	return definition;
}

/**
 * The agents that a run of this workflow may call and cannot do without: those of the seats, the tie-breaker and the
 * verifier that it names, and whatever stands in for them. In place of a default tie-breaker that cannot be asked
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
 * Looks for what agents need before anything runs: programs, cassettes, packages, keys. Fallbacks are added.
 *
 * @throws Fault `program-missing` naming agent and program or package, `cassette-invalid` naming file and line
 */
export async function requireAgents(
	workflow: Workflow,
	place: Pick<NeedsPlace, "env" | "values">,
	names: ReadonlySet<string> = neededAgents(workflow),
): Promise<void> {
	for (const name of withFallbacks(workflow, names)) {
		const definition = workflow.agents[name];
		const found = definition === undefined ? "" : await lookAt(definition, place);
		if (found instanceof Fault) throw found;
	}
}

/** The reason why an agent of a workflow, or its tie-breaker, cannot be called here; null when none is known. */
export async function obstacleTo(
	workflow: Workflow,
	name: string,
	place: Pick<NeedsPlace, "env" | "values">,
): Promise<string | null> {
	const found = await lookAt(definitionOf(workflow, name), place);
	return found instanceof Fault ? found.message : null;
}

export interface AgentState extends Pick<DoctorLine, "ok" | "detail" | "cause" | "fix"> {
	// A program, a file, a package or a key, and not only a sign-in.
	readonly isMissing: boolean;
}

/** Looks at all that an agent needs, and asks a coding agent about itself. No model is called. */
export async function agentState(
	definition: AgentDefinition,
	place: NeedsPlace,
): Promise<AgentState> {
	const found = await lookAt(definition, place);
	if (found instanceof Fault) {
		return { ok: false, isMissing: true, detail: found.message, fix: found.hint ?? null };
	}
	const { env, signal } = place;
	if (isHarness(definition)) {
		const { adapter, login, env: named, args } = definition;
		const probe = { program: found, login, named, args, env, signal };
		return { isMissing: false, ...(await harnessState(harnessOf(adapter), probe)) };
	}
	const state = { ok: true, isMissing: false, detail: found, fix: null } as const;
	if (definition.adapter !== "acp" || definition.login !== "key") return state;
	// Only a session would tell whether it is signed in otherwise.
	if (definition.env.some((name) => (env[name] ?? "") !== "")) return state;
	return {
		...state,
		ok: false,
		detail: `${found}; login: key: none of ${definition.env.join(", ")} is set`,
		fix: "Set the variable that holds its key, or write `login: user`.",
	};
}

async function lookAt(definition: AgentDefinition, place: NeedsPlace): Promise<string | Fault> {
	try {
		return await needed(definition, place);
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
}

async function needed(definition: AgentDefinition, place: NeedsPlace): Promise<string> {
	const { name } = definition;
	if (isHarness(definition)) {
		for (const { command } of Object.values(definition.mcp ?? {}))
			await programFor(name, command[0] ?? "", place);
		return harnessProgram(definition, place.env);
	}
	switch (definition.adapter) {
		case "cassette": {
			const { readCassette } = await import("../agents/cassette/read-cassette.ts");
			await readCassette(definition.file);
			return `cassette ${definition.file}`;
		}
		case "model": {
			const { requireUsable } = await import("../agents/model/model-access.ts");
			const { model, baseUrl } = definition;
			const { env } = place;
			const named = Object.fromEntries(definition.env.map((each) => [each, env[each] ?? ""]));
			const key = requireUsable(name, { model, baseUrl, named, env });
			return `${model}, ${key === null ? "no key is needed" : `${key} is set`}; not called`;
		}
		case "command":
		case "acp":
			return await programFor(name, definition.run[0] ?? "", place);
		case "value":
			if (!Object.hasOwn(place.values ?? {}, name)) throw missingValue(name);
			return "served by the program that runs the workflow";
		default:
			return assertNever(definition);
	}
}

export function missingValue(name: string): Fault {
	return new Fault(`agent ${name} exists only in the program that started the run`, {
		code: "program-missing",
		hint: `Resume from that program: openSparring({ agents: { ${name} } }).`,
	});
}

const missingProgram = (agent: string, program: string, why: string, hint: string): Fault =>
	new Fault(`agent ${agent} needs the program ${program}, ${why}`, {
		code: "program-missing",
		hint,
	});

const NOT_FOUND = "which is not on the PATH";

export function harnessProgram(
	{ name, adapter }: HarnessDefinition,
	env: NeedsPlace["env"],
): string {
	const program = programOf(harnessOf(adapter), env);
	if (program !== undefined) return program;
	const hint = `Install ${adapter}, or name another adapter in the workflow file.`;
	throw missingProgram(name, adapter, NOT_FOUND, hint);
}

async function programFor(agent: string, program: string, place: NeedsPlace): Promise<string> {
	const elsewhere = "name its full path in the workflow file.";
	if (!program.includes("/")) {
		const { file, unseen } = findChildProgram(program, place.env);
		if (file !== undefined) return file;
		if (unseen !== undefined) {
			const why = `and ${unseen} is in a folder that agents do not search`;
			throw missingProgram(agent, program, why, `Install it elsewhere, or ${elsewhere}`);
		}
		const hint = `Install it, put it on the PATH, or ${elsewhere}`;
		throw missingProgram(agent, program, NOT_FOUND, hint);
	}
	if (!program.startsWith("/")) {
		const why = (await place.inCheckout?.(program)) ?? null;
		if (why === null) return program;
		const hint =
			"Commit it as executable (git add --chmod=+x), or name another one in the workflow file.";
		throw missingProgram(agent, program, why, hint);
	}
	if (findProgram(program, "", "/") !== undefined) return program;
	const hint = "Make it an executable file, or name another one in the workflow file.";
	throw missingProgram(agent, program, "which is no program", hint);
}

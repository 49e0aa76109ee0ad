import { access } from "node:fs/promises";
import { assertNever } from "../../kernel/assert-never.ts";
import { Fault } from "../../kernel/fault.ts";
import { findChildProgram } from "../../process/find-child-program.ts";
import { HARNESSES, isHarness } from "../../workflow/harnesses.ts";
import {
	DEFAULT_TIE_BREAKER,
	mayDisagree,
	stakeholdersOf,
	standInsOf,
} from "../../workflow/tie-breaker-of.ts";
import type {
	AcpDefinition,
	AgentDefinition,
	CassetteDefinition,
	CommandDefinition,
	HarnessDefinition,
	ModelDefinition,
	Workflow,
} from "../../workflow/workflow.ts";
import { harnessOf, installedHarnesses, programOf } from "../harnesses.ts";
import type { DoctorLine } from "./doctor-line.ts";
import { harnessLine } from "./harness.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where agents are looked at. */
export interface AgentPlace {
	/** Top of the repository, which relative programs are found from. */
	readonly root: string;
	readonly env: Environment;
	/** Ends what is asked of coding agents; the promise of the lines then rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
}

const isSet = (env: Environment, name: string): boolean => (env[name] ?? "") !== "";

/** For each agent of a workflow whether it can be called, and how to fix it. No model is called. */
export async function agentLines(
	agents: readonly AgentDefinition[],
	place: AgentPlace,
): Promise<readonly DoctorLine[]> {
	return Promise.all(agents.map((agent) => agentLine(agent, place)));
}

/** For each coding agent on the PATH that has an adapter of its own, whether it can be called. */
export async function installedLines(env: Environment): Promise<readonly DoctorLine[]> {
	const names = await installedHarnesses(env);
	const lines = names.map((name) =>
		nativeLine(name, { adapter: name, login: "user", env: [], args: [] }, { env }),
	);
	if (lines.length > 0) return (await Promise.all(lines)).map(softened);
	return [
		{
			name: "agents",
			ok: "warn",
			detail: "no coding agent on the PATH that has an adapter of its own",
			fix: `Install ${HARNESSES.join(", ")}, or see docs/user-guide/agents.md for others.`,
		},
	];
}

/** No workflow names these agents, so a broken one is only a warning. */
const softened = (line: DoctorLine): DoctorLine =>
	line.ok === false ? { ...line, ok: "warn" } : line;

async function agentLine(agent: AgentDefinition, place: AgentPlace): Promise<DoctorLine> {
	const name = `agent ${agent.name}`;
	if (isHarness(agent)) return nativeLine(name, agent, place);
	switch (agent.adapter) {
		case "cassette":
			return cassetteLine(name, agent);
		case "command":
			return programLine(name, agent, place);
		case "acp":
			return acpLine(name, agent, place);
		case "model":
			return modelLine(name, agent, place.env);
		case "value":
			return { name, ok: true, detail: "served by the program that runs the workflow", fix: null };
		default:
			return assertNever(agent);
	}
}

async function cassetteLine(name: string, { file }: CassetteDefinition): Promise<DoctorLine> {
	return access(file).then(
		() => ({ name, ok: true, detail: `cassette ${file}`, fix: null }),
		() => ({
			name,
			ok: false,
			detail: `no cassette ${file}`,
			fix: "Record one with: spar run --record FILE, or correct the path in sparring.yaml.",
		}),
	);
}

async function programLine(
	name: string,
	{ run }: CommandDefinition | AcpDefinition,
	{ root, env }: AgentPlace,
): Promise<DoctorLine> {
	const [program = ""] = run;
	const { file, unseen } = await findChildProgram(program, env, root);
	if (file !== undefined) return { name, ok: true, detail: file, fix: null };
	return unseen === undefined
		? {
				name,
				ok: false,
				detail: `no program ${JSON.stringify(program)}`,
				fix: "Install it, put it on the PATH, or name another one in sparring.yaml.",
			}
		: {
				name,
				ok: false,
				detail: `${unseen} is in a folder that agents do not search`,
				fix: "Install it elsewhere, or name its full path in sparring.yaml.",
			};
}

/** Only a session would tell whether it is signed in. */
async function acpLine(name: string, agent: AcpDefinition, place: AgentPlace): Promise<DoctorLine> {
	const line = await programLine(name, agent, place);
	const isLost = agent.login === "key" && !agent.env.some((each) => isSet(place.env, each));
	if (line.ok !== true || !isLost) return line;
	return {
		...line,
		ok: false,
		detail: `${line.detail}; login: key: none of ${agent.env.join(", ")} is set`,
		fix: "Set the variable that holds its key, or write `login: user`.",
	};
}

async function modelLine(
	name: string,
	agent: ModelDefinition,
	env: Environment,
): Promise<DoctorLine> {
	const { model, baseUrl } = agent;
	try {
		const { requireModel } = await import("../../agents/model/require-model.ts");
		const key = requireModel({ agent: agent.name, model, baseUrl, named: agent.env, env });
		const detail = key === null ? "no key is needed" : `${key} is set`;
		return { name, ok: true, detail: `${model}, ${detail}; not called`, fix: null };
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { name, ok: false, detail: error.message, fix: error.hint ?? null };
	}
}

async function nativeLine(
	name: string,
	{
		adapter,
		login,
		env: named,
		args,
	}: Pick<HarnessDefinition, "adapter" | "login" | "env" | "args">,
	{ env, signal }: Omit<AgentPlace, "root">,
): Promise<DoctorLine> {
	const harness = harnessOf(adapter);
	const program = await programOf(harness, env);
	if (program !== undefined)
		return harnessLine(name, harness, { program, login, named, args, env, signal });
	return {
		name,
		ok: false,
		detail: `${harness.name} is not on the PATH`,
		fix: `Install ${harness.name}, or name another adapter in sparring.yaml.`,
	};
}

/** Who is asked in place of the default tie-breaker, over all pairs; none where a pair has nobody. */
function standInNames(workflow: Workflow, lines: readonly DoctorLine[]): readonly string[] {
	const unfit = new Set(lines.flatMap(({ name, ok }) => (ok === false ? [name] : [])));
	const names = workflow.tasks.flatMap((task) => {
		if (!mayDisagree({ ...workflow, tasks: [task] })) return [];
		const free = standInsOf(workflow, stakeholdersOf(workflow, task));
		return [free.find(({ name }) => !unfit.has(`agent ${name}`))?.name];
	});
	return names.includes(undefined) ? [] : [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Whether the tie-breaker can be called; nothing if no task has a pair. For the default one a failure is a warning, since
 * a person decides in its place. No model is called.
 *
 * @param agents the lines of the workflow's agents, among them that of a tie-breaker that it names
 */
export async function tieBreakerLines(
	workflow: Workflow,
	agents: readonly DoctorLine[],
	place: AgentPlace,
): Promise<readonly DoctorLine[]> {
	if (!mayDisagree(workflow)) return [];
	const { tieBreaker } = workflow;
	const name = "tie-breaker";
	if (tieBreaker !== undefined) {
		const line = agents.find((each) => each.name === `agent ${tieBreaker}`);
		if (line === undefined || line.ok === true) {
			return [{ name, ok: true, detail: `agent ${tieBreaker}`, fix: null }];
		}
		return [{ ...line, name, detail: `agent ${tieBreaker}: ${line.detail}` }];
	}
	const lines = await agentLines([DEFAULT_TIE_BREAKER], place);
	const instead = standInNames(workflow, agents);
	return lines.map((line) => {
		if (line.ok === true) return { ...line, name };
		const until =
			instead.length > 0
				? `until then ${instead.join(" or ")} is asked in its place`
				: "until then a person decides conflicts; if no person is asked, their task fails";
		return {
			name,
			ok: "warn",
			detail: `${line.detail}; ${until}`,
			fix: [line.fix ?? "", "Or name another agent with `tie_breaker`."].join(" ").trim(),
		};
	});
}

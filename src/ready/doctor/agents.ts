import { agentState, type NeedsPlace } from "../../seats/agent-needs.ts";
import { type DoctorLine, soundLine, warningLine } from "../../seats/doctor-line.ts";
import { installedHarnesses } from "../../seats/harnesses.ts";
import { AGENT_TIMEOUT_MS, HARNESSES } from "../../workflow/harnesses.ts";
import {
	DEFAULT_TIE_BREAKER,
	mayDisagree,
	stakeholdersOf,
	standInsOf,
} from "../../workflow/tie-breaker-of.ts";
import type { AgentDefinition, Workflow } from "../../workflow/workflow.ts";

async function lineOf(
	name: string,
	agent: AgentDefinition,
	place: NeedsPlace,
): Promise<DoctorLine> {
	const { isMissing: _, ...state } = await agentState(agent, place);
	return { name, ...state };
}

export async function agentLines(
	agents: readonly AgentDefinition[],
	place: NeedsPlace,
): Promise<readonly DoctorLine[]> {
	return Promise.all(agents.map((agent) => lineOf(`agent ${agent.name}`, agent, place)));
}

export async function installedLines(env: NeedsPlace["env"]): Promise<readonly DoctorLine[]> {
	const lines = installedHarnesses(env).map((name) => {
		const common = { name, env: [], args: [], timeoutMs: AGENT_TIMEOUT_MS };
		return lineOf(name, { ...common, adapter: name, login: "user" }, { env });
	});
	if (lines.length > 0) return (await Promise.all(lines)).map(softened);
	const fix = `Install ${HARNESSES.join(", ")}, or see docs/user-guide/agents.md for others.`;
	const detail = "no coding agent on the PATH that has an adapter of its own";
	return [warningLine("agents", detail, fix)];
}

// No workflow names these agents, so a broken one is only a warning.
const softened = (line: DoctorLine): DoctorLine =>
	line.ok === false ? { ...line, ok: "warn" } : line;

// Over all pairs; none where a pair has nobody.
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
 * For the default tie-breaker a failure is a warning, since a person decides in its place; nothing if no task has a
 * pair.
 *
 * @param agents the lines of the workflow's agents, among them that of a tie-breaker that it names
 */
export async function tieBreakerLines(
	workflow: Workflow,
	agents: readonly DoctorLine[],
	place: NeedsPlace,
): Promise<readonly DoctorLine[]> {
	if (!mayDisagree(workflow)) return [];
	const { tieBreaker } = workflow;
	const name = "tie-breaker";
	if (tieBreaker !== undefined) {
		const line = agents.find((each) => each.name === `agent ${tieBreaker}`);
		if (line === undefined || line.ok === true) {
			return [soundLine(name, `agent ${tieBreaker}`)];
		}
		return [{ ...line, name, detail: `agent ${tieBreaker}: ${line.detail}` }];
	}
	const line = await lineOf(name, DEFAULT_TIE_BREAKER, place);
	if (line.ok === true) return [line];
	const instead = standInNames(workflow, agents);
	const until =
		instead.length > 0
			? `until then ${instead.join(" or ")} is asked in its place`
			: "until then a person decides conflicts; if no person is asked, their task fails";
	const fix = [line.fix ?? "", "Or name another agent with `tie_breaker`."].join(" ").trim();
	return [warningLine(name, `${line.detail}; ${until}`, fix)];
}

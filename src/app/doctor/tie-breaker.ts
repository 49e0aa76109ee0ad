import { DEFAULT_TIE_BREAKER, mayDisagree } from "../../workflow/tie-breaker-of.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { type AgentPlace, agentLines } from "./agents.ts";
import type { DoctorLine } from "./doctor-line.ts";

/**
 * Whether the agent can be asked that settles what a pair cannot agree on; nothing where no task has a pair. The default
 * one is at most a warning, since a person decides in its place. No model is called.
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
	return lines.map((line) => {
		if (line.ok === true) return { ...line, name };
		return {
			name,
			ok: "warn",
			detail: `${line.detail}; until then conflicts go to a person, or fail their task where nobody is asked`,
			fix: [line.fix ?? "", "Or name an agent of yours with `tie_breaker`."].join(" ").trim(),
		};
	});
}

import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { isMapping } from "./field.ts";
import { findCycles } from "./order.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { suggestion } from "./suggest.ts";
import type { TaskField } from "./task-field.ts";

/** Rules about seats and dependencies. */
export function reportTasks(
	tasks: readonly TaskField[],
	agents: readonly string[],
	report: Reporter,
): void {
	for (const { id, field } of tasks) {
		// A task that is not a mapping has been reported as such.
		if (!isMapping(field.value)) continue;
		reportSeats(id, field, agents, report);
	}
	reportDependencies(tasks, report);
}

const pairOf = (task: Field): Field => task.at("overlays").at("paired_workflow");

function reportSeats(id: string, task: Field, agents: readonly string[], report: Reporter): void {
	const agent = task.at("agent");
	const pair = pairOf(task);
	const driver = pair.at("driver_agent");
	const challenger = pair.at("challenger_agent");
	for (const seat of [agent, driver, challenger]) reportAgentName(seat, agents, report);
	if (driver.text !== undefined && driver.text === challenger.text)
		report.error(
			challenger,
			"driver_agent and challenger_agent must differ",
			"name another agent as challenger",
		);
	if (pair.at("enabled").value !== true) {
		if (!agent.present)
			report.keyError(
				task,
				`task ${quote(id)} needs an agent`,
				"add `agent` or enable paired_workflow, for it or in `defaults`",
			);
		return;
	}
	for (const seat of ["driver_agent", "challenger_agent"])
		if (!pair.at(seat).present)
			report.keyError(
				pair,
				`paired_workflow of task ${quote(id)} needs ${seat}`,
				`add \`${seat}\``,
			);
	if (agent.text !== undefined && driver.text !== undefined && agent.text !== driver.text)
		report.error(
			agent,
			`agent ${quote(agent.text)} must equal driver_agent ${quote(driver.text)}`,
			"remove `agent`: the pair defines the seats",
		);
}

function reportDependencies(tasks: readonly TaskField[], report: Reporter): void {
	const ids = tasks.map(({ id }) => id);
	const known = new Set(ids);
	const edges = new Map(tasks.map(({ id, field }) => [id, field.at("depends_on").texts()]));
	for (const { text, field } of [...edges.values()].flat())
		if (!known.has(text)) report.error(field, `unknown task ${quote(text)}`, suggestion(text, ids));
	const graph = new Map([...edges].map(([id, needs]) => [id, needs.map(({ text }) => text)]));
	for (const cycle of findCycles(graph)) {
		const [first = "", second = first] = cycle;
		const edge = edges.get(first)?.find(({ text }) => text === second);
		const shown = [...cycle, first].map((id) => quote(id).slice(1, -1)).join(" -> ");
		if (edge !== undefined)
			report.error(
				edge.field,
				`depends_on has a cycle: ${shown}`,
				"remove one of these dependencies",
			);
	}
}

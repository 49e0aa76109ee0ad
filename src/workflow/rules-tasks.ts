import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import { isMapping } from "./field.ts";
import { findCycles } from "./order.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { suggestion } from "./suggest.ts";
import type { TaskField } from "./task-field.ts";

/** Rules about seats, judges, dependencies and formal reviews. */
export function reportTasks(
	tasks: readonly TaskField[],
	agents: readonly string[],
	report: Reporter,
): void {
	for (const { id, field } of tasks) {
		// A task that is no mapping has been reported as such.
		if (!isMapping(field.value)) continue;
		reportSeats(id, field, agents, report);
		reportJudges(field, agents, report);
	}
	reportDependencies(tasks, report);
	reportReviewers(tasks, report);
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
				"add `agent`, or enable its paired_workflow",
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
			"leave `agent` out: the seats come from the pair",
		);
}

function reportJudges(task: Field, agents: readonly string[], report: Reporter): void {
	const pair = pairOf(task);
	const isPaired = pair.at("enabled").value === true;
	const seats = [
		task.at("agent"),
		...(isPaired ? [pair.at("driver_agent"), pair.at("challenger_agent")] : []),
	];
	const metrics = task.at("overlays").at("confidence_loop").at("metrics");
	for (const metric of metrics.items()) {
		const evaluator = metric.at("evaluator_agent");
		reportAgentName(evaluator, agents, report);
		if (metric.at("type").value !== "llm_judge") continue;
		if (!evaluator.present)
			report.error(
				metric,
				"llm_judge metric requires evaluator_agent to be set",
				"name an agent without a seat",
			);
		else if (seats.some(({ text }) => text !== undefined && text === evaluator.text))
			report.error(
				evaluator,
				"llm_judge evaluator_agent must differ from task agent",
				"name an agent that has no seat in this task, in a pair neither of the two",
			);
	}
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

/** A formal review is independent only of tasks in which its agent had no challenger's seat. */
function reportReviewers(tasks: readonly TaskField[], report: Reporter): void {
	const byId = new Map(tasks.map(({ id, field }) => [id, field]));
	for (const { field } of tasks) {
		const reviewer = field.at("agent");
		if (field.at("formal_review").value !== true || reviewer.text === undefined) continue;
		const wanted = new Set(
			field
				.at("depends_on")
				.texts()
				.map(({ text }) => text),
		);
		for (const id of wanted) {
			const task = byId.get(id);
			if (task === undefined) continue;
			for (const { text } of task.at("depends_on").texts()) wanted.add(text);
			if (challengersOf(task).includes(reviewer.text))
				report.warning(
					reviewer,
					"challenger and formal reviewer are the same agent",
					"name another agent for the review",
				);
		}
	}
}

/** Agents that sit as coach at some time: with role switching, either. */
function challengersOf(task: Field): unknown[] {
	const pair = pairOf(task);
	if (pair.at("enabled").value !== true) return [];
	const roleSwitch = pair.at("role_switch");
	const swaps = roleSwitch.present && roleSwitch.value !== "session";
	return [pair.at("challenger_agent").value, ...(swaps ? [pair.at("driver_agent").value] : [])];
}

import { quote } from "./diagnostic.ts";
import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import { enabledOverlay, type FileFacts } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";
import type { TaskField } from "./task-field.ts";

/** Rules about scores: what they are made of, and who judges. */
export function reportConfidence(
	tasks: readonly TaskField[],
	{ chains, facts }: { readonly chains: FallbackChains; readonly facts: FileFacts },
	report: Reporter,
): void {
	for (const { id, field: task } of tasks) {
		const metrics = task.at("overlays").at("confidence_loop").at("metrics").items();
		for (const metric of metrics) reportJudge(metric, task, chains, report);
		const loop = enabledOverlay(task, "confidence_loop");
		if (loop === undefined) continue;
		if (metrics.length === 0)
			report.keyError(
				loop,
				`confidence_loop of task ${quote(id)} needs metrics`,
				"add one, such as `metrics: [{ type: test_coverage }]`",
			);
		for (const metric of metrics) reportSource(metric, task, facts, report);
	}
}

function reportJudge(metric: Field, task: Field, chains: FallbackChains, report: Reporter): void {
	const evaluator = metric.at("evaluator_agent");
	const type = metric.at("type");
	reportAgentName(evaluator, chains.names(), report);
	if (type.value !== "llm_judge") {
		if (evaluator.present && type.text !== undefined)
			report.warning(
				evaluator,
				`evaluator_agent has no effect: ${quote(type.text).slice(1, -1)} is computed, not judged`,
				"remove it",
			);
		return;
	}
	const { text } = evaluator;
	if (!evaluator.present)
		report.error(
			metric,
			"llm_judge metric requires evaluator_agent to be set",
			"name an agent that has no seat in this task",
		);
	if (text === undefined) return;
	const seats = seatsOf(task);
	const own = "llm_judge evaluator_agent must differ from task agent";
	if (seats.includes(text))
		report.error(
			evaluator,
			own,
			"name an agent that has no seat in this task (in a pair: neither of the two)",
		);
	else {
		const seated = new Set(seats.flatMap((seat) => chains.of(seat)));
		const shared = chains.of(text).find((name) => seated.has(name));
		if (shared !== undefined)
			report.error(
				evaluator,
				own,
				`through fallbacks ${quote(shared)} could both do the work and judge it; name an agent with other fallbacks`,
			);
	}
}

/** Names of the agents that do the work or answer it, fallbacks left aside. */
function seatsOf(task: Field): string[] {
	const pair = enabledOverlay(task, "paired_workflow");
	const pairs = pair === undefined ? [] : [pair.at("driver_agent"), pair.at("challenger_agent")];
	return [task.at("agent"), ...pairs].flatMap(({ text }) => text ?? []);
}

/** Where a metric comes from, for those that come from one place only. */
type Source = (task: Field, facts: FileFacts) => string | undefined;

const hasCoach: Source = (task) =>
	enabledOverlay(task, "paired_workflow")
		? undefined
		: "without a coach nobody reports which criteria are met";

const SOURCES: ReadonlyMap<unknown, Source> = new Map<unknown, Source>([
	["lint_score", (_task, { kinds }) => (kinds.has("lint") ? undefined : "there is no lint check")],
	[
		"security_score",
		(_task, { kinds }) => (kinds.has("security") ? undefined : "there is no security check"),
	],
	[
		"test_coverage",
		(_task, { coverageFormats }) =>
			coverageFormats.some(isCoverageOfLines)
				? undefined
				: "there is no coverage check with a report such as lcov",
	],
	[
		"mutation_score",
		(_task, { coverageFormats }) =>
			coverageFormats.includes("mutation")
				? undefined
				: "there is no coverage check with `report: { format: mutation }`",
	],
	["checklist_completion", hasCoach],
	["requirement_coverage", hasCoach],
]);

/** Whether a format is one that coverage checks alone have, and holds lines. */
function isCoverageOfLines(format: string): boolean {
	if (format === "mutation") return false;
	return Object.entries(KINDS_OF_FORMAT).some(
		([name, kinds]) => name === format && kinds.length === 1 && kinds[0] === "coverage",
	);
}

/** A metric that can have no value counts as 0.0, which nobody means. */
function reportSource(metric: Field, task: Field, facts: FileFacts, report: Reporter): void {
	const type = metric.at("type");
	const lack = SOURCES.get(type.value)?.(task, facts);
	if (lack === undefined) return;
	report.warning(
		type,
		`${String(type.value)} counts as 0.0: ${lack}`,
		"remove the metric, or add what it is computed from",
	);
}

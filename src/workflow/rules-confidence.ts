import { quote } from "./diagnostic.ts";
import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import { enabledOverlay, type FileFacts, hasCriteria } from "./file-facts.ts";
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
		if (task.at("formal_review").value !== true) reportIdleChecklist(task, report);
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

/** Why a metric can have no value in its task, and what would give it one. */
interface Lack {
	readonly why: string;
	readonly way: string;
}

/** Whether what a metric is computed from is there; undefined when it is. */
type Source = (task: Field, facts: FileFacts) => Lack | undefined;

const lineCoverage: Source = (_task, { coverageFormats }) =>
	coverageFormats.some(isCoverageOfLines)
		? undefined
		: {
				why: "there is no coverage check with a report such as lcov",
				way: "add a check with `kind: coverage` and a report such as `{ format: lcov, path: coverage/lcov.info }`",
			};

const mutants: Source = (_task, { coverageFormats, kinds, runsMutants }) =>
	coverageFormats.includes("mutation") || (kinds.has("acceptance") && runsMutants)
		? undefined
		: {
				why: "there is no coverage check with `report: { format: mutation }`, and no mutants are run",
				way: "add an acceptance check, and leave `mutation.when` at auto",
			};

const ofKind =
	(kind: "lint" | "security"): Source =>
	(_task, { kinds }) =>
		kinds.has(kind)
			? undefined
			: { why: `there is no ${kind} check`, way: `add a check with \`kind: ${kind}\`` };

const judgedCriteria: Source = (task) => {
	if (!hasCriteria(task))
		return { why: "the task has no acceptance criteria", way: "add `acceptance_criteria`" };
	if (enabledOverlay(task, "paired_workflow") !== undefined || hasEvaluator(task)) return undefined;
	return {
		why: "neither a coach nor an evaluator says which criteria are met",
		way: "add an `llm_judge` metric, or enable `paired_workflow`",
	};
};

const checklist: Source = (task, facts) => {
	const lack = task.at("checklist").items().length > 0 ? undefined : judgedCriteria(task, facts);
	return lack && { ...lack, way: `add a \`checklist\` to the task, or ${lack.way}` };
};

const coveredCriteria: Source = (task, facts) =>
	judgedCriteria(task, facts) ??
	(facts.acceptanceFormats.some((format) => format !== "exit")
		? undefined
		: {
				why: "no acceptance check names its test cases",
				way: "add a check with `kind: acceptance` and a report such as `{ format: junit, path: out/junit.xml }`",
			});

const SOURCES: ReadonlyMap<unknown, Source> = new Map<unknown, Source>([
	["lint_score", ofKind("lint")],
	["security_score", ofKind("security")],
	["test_coverage", lineCoverage],
	["mutation_score", mutants],
	["checklist_completion", checklist],
	["requirement_coverage", coveredCriteria],
]);

function hasEvaluator(task: Field): boolean {
	const metrics = task.at("overlays").at("confidence_loop").at("metrics").items();
	return metrics.some((metric) => metric.at("type").value === "llm_judge");
}

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
		`${String(type.value)} counts as 0.0: ${lack.why}`,
		`${lack.way}; or remove the metric`,
	);
}

/** A checklist that no score counts is run for people alone, which is rarely meant. */
function reportIdleChecklist(task: Field, report: Reporter): void {
	const items = task.at("checklist");
	const metrics = enabledOverlay(task, "confidence_loop")?.at("metrics").items() ?? [];
	const isCounted = metrics.some((metric) => metric.at("type").value === "checklist_completion");
	if (items.items().length === 0 || isCounted) return;
	report.warning(
		items,
		"the checklist is run and shown, but no score counts it",
		"enable `confidence_loop` with a metric of type checklist_completion",
	);
}

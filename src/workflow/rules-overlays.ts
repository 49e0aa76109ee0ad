import { assertNever } from "../kernel/assert-never.ts";
import { quote } from "../kernel/quote.ts";
import type { Expression } from "./expression/expression.ts";
import { parseCondition } from "./expression/parse-condition.ts";
import { isVariable, type VariableName } from "./expression/variables.ts";
import type { Field } from "./field.ts";
import {
	enabledOverlay,
	type FileFacts,
	hasCriteria,
	hasGate,
	hasHuman,
	type RuleInput,
} from "./file-facts.ts";
import { KINDS_OF_TIER } from "./gate-needs.ts";
import type { Reporter } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";

const OVERLAYS = ["paired_workflow", "confidence_loop"] as const;

export function reportConditions({ tasks, facts, report }: RuleInput): void {
	const conditions = tasks.flatMap(({ field: task }) =>
		OVERLAYS.flatMap((key) =>
			task
				.at("overlays")
				.at(key)
				.at("exit_conditions")
				.items()
				.map((field) => ({ task, key, field })),
		),
	);
	for (const { task, key, field } of conditions) {
		const names = reportCondition(field, report);
		if (!enabledOverlay(task, key)) continue;
		for (const name of names) {
			const way = wayToValue(name, task, facts);
			if (way !== undefined)
				report.warning(field, `exit condition: ${name} never has a value in this task`, way);
		}
	}
}

function reportCondition(field: Field, report: Reporter): readonly VariableName[] {
	const { text } = field;
	if (text === undefined) return [];
	const parsed = parseCondition(text);
	if (parsed.ok) return [...new Set(namesIn(parsed.condition.expression))].filter(isVariable);
	for (const { message, from, suggestion } of parsed.problems)
		report.error(field, `exit condition: ${message}`, suggestion, { text, from });
	return [];
}

function namesIn(expression: Expression): string[] {
	switch (expression.kind) {
		case "literal":
			return [];
		case "variable":
			return [expression.name];
		case "not":
			return namesIn(expression.operand);
		case "pair":
			return [expression.left, expression.right].flatMap(namesIn);
		case "in":
			return [expression.left, ...expression.list].flatMap(namesIn);
		default:
			return assertNever(expression);
	}
}

function wayToValue(name: VariableName, task: Field, facts: FileFacts): string | undefined {
	if (name.startsWith("pair."))
		return enabledOverlay(task, "paired_workflow") ? undefined : "enable `paired_workflow`";
	if (name === "gate.verdict")
		return hasGate(task, facts) ? undefined : "a gate applies only if there is an acceptance check";
	const isMetric = name.startsWith("metrics.");
	if (!isMetric && name !== "confidence_score") return undefined;
	const loop = enabledOverlay(task, "confidence_loop");
	if (loop === undefined) return "enable `confidence_loop`";
	const type = name.slice("metrics.".length);
	const isAsked = loop
		.at("metrics")
		.items()
		.some((metric) => metric.at("type").value === type);
	return isMetric && !isAsked ? `add a metric of type ${type}` : undefined;
}

export function reportGates({ tasks, facts, report }: RuleInput): void {
	for (const { field: task } of tasks) {
		const gate = task.at("overlays").at("policy_gate");
		// A formal review takes no gate at all, which is reported elsewhere.
		if (task.at("formal_review").value !== true) reportContradiction(task, gate, report);
		if (!(gate.present && hasGate(task, facts))) continue;
		const tier = gate.at("risk_tier");
		reportKinds(tier.present ? tier : gate, facts, report);
		reportCoverage(gate.at("require_coverage"), task, facts, report);
		if (tier.value === "T2" && !hasHuman(task, facts))
			report.warning(
				tier,
				"a task of tier T2 cannot be signed: human in the loop is off for this task",
				"set `overlays.hil.enabled: true` for the task, or `human.enabled: true`",
			);
	}
}

/** Placed in the task where it is said there, since `defaults` may be right for the other tasks. */
function reportContradiction(task: Field, gate: Field, report: Reporter): void {
	const enabled = gate.at("enabled");
	if (enabled.value !== false) return;
	const asking = ASKING.flatMap((each) => {
		const field = gate.at(each.key);
		return each.values.includes(field.value) ? [{ ...each, field }] : [];
	});
	if (asking.length === 0) return;
	const said = asking.map(({ key, field }) => `${key}: ${String(field.value)}`).join(" and ");
	const isOff = isWithin(enabled, task);
	const ownAsking = asking.find(({ field }) => isWithin(field, task));
	const isMixed = asking.some(({ field }) => isWithin(field, task) !== isOff);
	const neutral = asking.map((each) => `\`${each.neutral}\``).join(" and ");
	report.error(
		(isOff ? undefined : ownAsking?.field) ?? enabled,
		`policy_gate is off, but ${said} ${asking.length > 1 ? "ask" : "asks"} for one`,
		isMixed
			? `${isOff ? "remove `enabled: false`" : "set `enabled: true`"}, or set ${neutral}, for the task`
			: `remove \`enabled: false\`, or ${asking.map(({ name }) => name).join(" and ")}`,
	);
}

/** Keys that ask for a gate; `neutral` asks for none whatever `defaults` say. */
const ASKING: readonly {
	readonly key: string;
	readonly values: readonly unknown[];
	readonly name: string;
	readonly neutral: string;
}[] = [
	{ key: "risk_tier", values: ["T1", "T2"], name: "the tier", neutral: "risk_tier: T0" },
	{
		key: "require_coverage",
		values: [true],
		name: "`require_coverage`",
		neutral: "require_coverage: false",
	},
];

const isWithin = ({ path }: Field, task: Field): boolean =>
	task.path.every((part, index) => path[index] === part);

const WAIVABLE: ReadonlyMap<unknown, (typeof KINDS_OF_TIER)["T0"]> = new Map(
	Object.entries(KINDS_OF_TIER),
);

function reportKinds(tier: Field, { kinds, isWaived }: FileFacts, report: Reporter): void {
	if (!kinds.has("acceptance"))
		report.warning(
			tier,
			"this gate cannot pass: there is no acceptance check",
			"add a check with `kind: acceptance` that runs your tests",
		);
	for (const kind of WAIVABLE.get(tier.value) ?? [])
		if (!(kinds.has(kind) || isWaived(kind)))
			report.warning(
				tier,
				`a gate of tier ${String(tier.value)} cannot pass: there is no ${kind} check`,
				`add a check with \`kind: ${kind}\`, or waive it: \`waive: { ${kind}: "the reason" }\``,
			);
}

function reportCoverage(required: Field, task: Field, facts: FileFacts, report: Reporter): void {
	if (required.value !== true || facts.isWaived("requirement_coverage")) return;
	if (enabledOverlay(task, "paired_workflow") === undefined)
		report.warning(
			required,
			"require_coverage cannot be met: without a coach nobody reports which criteria are met",
			"enable `paired_workflow`, or remove `require_coverage`",
		);
	else if (!hasCriteria(task))
		report.warning(
			required,
			"require_coverage cannot be met: the task has no acceptance criteria",
			"add `acceptance_criteria`, or remove `require_coverage`",
		);
}

export function reportConfidence(input: RuleInput): void {
	const { tasks, facts, report } = input;
	for (const { id, field: task } of tasks) {
		const metrics = task.at("overlays").at("confidence_loop").at("metrics").items();
		for (const metric of metrics) reportJudge(metric, task, input);
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

function reportJudge(metric: Field, task: Field, input: RuleInput): void {
	const { chains, report } = input;
	const evaluator = metric.at("evaluator_agent");
	const type = metric.at("type");
	reportAgentName(evaluator, input);
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

function seatsOf(task: Field): string[] {
	const pair = enabledOverlay(task, "paired_workflow");
	const pairs = pair === undefined ? [] : [pair.at("driver_agent"), pair.at("challenger_agent")];
	return [task.at("agent"), ...pairs].flatMap(({ text }) => text ?? []);
}

/** A lack of what a metric is computed from; undefined when nothing lacks. */
type MetricSource = (
	task: Field,
	facts: FileFacts,
) => { readonly why: string; readonly way: string } | undefined;

const lineCoverage: MetricSource = (_task, { coverageFormats }) =>
	coverageFormats.some(isCoverageOfLines)
		? undefined
		: {
				why: "there is no coverage check with a report such as lcov",
				way: "add a check with `kind: coverage` and a report such as `{ format: lcov, path: coverage/lcov.info }`",
			};

const mutants: MetricSource = (_task, { coverageFormats, kinds, runsMutants }) =>
	coverageFormats.includes("mutation") || (kinds.has("acceptance") && runsMutants)
		? undefined
		: {
				why: "there is no coverage check with `report: { format: mutation }`, and no mutants are run",
				way: "add an acceptance check, and leave `mutation.when` at auto",
			};

const ofKind =
	(kind: "lint" | "security"): MetricSource =>
	(_task, { kinds }) =>
		kinds.has(kind)
			? undefined
			: { why: `there is no ${kind} check`, way: `add a check with \`kind: ${kind}\`` };

const judgedCriteria: MetricSource = (task) => {
	if (!hasCriteria(task))
		return { why: "the task has no acceptance criteria", way: "add `acceptance_criteria`" };
	if (enabledOverlay(task, "paired_workflow") !== undefined || hasEvaluator(task)) return undefined;
	return {
		why: "neither a coach nor an evaluator says which criteria are met",
		way: "add an `llm_judge` metric, or enable `paired_workflow`",
	};
};

const checklist: MetricSource = (task, facts) => {
	const lack = task.at("checklist").items().length > 0 ? undefined : judgedCriteria(task, facts);
	return lack && { ...lack, way: `add a \`checklist\` to the task, or ${lack.way}` };
};

const coveredCriteria: MetricSource = (task, facts) =>
	judgedCriteria(task, facts) ??
	(facts.acceptanceFormats.some((format) => format !== "exit")
		? undefined
		: {
				why: "no acceptance check names its test cases",
				way: "add a check with `kind: acceptance` and a report such as `{ format: junit, path: out/junit.xml }`",
			});

const SOURCES: ReadonlyMap<unknown, MetricSource> = new Map<unknown, MetricSource>([
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

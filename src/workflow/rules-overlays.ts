import { assertNever } from "../kernel/assert-never.ts";
import type { Path } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { entriesOf, type FileDraft, listOf, type TaskDraft, textOf } from "./draft.ts";
import type { Expression } from "./expression/expression.ts";
import { parseCondition } from "./expression/parse-condition.ts";
import { isVariable, type VariableName } from "./expression/variables.ts";
import { KINDS_OF_TIER } from "./gate-needs.ts";
import { shownName } from "./kinship.ts";
import type { Reporter, RuleInput } from "./reporter.ts";
import { reportAgentName } from "./rules-agents.ts";
import { KINDS_OF_FORMAT } from "./schema-checks.ts";

/** Facts of the file beside its tasks. */
interface Facts {
	readonly kinds: ReadonlySet<unknown>;
	readonly coverageFormats: readonly unknown[];
	readonly acceptanceFormats: readonly unknown[];
	readonly file: FileDraft;
}

export function reportOverlays(input: RuleInput): void {
	const checks = entriesOf(input.file.checks).map(([, check]) => check);
	const formatsOf = (kind: string): unknown[] =>
		checks.filter((check) => check?.kind === kind).map((check) => check?.report?.format);
	const facts: Facts = {
		kinds: new Set(checks.map((check) => check?.kind)),
		coverageFormats: formatsOf("coverage"),
		acceptanceFormats: formatsOf("acceptance"),
		file: input.file,
	};
	for (const task of input.tasks) reportConditions(task, facts, input.report);
	for (const task of input.tasks) reportConfidence(task, facts, input);
	for (const task of input.tasks) reportGate(task, facts, input.report);
	for (const { task, at } of input.tasks)
		if (task.requires_human === true && !hasHuman(task, facts))
			input.report.warning(
				at("requires_human"),
				"requires_human has no effect: human in the loop is off for this task",
				WITH_PEOPLE,
			);
}

const WITH_PEOPLE = "set `overlays.hil.enabled: true` for the task, or `human.enabled: true`";

function hasHuman(task: TaskDraft["task"], { file }: Facts): boolean {
	const own = task.overlays?.hil?.enabled;
	return (own === undefined ? file.human?.enabled : own) !== false;
}

const hasCriteria = (task: TaskDraft["task"]): boolean =>
	[task, ...listOf(task.subtasks)].some((part) => listOf(part?.acceptance_criteria).length > 0);

type Overlays = NonNullable<TaskDraft["task"]["overlays"]>;

const hasMetric = (loop: Overlays["confidence_loop"], type: string): boolean =>
	listOf(loop?.metrics).some((metric) => metric?.type === type);

function hasGate({ task, isReview }: TaskDraft, { kinds }: Facts): boolean {
	const { enabled, risk_tier: tier, require_coverage } = task.overlays?.policy_gate ?? {};
	if (isReview) return false;
	if (typeof enabled === "boolean") return enabled;
	return kinds.has("acceptance") || tier === "T1" || tier === "T2" || require_coverage === true;
}

function reportConditions(task: TaskDraft, facts: Facts, report: Reporter): void {
	for (const key of ["paired_workflow", "confidence_loop"] as const) {
		const overlay = task.task.overlays?.[key];
		for (const [index, condition] of listOf(overlay?.exit_conditions).entries()) {
			const path = task.at("overlays", key, "exit_conditions", index);
			const names = reportCondition(condition, path, report);
			for (const name of overlay?.enabled === true ? names : []) {
				const way = wayToValue(name, task, facts);
				if (way !== undefined)
					report.warning(path, `exit condition: ${name} never has a value in this task`, way);
			}
		}
	}
}

function reportCondition(value: unknown, path: Path, report: Reporter): readonly VariableName[] {
	const text = textOf(value);
	if (text === undefined) return [];
	const parsed = parseCondition(text);
	if (parsed.ok) return [...new Set(namesIn(parsed.condition.expression))].filter(isVariable);
	for (const { message, from, suggestion } of parsed.problems)
		report.error(path, `exit condition: ${message}`, suggestion, { text, from });
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

function wayToValue(name: VariableName, task: TaskDraft, facts: Facts): string | undefined {
	if (name.startsWith("pair.")) return task.pair ? undefined : "enable `paired_workflow`";
	if (name === "gate.verdict")
		return hasGate(task, facts) ? undefined : "a gate applies only if there is an acceptance check";
	const isMetric = name.startsWith("metrics.");
	if (!isMetric && name !== "confidence_score") return undefined;
	if (!task.loop) return "enable `confidence_loop`";
	const type = name.slice("metrics.".length);
	return isMetric && !hasMetric(task.loop, type) ? `add a metric of type ${type}` : undefined;
}

function reportGate(each: TaskDraft, facts: Facts, report: Reporter): void {
	const { task, at, isReview } = each;
	const gate = task.overlays?.policy_gate;
	// A formal review takes no gate at all, which is reported elsewhere.
	if (!isReview && gate?.enabled === false) reportContradiction(each, report);
	if (gate === undefined || !hasGate(each, facts)) return;
	const tier = gate?.risk_tier;
	const tierAt = at("overlays", "policy_gate", ...(tier === undefined ? [] : ["risk_tier"]));
	reportKinds(tier, tierAt, facts, report);
	if (
		gate?.require_coverage === true &&
		textOf(facts.file.waive?.requirement_coverage) === undefined
	)
		reportCoverage(each, report);
	if (tier === "T2" && !hasHuman(task, facts))
		report.warning(
			tierAt,
			"a task of tier T2 cannot be signed: human in the loop is off for this task",
			WITH_PEOPLE,
		);
}

/** Placed in the task where it is said there, since `defaults` may be right for the other tasks. */
function reportContradiction({ task, at }: TaskDraft, report: Reporter): void {
	const { risk_tier: tier, require_coverage: isCovered } = task.overlays?.policy_gate ?? {};
	const isOwn = (key: string): boolean => at("overlays", "policy_gate", key)[0] === "tasks";
	const asking = [
		...(tier === "T1" || tier === "T2"
			? [{ key: "risk_tier", value: tier, name: "the tier", neutral: "T0" }]
			: []),
		...(isCovered === true
			? [{ key: "require_coverage", value: true, name: "`require_coverage`", neutral: false }]
			: []),
	];
	if (asking.length === 0) return;
	const isOff = isOwn("enabled");
	const said = asking.map(({ key, value }) => `${key}: ${value}`).join(" and ");
	const ownAsking = asking.find(({ key }) => isOwn(key))?.key;
	// `neutral` asks for no gate whatever `defaults` say.
	const neutral = asking.map((each) => `\`${each.key}: ${each.neutral}\``).join(" and ");
	report.error(
		at("overlays", "policy_gate", (isOff ? undefined : ownAsking) ?? "enabled"),
		`policy_gate is off, but ${said} ${asking.length > 1 ? "ask" : "asks"} for one`,
		asking.some(({ key }) => isOwn(key) !== isOff)
			? `${isOff ? "remove `enabled: false`" : "set `enabled: true`"}, or set ${neutral}, for the task`
			: `remove \`enabled: false\`, or ${asking.map(({ name }) => name).join(" and ")}`,
	);
}

const WAIVABLE: ReadonlyMap<unknown, (typeof KINDS_OF_TIER)["T0"]> = new Map(
	Object.entries(KINDS_OF_TIER),
);

function reportKinds(tier: unknown, path: Path, { kinds, file }: Facts, report: Reporter): void {
	if (!kinds.has("acceptance"))
		report.warning(
			path,
			"this gate cannot pass: there is no acceptance check",
			"add a check with `kind: acceptance` that runs your tests",
		);
	for (const kind of WAIVABLE.get(tier) ?? [])
		if (!kinds.has(kind) && textOf(file.waive?.[kind]) === undefined)
			report.warning(
				path,
				`a gate of tier ${String(tier)} cannot pass: there is no ${kind} check`,
				`add a check with \`kind: ${kind}\`, or waive it: \`waive: { ${kind}: "the reason" }\``,
			);
}

function reportCoverage({ task, at, pair }: TaskDraft, report: Reporter): void {
	const path = at("overlays", "policy_gate", "require_coverage");
	if (!pair)
		report.warning(
			path,
			"require_coverage cannot be met: without a coach nobody reports which criteria are met",
			"enable `paired_workflow`, or remove `require_coverage`",
		);
	else if (!hasCriteria(task))
		report.warning(
			path,
			"require_coverage cannot be met: the task has no acceptance criteria",
			"add `acceptance_criteria`, or remove `require_coverage`",
		);
}

function reportConfidence(each: TaskDraft, facts: Facts, input: RuleInput): void {
	const { id, task, loop, isReview, at } = each;
	const { report } = input;
	const path = at("overlays", "confidence_loop");
	const metrics = listOf(task.overlays?.confidence_loop?.metrics);
	for (const index of metrics.keys()) reportJudge(each, index, input);
	// One that no score counts is run for people alone, which is rarely meant.
	const isIdle = listOf(task.checklist).length > 0 && !hasMetric(loop, "checklist_completion");
	if (isIdle && !isReview)
		report.warning(
			at("checklist"),
			"the checklist is run and shown, but no score counts it",
			"enable `confidence_loop` with a metric of type checklist_completion",
		);
	if (!loop) return;
	if (metrics.length === 0)
		report.keyError(
			path,
			`confidence_loop of task ${quote(id)} needs metrics`,
			"add one, such as `metrics: [{ type: test_coverage }]`",
		);
	for (const [index, metric] of metrics.entries()) {
		// A metric that can have no value counts as 0.0, which nobody means.
		const [why, way] = lackOf(metric?.type, each, facts) ?? [];
		if (why !== undefined)
			report.warning(
				at("overlays", "confidence_loop", "metrics", index, "type"),
				`${String(metric?.type)} counts as 0.0: ${why}`,
				`${way}; or remove the metric`,
			);
	}
}

function reportJudge({ task, pair, at }: TaskDraft, index: number, input: RuleInput): void {
	const { agents, report } = input;
	const metric = listOf(task.overlays?.confidence_loop?.metrics)[index];
	const path = at("overlays", "confidence_loop", "metrics", index);
	const evaluatorAt = [...path, "evaluator_agent"];
	const evaluator = metric?.evaluator_agent;
	reportAgentName(evaluator, evaluatorAt, input);
	if (metric?.type !== "llm_judge") {
		const type = textOf(metric?.type);
		if (evaluator !== undefined && type !== undefined)
			report.warning(
				evaluatorAt,
				`evaluator_agent has no effect: ${shownName(type)} is computed, not judged`,
				"remove it",
			);
		return;
	}
	if (evaluator === undefined)
		report.error(
			path,
			"llm_judge metric requires evaluator_agent to be set",
			"name an agent that has no seat in this task",
		);
	const text = textOf(evaluator);
	if (text === undefined) return;
	const seats = [task.agent, pair?.driver_agent, pair?.challenger_agent].map(textOf);
	const seated = new Set(seats.flatMap((seat) => agents.chain(seat)));
	const shared = agents.chain(text).find((name) => seated.has(name));
	const isSeated = seats.includes(text);
	if (isSeated || shared !== undefined)
		report.error(
			evaluatorAt,
			"llm_judge evaluator_agent must differ from task agent",
			isSeated
				? "name an agent that has no seat in this task (in a pair: neither of the two)"
				: `through fallbacks ${quote(shared ?? "")} could both do the work and judge it; name an agent with other fallbacks`,
		);
}

type Lack = readonly [why: string, way: string];

/** Reason for which a metric can have no value, and what gives it one; undefined when nothing lacks. */
function lackOf(type: unknown, each: TaskDraft, facts: Facts): Lack | undefined {
	const { kinds, coverageFormats, acceptanceFormats, file } = facts;
	switch (type) {
		case "lint_score":
		case "security_score": {
			const kind = type.replace("_score", "");
			if (kinds.has(kind)) return undefined;
			return [`there is no ${kind} check`, `add a check with \`kind: ${kind}\``];
		}
		case "test_coverage":
			if (coverageFormats.some((format) => LINE_FORMATS.has(format))) return undefined;
			return [
				"there is no coverage check with a report such as lcov",
				"add a check with `kind: coverage` and a report such as `{ format: lcov, path: coverage/lcov.info }`",
			];
		case "mutation_score":
			if (kinds.has("acceptance") && file.mutation?.when !== "never") return undefined;
			if (coverageFormats.includes("mutation")) return undefined;
			return [
				"there is no coverage check with `report: { format: mutation }`, and no mutants are run",
				"add an acceptance check, and leave `mutation.when` at auto",
			];
		case "checklist_completion":
			return lackOfList(each);
		case "requirement_coverage": {
			const lack = lackOfJudge(each);
			if (lack !== undefined || acceptanceFormats.some((format) => format !== "exit")) return lack;
			return [
				"no acceptance check names its test cases",
				"add a check with `kind: acceptance` and a report such as `{ format: junit, path: out/junit.xml }`",
			];
		}
		default:
			return undefined;
	}
}

function lackOfList(each: TaskDraft): Lack | undefined {
	const [why, way] = lackOfJudge(each) ?? [];
	if (why === undefined || listOf(each.task.checklist).length > 0) return undefined;
	return [why, `add a \`checklist\` to the task, or ${way}`];
}

function lackOfJudge({ task, pair }: TaskDraft): Lack | undefined {
	if (!hasCriteria(task))
		return ["the task has no acceptance criteria", "add `acceptance_criteria`"];
	if (pair || hasMetric(task.overlays?.confidence_loop, "llm_judge")) return undefined;
	return [
		"neither a coach nor an evaluator says which criteria are met",
		"add an `llm_judge` metric, or enable `paired_workflow`",
	];
}

const LINE_FORMATS: ReadonlySet<unknown> = new Set(
	Object.entries(KINDS_OF_FORMAT).flatMap(([name, kinds]) =>
		kinds.length === 1 && kinds[0] === "coverage" && name !== "mutation" ? [name] : [],
	),
);

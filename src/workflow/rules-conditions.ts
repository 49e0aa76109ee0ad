import { assertNever } from "../kernel/assert-never.ts";
import type { Expression } from "./expression/expression.ts";
import { parseCondition } from "./expression/parse-condition.ts";
import { isVariable, type VariableName } from "./expression/variables.ts";
import type { Field } from "./field.ts";
import { enabledOverlay, type FileFacts, hasGate } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";

const OVERLAYS = ["paired_workflow", "confidence_loop"] as const;

/**
 * Exit conditions that do not parse, are not boolean, or name an unknown variable, each at its place; and a warning
 * for those of an enabled overlay that ask what has no value in the task.
 */
export function reportConditions(
	tasks: readonly TaskField[],
	facts: FileFacts,
	report: Reporter,
): void {
	for (const { field: task } of tasks)
		for (const key of OVERLAYS) {
			const conditions = task.at("overlays").at(key).at("exit_conditions").items();
			for (const field of conditions) {
				const names = reportCondition(field, report);
				if (enabledOverlay(task, key)) reportIdle(names, { task, field, facts }, report);
			}
		}
}

/** The variables of a condition; none of one that is reported. */
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

function reportIdle(
	names: readonly VariableName[],
	{
		task,
		field,
		facts,
	}: { readonly task: Field; readonly field: Field; readonly facts: FileFacts },
	report: Reporter,
): void {
	for (const name of names) {
		const way = wayToValue(name, task, facts);
		if (way !== undefined)
			report.warning(field, `exit condition: ${name} never has a value in this task`, way);
	}
}

/** What would give a variable its value; undefined when it can have one. */
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

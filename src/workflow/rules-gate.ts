import type { Field } from "./field.ts";
import { enabledOverlay, type FileFacts, hasGate, hasHuman } from "./file-facts.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";

/** Warns of gates that no player can pass, since the workflow itself lacks what they ask for. */
export function reportGates(tasks: readonly TaskField[], facts: FileFacts, report: Reporter): void {
	for (const { field: task } of tasks) {
		const gate = task.at("overlays").at("policy_gate");
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

const WAIVABLE: ReadonlyMap<unknown, readonly ("lint" | "security" | "readiness")[]> = new Map([
	["T1", ["lint", "security"]],
	["T2", ["lint", "security", "readiness"]],
]);

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
			"require_coverage cannot be met: no coach says which criteria are met",
			"enable `paired_workflow`, or leave it out",
		);
	else if (!hasCriteria(task))
		report.warning(
			required,
			"require_coverage cannot be met: the task has no acceptance criteria",
			"add `acceptance_criteria`, or leave it out",
		);
}

const hasCriteria = (task: Field): boolean =>
	[task, ...task.at("subtasks").items()].some(
		(part) => part.at("acceptance_criteria").items().length > 0,
	);

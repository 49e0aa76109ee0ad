import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { LATER_REPORT_FORMATS, REPORT_FORMATS } from "./schema-checks.ts";
import { DEFAULT_PAIR_EXIT } from "./schema-tasks.ts";

/** Tasks run one after another for now; the contract's default is 2. */
const MOST_PARALLEL = 2;

const HINT = "leave it out for now";

/**
 * Reports each use of a feature that this version lacks, at the key; what equals a default is no use.
 *
 * Looks at the file as written, so that it also works on one that the schema refused.
 */
export function reportUnavailable(root: Field, report: Reporter): void {
	const say = sayer(report);
	for (const { field: check } of root.at("checks").entries()) {
		const format = check.at("report").at("format");
		say(
			format,
			LATER_REPORT_FORMATS.includes(format.text ?? ""),
			`report format ${format.text}`,
			`this version reads: ${REPORT_FORMATS.join(", ")}`,
		);
	}
	const parallel = root.at("max_parallel");
	say(
		parallel,
		typeof parallel.value === "number" && parallel.value > MOST_PARALLEL,
		`max_parallel above ${MOST_PARALLEL}`,
	);
	for (const key of ["tie_breaker", "verifier", "planner"])
		say(root.at(key), root.at(key).present, key);
	say(root.at("waive"), root.at("waive").keys().length > 0, "waive");
	const notify = root.at("human").at("notify");
	for (const { key, field } of notify.entries())
		say(field, field.items().length > 0, `human.notify.${key}`);
	reportTask(root.at("defaults"), say);
	for (const { field: task } of root.at("tasks").entries()) reportTask(task, say);
}

type Say = (field: Field, isUsed: boolean, what: string, hint?: string) => void;

function sayer(report: Reporter): Say {
	return (field, isUsed, what, hint = HINT) => {
		if (isUsed) report.keyError(field, `${what} is not available yet`, hint);
	};
}

function reportTask(task: Field, say: Say): void {
	for (const key of ["requires_verification", "formal_review"])
		say(task.at(key), task.at(key).value === true, `${key}: true`);
	say(task.at("subtasks"), task.at("subtasks").items().length > 0, "subtasks");
	const overlays = task.at("overlays");
	reportPair(overlays.at("paired_workflow"), say);
	const confidence = overlays.at("confidence_loop");
	say(confidence, confidence.at("enabled").value === true, "confidence_loop");
	const gate = overlays.at("policy_gate");
	const tier = gate.at("risk_tier");
	say(tier, tier.value === "T1" || tier.value === "T2", `risk_tier: ${tier.text}`);
	const coverage = gate.at("require_coverage");
	say(coverage, coverage.value === true, "require_coverage: true");
}

function reportPair(pair: Field, say: Say): void {
	const roleSwitch = pair.at("role_switch");
	const isLater = roleSwitch.value === "subtask" || roleSwitch.value === "checkpoint";
	say(roleSwitch, isLater, `role_switch: ${roleSwitch.text}`);
	say(pair.at("checkpoints"), pair.at("checkpoints").items().length > 0, "checkpoints");
	const exits = pair.at("exit_conditions");
	const isOther = exits.texts().some(({ text }) => text.trim() !== DEFAULT_PAIR_EXIT);
	say(exits, isOther, `an exit condition other than "${DEFAULT_PAIR_EXIT}"`);
}

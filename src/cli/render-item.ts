import type { HumanItem } from "../human/human-item.ts";
import { isCriticalPart, reasonParts } from "../human/reason-parts.ts";
import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import { itemChoices } from "./item-choices.ts";
import { isObject, type LooseObject, objectsOf, textOf, textsOf } from "./loose-json.ts";
import type { Paint } from "./paint.ts";
import { shownConflicts } from "./render-conflicts.ts";
import { renderCounts } from "./render-counts.ts";
import { metricsText, renderGateReport, shareText } from "./render-gate-report.ts";
import { pairHistoryText } from "./render-pair.ts";
import { indented, oneLine, visibleText } from "./visible-text.ts";

/** A title with its text below; nothing when there is no text. */
const section = (paint: Paint, title: string, text: string): string[] =>
	text.trim() === "" ? [] : [`\n${paint("strong", title)}`, indented(text, "  ")];

/** Likewise for a text whose parts are visible and painted already. */
const painted = (paint: Paint, title: string, text: string): string[] =>
	text === "" ? [] : [`\n${paint("strong", title)}`, text.replaceAll(/^(?=.)/gm, "  ")];

const placeOf = (finding: LooseObject): string => {
	const file = textOf(finding["file"]);
	const line = textOf(finding["line"]);
	if (file === "") return "";
	return line === "" ? ` (${file})` : ` (${file}:${line})`;
};

function findingText(finding: LooseObject): string {
	const marks = [textOf(finding["id"]), textOf(finding["severity"]), textOf(finding["state"])];
	const head = `${marks.filter((mark) => mark !== "").join(" ")}${placeOf(finding)}: ${textOf(finding["issue"])}`;
	const criterion = textOf(finding["criterion"]);
	const suggestion = textOf(finding["suggestion"]);
	const dispute = isObject(finding["dispute"])
		? textOf(finding["dispute"]["reason"])
		: textOf(finding["dispute"]);
	return [
		head,
		...(criterion === "" ? [] : [`  criterion: ${criterion}`]),
		...(suggestion === "" ? [] : [`  suggestion: ${suggestion}`]),
		...(dispute === "" ? [] : [`  the player disputes it: ${dispute}`]),
	].join("\n");
}

function evidenceText(evidence: LooseObject): string {
	const counts = renderCounts(evidence["counts"]);
	const reason = textOf(evidence["reason"]);
	const output = textOf(evidence["output_path"] ?? evidence["outputPath"]);
	const kind = textOf(evidence["kind"]);
	const facts = [counts, reason].filter((fact) => fact !== "").map((fact) => `, ${fact}`);
	return [
		`${textOf(evidence["check"])}${kind === "" ? "" : ` (${kind})`}: ${textOf(evidence["status"])}${facts.join("")}`,
		...textsOf(evidence["details"]).map((detail) => `  ${oneLine(detail, 400)}`),
		...(output === "" ? [] : [`  output: ${output}`]),
	].join("\n");
}

/** Each conflict on lines of its own, a critical finding so that it is not overlooked. */
function reasonText({ reason }: HumanItem, paint: Paint): string {
	const [first = "", ...others] = reasonParts(reason);
	return [
		visibleText(first.trim()),
		...others.map((part) => {
			const text = visibleText(part.trim());
			return isCriticalPart(part) ? paint("bad", text) : text;
		}),
	].join("\n");
}

/** The whole report where the question has it; else what the task's record says. */
function gateText(context: LooseObject, paint: Paint): string {
	const gate = isObject(context["gate_report"]) ? context["gate_report"] : context["gate"];
	return isObject(gate) ? renderGateReport(gate, paint) : visibleText(textOf(gate));
}

/** A score that the gate's report does not show already. */
function confidenceText({ confidence, gate_report: gate }: LooseObject): string {
	if (typeof confidence === "number") return isObject(gate) ? "" : shareText(confidence);
	if (!isObject(confidence)) return "";
	const { score, threshold, mode, advisory, metrics } = confidence;
	const limit = typeof threshold === "number" ? `, threshold ${shareText(threshold)}` : "";
	const notes = [textOf(mode), textOf(advisory)].filter((note) => note !== "");
	const shown = isObject(gate) && typeof gate["confidence_score"] === "number";
	return [
		`${shareText(score)}${limit}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`,
		...(shown ? [] : [metricsText(metrics)]),
	].join("\n");
}

function playerText(developer: unknown): string {
	if (!isObject(developer)) return textOf(developer);
	const files = textsOf(developer["files"]);
	return [
		textOf(developer["notes"]),
		...(files.length === 0 ? [] : [`files: ${files.join(", ")}`]),
	].join("\n");
}

function coachText(reviewer: unknown): string {
	if (!isObject(reviewer)) return textOf(reviewer);
	const decision = textOf(reviewer["decision"]);
	return [
		...(decision === "" ? [] : [`decision: ${decision}`]),
		textOf(reviewer["rationale"]),
	].join("\n");
}

function workText({ context, taskId, runId }: HumanItem): string {
	const hasDiff = textOf(context["diff_path"]) !== "";
	const facts = [
		["branch", context["branch"]],
		["commit", context["commit"]],
		["turns", context["turns"]],
		["diff", context["diff_path"]],
		["see it", hasDiff ? `spar diff ${taskId} --run ${runId}` : ""],
	] as const;
	return facts
		.filter(([, value]) => textOf(value) !== "")
		.map(([name, value]) => `${name}: ${textOf(value)}`)
		.join("\n");
}

function budgetText({ context, taskId }: HumanItem): string {
	const budget = context["budget"];
	if (!isObject(budget)) return "";
	const { usd, wall, calls, unknown_cost_calls: unknown } = budget;
	const money = isObject(usd) ? [usd["spent"], usd["limit"]] : [];
	const time = isObject(wall) ? [wall["spent_ms"], wall["limit_ms"]] : [];
	const used = (label: string, pair: readonly unknown[], write: (amount: number) => string) => {
		const [spent, limit] = pair;
		return typeof spent === "number" && typeof limit === "number"
			? [`${label}: ${write(spent)} of ${write(limit)}`]
			: [];
	};
	return [
		`of ${budget["scope"] === "task" ? `task ${taskId}` : "the run"}`,
		...used("money", money, formatUsd),
		...used("time", time, formatDuration),
		`calls: ${textOf(calls)}, of unknown cost: ${textOf(unknown)}`,
	].join("\n");
}

function answerLines(item: HumanItem, paint: Paint): string[] {
	const { answer } = item;
	if (answer === null) {
		const lines = itemChoices(item).flatMap(([command, effect]) => [command, `    ${effect}`]);
		return section(paint, "Your choices", lines.join("\n"));
	}
	const { addUsd, addWallMs } = answer;
	const texts = [
		answer.directive,
		addUsd === undefined ? null : `added ${formatUsd(addUsd)}`,
		addWallMs === undefined ? null : `added ${formatDuration(addWallMs)}`,
		answer.notes,
		answer.reason,
	].filter((text) => text !== null);
	return section(
		paint,
		"Answer",
		[`${answer.choice} at ${answer.answeredAt}`, ...texts].join("\n"),
	);
}

function conflictLines(item: HumanItem, paint: Paint, only?: string): string[] {
	return shownConflicts(item)
		.filter(({ finding }) => only === undefined || finding === only)
		.flatMap(({ finding, text }) =>
			section(paint, `Conflict over ${oneLine(finding) || "a finding"}`, text),
		);
}

/** One of the conflicts that an item asks about, by the id of its finding; `""` where it does not ask about that. */
export function renderConflict(item: HumanItem, finding: string, paint: Paint): string {
	return conflictLines(item, paint, finding).join("\n");
}

/**
 * An item with everything to decide by: why, each conflict, both sides, findings, evidence, the work, and each choice with the
 * exact command and what it will do. Parts that the context lacks are left out.
 */
export function renderItem(item: HumanItem, paint: Paint): string {
	const { context } = item;
	return [
		`${paint("strong", item.id)}  ${item.status}  task ${item.taskId}  run ${item.runId}`,
		`trigger: ${item.trigger}, since ${item.createdAt}`,
		...painted(paint, "Why you are asked", reasonText(item, paint)),
		...section(paint, "Budget", budgetText(item)),
		...section(paint, "Task", textOf(context["task"])),
		...conflictLines(item, paint),
		...section(paint, "What the coach says", coachText(context["reviewer"])),
		...section(paint, "What the player says", playerText(context["developer"])),
		...section(paint, "Reasons", textsOf(context["reasons"]).join("\n")),
		...section(paint, "Findings", objectsOf(context["findings"]).map(findingText).join("\n")),
		...section(paint, "Evidence", objectsOf(context["evidence"]).map(evidenceText).join("\n")),
		...section(paint, "Confidence", confidenceText(context)),
		...painted(paint, "Gate", gateText(context, paint)),
		...section(paint, "Pair history", pairHistoryText(context["pair"])),
		...section(paint, "The work", workText(item)),
		...answerLines(item, paint),
	].join("\n");
}

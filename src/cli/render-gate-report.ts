import { isObject, type LooseObject, objectsOf, textOf } from "../kernel/loose-json.ts";
import { indented, oneLine } from "../words/visible-text.ts";
import type { Paint, Tone } from "./paint.ts";
import { table, UNLIMITED } from "./table.ts";

/** Longest reason in a line of the table of metrics, in characters. */
const MAX_REASON = 100;

const TONES: Readonly<Record<string, Tone>> = {
	PASS: "good",
	FAIL: "bad",
	ABSENT: "bad",
	WAIVED: "attention",
	SKIPPED: "quiet",
};

/** A share as people read it: `0.873` is `0.87`; `-` without a value. */
export function shareText(value: unknown): string {
	return typeof value === "number" ? value.toFixed(2) : "-";
}

function checkLines(checks: unknown, paint: Paint): string[] {
	if (!isObject(checks)) return [];
	return Object.entries(checks).flatMap(([name, check]) => {
		if (!isObject(check)) return [];
		const status = oneLine(textOf(check["status"]));
		const details = textOf(check["details"]);
		const head = `${paint(TONES[status] ?? "quiet", status)} ${oneLine(name.replaceAll("_", " "))}`;
		return details === "" ? [head] : [head, indented(details, "  ")];
	});
}

/** Longest words of an evaluator, in characters. */
const MAX_WORDS = 1_000;

/** The metrics of a score, one a line, and what evaluators said; `""` without any. */
export function metricsText(metrics: unknown, columns: number): string {
	const rows = objectsOf(metrics).map((metric) => [
		oneLine(textOf(metric["type"])),
		shareText(metric["score"]),
		textOf(metric["weight"]),
		oneLine(textOf(metric["evaluator_agent"])) || "-",
		oneLine(textOf(metric["reason"]), MAX_REASON),
	]);
	const words = objectsOf(metrics).flatMap((metric) => {
		const said = oneLine(textOf(metric["rationale"]), MAX_WORDS);
		return said === "" ? [] : [`${oneLine(textOf(metric["evaluator_agent"]))} says: ${said}`];
	});
	if (rows.length === 0) return "";
	return [table([["metric", "score", "weight", "by", "from"], ...rows], columns), ...words].join(
		"\n",
	);
}

function scoreLines(report: LooseObject, columns: number): string[] {
	const score = report["confidence_score"];
	if (typeof score !== "number") return [];
	const advisory = textOf(report["confidence_advisory"]);
	const note = advisory === "" ? "" : `, ${oneLine(advisory)}`;
	const metrics = metricsText(report["metrics"], columns);
	return [
		`\nconfidence ${shareText(score)}${note} (advice: it decides nothing)`,
		...(metrics === "" ? [] : [metrics]),
	];
}

/** Warnings, one a line; none without any. */
export function warningLines(warnings: unknown, paint: Paint): string[] {
	const texts = Array.isArray(warnings) ? warnings.map(textOf) : [];
	return texts.map((text) => paint("attention", `warning: ${oneLine(text, 400)}`));
}

/** The items of a checklist, one a line, below a line that says how many passed; nothing without a checklist. */
export function checklistLines(checklist: unknown, paint: Paint): string[] {
	const items = objectsOf(checklist);
	if (items.length === 0) return [];
	const passed = items.filter(({ status }) => status === "pass").length;
	const lines = items.map(({ item, status, reason }) => {
		const tone = status === "pass" ? "good" : "attention";
		const why = textOf(reason) === "" ? "" : `: ${oneLine(textOf(reason), MAX_REASON)}`;
		return `  ${paint(tone, oneLine(textOf(status)))} ${oneLine(textOf(item))}${why}`;
	});
	return [`checklist: ${passed} of ${items.length} passed (counts in the score only)`, ...lines];
}

function suspicionLines(suspicions: unknown, paint: Paint): string[] {
	return objectsOf(suspicions).map(({ id, kind, file, line, ok, reason }) => {
		const place = typeof line === "number" ? `${textOf(file)}:${line}` : textOf(file);
		const word = ok === true ? "accepted" : ok === false ? "not accepted" : "not answered";
		const why = textOf(reason) === "" ? "" : `: ${oneLine(textOf(reason), MAX_REASON)}`;
		const head = `suspicion ${oneLine(textOf(id))} at ${oneLine(place)} (${oneLine(textOf(kind))})`;
		return `${head}: ${paint(ok === true ? "good" : "attention", word)}${why}`;
	});
}

/** What the gate said, the kinds of evidence it looked at, and the score; parts that it lacks are left out. */
export function renderGateReport(
	report: LooseObject,
	paint: Paint,
	columns: number = UNLIMITED,
): string {
	const verdict = textOf(report["verdict"]);
	const rule = textOf(report["rule"]);
	const head = `${oneLine(textOf(report["risk_tier"]))} ${paint(TONES[verdict] ?? "quiet", oneLine(verdict))}`;
	return [
		`${head}${rule === "" ? "" : ` (${oneLine(rule, 400)})`}`.trim(),
		...checkLines(report["evidence_checks"], paint),
		...scoreLines(report, columns),
		...warningLines(report["warnings"], paint),
		...checklistLines(report["checklist"], paint),
		...suspicionLines(report["suspicions"], paint),
		...(report["hil_required"] === true ? ["before the merge it needs a person's signature"] : []),
	].join("\n");
}

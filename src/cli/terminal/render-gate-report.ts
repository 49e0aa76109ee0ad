import { indented, oneLine } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { EventData } from "../../trace/event.ts";
import type { TaskReport } from "../../view/report.ts";
import { suspicionText } from "../../words/evidence-text.ts";
import { toneOf } from "../../words/states.ts";
import type { Paint } from "./paint.ts";
import { table, UNLIMITED } from "./table.ts";

type GateReport = NonNullable<Awaited<ReturnType<Sparring["gate"]>>>;

type GateSaid = NonNullable<TaskReport["gate"]> & Partial<Omit<GateReport, "risk_tier">>;

type MetricSaid = GateReport["metrics"][number] | EventData["confidence-scored"]["metrics"][number];

const MAX_REASON = 100;

export const shareText = (value: number | null): string => value?.toFixed(2) ?? "-";

const MAX_WORDS = 1_000;

export function metricsText(metrics: readonly MetricSaid[], columns: number): string {
	if (metrics.length === 0) return "";
	const rows = metrics.map(({ type, score, weight, evaluator_agent: agent, reason }) => [
		oneLine(type),
		shareText(score),
		String(weight),
		oneLine(agent ?? "") || "-",
		oneLine(reason, MAX_REASON),
	]);
	const words = metrics.flatMap(({ evaluator_agent: agent, rationale }) => {
		const said = oneLine(rationale ?? "", MAX_WORDS);
		return said === "" ? [] : [`${oneLine(agent ?? "")} says: ${said}`];
	});
	const heading = ["metric", "score", "weight", "by", "from"];
	return [table([heading, ...rows], columns), ...words].join("\n");
}

function scoreLines(
	{ confidence_score: score, confidence_advisory: advisory, metrics = [] }: GateSaid,
	columns: number,
): string[] {
	if (score === null || score === undefined) return [];
	const note = advisory ? `, ${oneLine(advisory)}` : "";
	return [
		`\nconfidence ${shareText(score)}${note} (advice: it decides nothing)`,
		...(metrics.length === 0 ? [] : [metricsText(metrics, columns)]),
	];
}

export const warningLines = (warnings: readonly string[], paint: Paint): string[] =>
	warnings.map((text) => paint("attention", `warning: ${oneLine(text, 400)}`));

const why = (reason: string | null): string => (reason ? `: ${oneLine(reason, MAX_REASON)}` : "");

export function checklistLines(items: TaskReport["checklist"], paint: Paint): string[] {
	if (items.length === 0) return [];
	const passed = items.filter(({ status }) => status === "pass").length;
	const lines = items.map(({ item, status, reason }) => {
		const tone = status === "pass" ? "good" : "attention";
		return `  ${paint(tone, status)} ${oneLine(item)}${why(reason)}`;
	});
	return [`checklist: ${passed} of ${items.length} passed (counts in the score only)`, ...lines];
}

export function renderGateReport(
	report: GateSaid,
	paint: Paint,
	columns: number = UNLIMITED,
): string {
	const { verdict, rule = "", evidence_checks: checks, suspicions = [] } = report;
	const painted = paint(toneOf(verdict), verdict);
	return [
		`${report.risk_tier} ${painted}${rule === "" ? "" : ` (${oneLine(rule, 400)})`}`,
		...Object.entries(checks ?? {}).map(([name, { status, details }]) => {
			const head = `${paint(toneOf(status), status)} ${name.replaceAll("_", " ")}`;
			return details === "" ? head : `${head}\n${indented(details, "  ")}`;
		}),
		...scoreLines(report, columns),
		...warningLines(report.warnings ?? [], paint),
		...checklistLines(report.checklist ?? [], paint),
		...suspicions.map((one) =>
			paint(one.ok === true ? "good" : "attention", `suspicion ${suspicionText(one)}`),
		),
		...(report.hil_required === true ? ["before the merge it needs a person's signature"] : []),
	].join("\n");
}

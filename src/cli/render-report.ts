import type { RunReport, TaskReport } from "../app/sparring.ts";
import { formatBytes } from "../kernel/bytes.ts";
import type { TaskStatus } from "../kernel/task-state.ts";
import type { Paint, Tone } from "./paint.ts";
import { checklistLines } from "./render-gate-report.ts";
import { renderBudget, renderCost, renderUsage } from "./render-usage.ts";
import { table } from "./table.ts";
import { oneLine } from "./visible-text.ts";

const TONES: Readonly<Record<TaskStatus, Tone>> = {
	pending: "quiet",
	running: "strong",
	needs_rework: "attention",
	paused_for_human: "attention",
	completed: "good",
	failed: "bad",
	blocked: "bad",
	cancelled: "bad",
};

function taskRow(id: string, task: TaskReport): string[] {
	const flags = task.flags.length === 0 ? "" : task.flags.join(", ");
	return [
		id,
		oneLine(task.feature_id ?? ""),
		task.status,
		task.status === "running" ? task.phase : "",
		String(task.turns),
		String(task.open_findings),
		task.verification_result?.required === true ? task.verification_result.verdict : "",
		task.gate === null ? "-" : `${task.gate.risk_tier} ${task.gate.verdict}`,
		task.merged ? "merged" : "-",
		task.branch,
		renderCost(task.usage),
		flags,
	];
}

const COLUMNS = [
	"task",
	"feature",
	"status",
	"phase",
	"turns",
	"open findings",
	"verification",
	"gate",
	"merge",
	"branch",
	"cost",
	"flags",
];

/** Leaves out the columns in which no task has anything to say. */
function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
	const kept = COLUMNS.map((_name, column) =>
		rows.slice(1).some((row) => (row[column] ?? "") !== ""),
	);
	return rows.map((row) => row.filter((_cell, column) => kept[column] === true));
}

/** A run and its tasks: a heading, one line for each task, the reasons of those that failed, and what it cost. */
export function renderReport(report: RunReport, paint: Paint): string {
	const tasks = Object.entries(report.tasks);
	const rows = withoutEmptyColumns([COLUMNS, ...tasks.map(([id, task]) => taskRow(id, task))]);
	const [heading = "", ...lines] = table(rows).split("\n");
	const reasons = tasks.flatMap(([id, task]) =>
		task.failure_reason === null ? [] : [`${id}: ${oneLine(task.failure_reason, 400)}`],
	);
	const asides = tasks.flatMap(([id, task]) => [
		...task.concerns.map((concern) => `${id}: the player is unsure: ${oneLine(concern, 400)}`),
		...(task.checkout === null || task.status === "running"
			? []
			: [`${id}: its checkout is kept: ${oneLine(task.checkout, 2_000)}`]),
	]);
	const unchecked = tasks.flatMap(([id, task]) => (task.flags.includes("unchecked") ? [id] : []));
	const unverified = tasks.flatMap(([id, task]) => (task.flags.includes("unverified") ? [id] : []));
	const idle =
		report.status === "running" && report.holder === null ? " (no process works on it)" : "";
	const painted = lines.map((line, index) => {
		const status = tasks[index]?.[1].status;
		return status === undefined ? line : paint(TONES[status], line);
	});
	const used = renderUsage(report.usage);
	const budgets = [
		...(report.budget === null ? [] : [`budget: ${renderBudget(report.budget)}`]),
		...tasks.flatMap(([id, { budget }]) =>
			budget === null ? [] : [`budget of ${id}: ${renderBudget(budget)}`],
		),
	];
	return [
		`${paint("strong", `run ${report.run_id}`)} of ${oneLine(report.workflow)} on ${report.base}: ${report.status}${idle}`,
		...(tasks.length === 0 ? [] : [paint("quiet", heading), ...painted]),
		...(report.files_removed
			? [paint("quiet", "its transcripts, outputs and traces were removed; spar trace still tells")]
			: []),
		...reasons,
		...tasks.flatMap(([id, { confidence_warnings: warnings }]) =>
			warnings.map((text) => paint("attention", `${id}: ${oneLine(text, 400)}`)),
		),
		...tasks.flatMap(([id, { checklist }]) =>
			checklistLines(checklist, paint).map((line, index) =>
				index === 0 ? `${id}: ${line}` : line,
			),
		),
		...asides,
		...unchecked.map((id) => `${id}: nothing was tested: the workflow has no acceptance check`),
		...unverified.map(
			(id) =>
				`${id}: it needs independent tests, and there is no verifier: spar trace ${id} says why`,
		),
		...(used === "" ? [] : [`used: ${used}`]),
		...budgets,
		...(report.setup_cache.results === 0
			? []
			: [paint("quiet", `setup cache: ${formatBytes(report.setup_cache.bytes)}`)]),
		...(report.landing_refused === null
			? []
			: [`not landed: ${oneLine(report.landing_refused, 2_000)}`]),
	].join("\n");
}

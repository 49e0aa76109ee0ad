import { formatBytes } from "../../kernel/bytes.ts";
import { counted } from "../../kernel/counted.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { evidenceWords } from "../../kernel/evidence-value.ts";
import { formatUsd } from "../../kernel/money.ts";
import { ALREADY_DONE } from "../../kernel/task-state.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type {
	BudgetReport,
	MutationReport,
	RunReport,
	TaskReport,
	UsageReport,
} from "../../view/report.ts";
import {
	costText,
	preflightProblem,
	renderMutants,
	suiteWorkText,
} from "../../words/evidence-text.ts";
import {
	factsOfReport,
	gateWords,
	heldBackText,
	noWorkerText,
	runWords,
	taskStanding,
} from "../../words/standing.ts";
import { flagWords, PHASE_WORDS, toneOf } from "../../words/states.ts";
import { nextLine, nextSteps } from "./next-steps.ts";
import { type Look, lookOf, type Paint } from "./paint.ts";
import { checklistLines } from "./render-gate-report.ts";
import type { Outlet, Shell } from "./shell.ts";
import { fewerColumns, tableRows, UNLIMITED } from "./table.ts";

export const renderCost = (usage: UsageReport): string =>
	usage.calls === 0 ? "" : costText(usage).replace(/^cost /, "");

export function renderUsage(usage: UsageReport): string {
	if (usage.calls === 0) return "";
	const { input_tokens: input, output_tokens: output } = usage;
	const tokens =
		input === null && output === null ? "" : `; ${input ?? "?"} tokens in, ${output ?? "?"} out`;
	return `${counted(usage.calls, "call")}, ${formatDuration(usage.ms)}; ${costText(usage)}${tokens}`;
}

function renderVerifierUsage(verification: TaskReport["verification_result"]): string {
	const { calls = 0, cost_usd: cost = null } = verification?.usage ?? {};
	if (calls === 0) return "";
	const known = costText({ cost_usd: cost, unknown_cost_calls: 0 });
	return `verification: ${counted(calls, "call")}, ${known}`;
}

export function renderBudget({ usd, wall }: BudgetReport): string {
	return [
		...(usd === null
			? []
			: [
					`${usd.spent === null ? "no known cost" : formatUsd(usd.spent)} of ${formatUsd(usd.limit)}`,
				]),
		...(wall === null
			? []
			: [`${formatDuration(wall.spent_ms)} of ${formatDuration(wall.limit_ms)}`]),
	].join(", ");
}

const COLUMNS: Readonly<Record<string, (task: TaskReport, id: string) => string>> = {
	task: (_task, id) => id,
	feature: (task) => oneLine(task.feature_id ?? ""),
	status: (task) => taskStanding(task).word,
	phase: (task) => (task.status === "running" ? PHASE_WORDS[task.phase] : ""),
	turns: (task) => String(task.turns),
	"open findings": (task) => String(task.open_findings),
	verification: ({ verification_result: result }) =>
		result?.required === true ? result.verdict : "",
	gate: (task) => gateWords(task) || "-",
	merge: (task) => (task.merged ? "merged" : "-"),
	branch: (task) => task.branch,
	cost: (task) => renderCost(task.usage),
	flags: (task) => task.flags.map(flagWords).join(", "),
};

// A branch is named after run and task, and `spar findings` and `spar gate` tell more than a number.
const FIRST_TO_GO: readonly string[] =
	"branch,feature,open findings,gate,merge,cost,verification,flags,phase".split(",");

// Columns in which no task has anything to say are left out.
function taskTable(
	tasks: readonly (readonly [id: string, task: TaskReport])[],
	paint: Paint,
	columns: number,
): string[] {
	if (tasks.length === 0) return [];
	const told = Object.entries(COLUMNS)
		.map(([name, cell]) => [name, ...tasks.map(([id, task]) => cell(task, id))])
		.filter(([, ...cells]) => cells.some((cell) => cell !== ""));
	const rows = ["", ...tasks].map((_row, index) => told.map((column) => column[index] ?? ""));
	const [heading = "", ...lines] = tableRows(fewerColumns(rows, FIRST_TO_GO, columns), columns);
	const painted = tasks.map(([, { status }], index) => paint(toneOf(status), lines[index] ?? ""));
	return [...(heading === "" ? [] : [paint("quiet", heading)]), ...painted];
}

const MOST_CAUSES = 3;

function standingOf(task: TaskReport): string {
	const { status, merged } = task;
	if (status === "completed") return merged ? "merged" : "completed";
	if (status === "needs_rework" || status === "running") return "in work";
	return status === "pending" ? "to do" : taskStanding(task).word;
}

const ORDER = [
	"merged",
	"completed",
	"failed",
	"blocked",
	"cancelled",
	"waiting for you",
	"answered",
];

// `it` is the one failed task that was just counted.
function blockedBy(tasks: RunReport["tasks"]): string {
	const all = Object.values(tasks);
	const causes = [...new Set(all.flatMap(({ blocked_by: by }) => by?.task ?? []))];
	const failed = all.filter(({ status }) => status === "failed");
	const [only] = causes;
	if (only === undefined || causes.length > MOST_CAUSES) return "";
	const isSaid = causes.length === 1 && failed.length === 1 && tasks[only]?.status === "failed";
	return ` by ${isSaid ? "it" : causes.join(", ")}`;
}

// `3 merged, 1 failed, 2 blocked by it`; nothing for a run of one task.
export function renderTally(tasks: RunReport["tasks"]): string {
	const counts = new Map(ORDER.map((standing) => [standing, 0]));
	for (const task of Object.values(tasks)) {
		const standing = standingOf(task);
		counts.set(standing, (counts.get(standing) ?? 0) + 1);
	}
	const parts = [...counts].flatMap(([standing, count]) => {
		if (count === 0) return [];
		return [`${count} ${standing}${standing === "blocked" ? blockedBy(tasks) : ""}`];
	});
	return Object.keys(tasks).length < 2 ? "" : parts.join(", ");
}

function fateOf({ status, failure_reason: reason }: TaskReport): string {
	if (status === "completed") return "which completed but was not merged";
	if (status === "cancelled") return "which was cancelled";
	return reason === null ? "which failed" : `which failed (${oneLine(reason, 300)})`;
}

function renderBlocked({ blocked_by: by }: TaskReport, tasks: RunReport["tasks"]): string | null {
	const cause = by === null ? undefined : tasks[by.task];
	if (by === null || cause === undefined) return null;
	const fate = `${by.task}, ${fateOf(cause)}`;
	return by.through === null
		? `blocked: depends on ${fate}`
		: `blocked: depends on ${by.through}, which is blocked by ${fate}`;
}

export function renderReport(report: RunReport, paint: Paint, columns: number = UNLIMITED): string {
	const tasks = Object.entries(report.tasks);
	return [
		headingLine(report, paint),
		...taskTable(tasks, paint, columns),
		...preflightLines(report, paint),
		...(report.files_removed
			? [paint("quiet", "its transcripts, outputs and traces were removed; spar trace still tells")]
			: []),
		...tasks.flatMap(([id, task]) =>
			taskNotes(id, task, report.tasks, paint).map((note) => `${id}: ${note}`),
		),
		...stoppedLines(report, paint),
		...report.unclaimed.flatMap((waiting) => unclaimedLine(waiting, paint)),
		...[heldBackText(report.held_back)].filter((text) => text !== ""),
		...tallyLines(report),
		...usageLines(report, paint),
		...landingLines(report),
	].join("\n");
}

function landingLines({ landing_refused: refused, landing_awaited, holder }: RunReport): string[] {
	return [
		...(refused === null ? [] : [`not landed: ${oneLine(refused, 2_000)}`]),
		...(landing_awaited && holder === null ? ["not landed: waits for a worker"] : []),
	];
}

export function headingLine(report: RunReport, paint: Paint): string {
	const { run_id, workflow, base } = report;
	return `${paint("strong", `run ${run_id}`)} of ${oneLine(workflow)} on ${base}: ${runWords(factsOfReport(report))}`;
}

function preflightLines({ preflight_stopped: stopped }: RunReport, paint: Paint): string[] {
	const { task = null, problems = [] } = stopped ?? {};
	const where = task === null ? "" : `${task}: `;
	return problems.map(
		(problem) => `${where}${paint("attention", `in the way: ${preflightProblem(problem, 1_000)}`)}`,
	);
}

function stoppedLines({ run_id: runId, stopped }: RunReport, paint: Paint): string[] {
	const lines = stopped.map(({ task, message, hint }) => {
		const way = hint === null ? "" : ` ${oneLine(hint, 600)}`;
		return `${task}: ${paint("bad", `stopped: ${oneLine(message, 600)}.`)}${way}`;
	});
	return lines.length === 0 ? [] : [...lines, `Once the cause is gone: spar resume ${runId}`];
}

function unclaimedLine(
	{ task, tags, has_worker: hasWorker, unfit }: RunReport["unclaimed"][number],
	paint: Paint,
): string[] {
	if (hasWorker) return [];
	return [`${task}: ${paint("attention", `it waits: ${noWorkerText(tags, unfit)}`)}`];
}

function tallyLines({ tasks }: RunReport): string[] {
	const tally = renderTally(tasks);
	return tally === "" ? [] : [`tasks: ${tally}`];
}

function taskNotes(id: string, task: TaskReport, all: RunReport["tasks"], paint: Paint): string[] {
	const { failure_reason: failure, human_headline: asked, checklist } = task;
	const reason = renderBlocked(task, all) ?? failure ?? asked;
	const items = checklistLines(checklist, paint).join("\n");
	const verification = renderVerifierUsage(task.verification_result);
	return [
		...(reason === null ? [] : [oneLine(reason, 600)]),
		...task.confidence_warnings.map((text) => paint("attention", oneLine(text, 400))),
		...(items === "" ? [] : [items]),
		...task.false_claims.map((text) => paint("attention", `false claim: ${oneLine(text, 400)}`)),
		...task.concerns.map((concern) => `the player is unsure: ${oneLine(concern, 400)}`),
		...(verification === "" ? [] : [paint("quiet", verification)]),
		...untoldNotes(id, task, false),
	];
}

// What no line of the run's story says; a question that waits says what is in the way.
function untoldNotes(id: string, task: TaskReport, isAsked: boolean): string[] {
	const { checkout } = task;
	return [
		...(isAsked ? [] : obstacleNotes(id, task)),
		...task.not_counted.map((text) => `check ${oneLine(text, 600)}`),
		...(task.mutation === null ? [] : [mutationNote(id, task.mutation)]),
		...(checkout === null || task.status === "running"
			? []
			: [`its checkout is kept: ${oneLine(checkout, 2_000)}`]),
		...(task.flags.includes(ALREADY_DONE) ? ["nothing to merge: the work was there already"] : []),
		...(task.flags.includes("unchecked")
			? ["nothing was tested: the workflow has no acceptance check"]
			: []),
		...(task.flags.includes("unverified")
			? [`it needs independent tests, and there is no verifier: spar trace ${id} says why`]
			: []),
	];
}

const MOST_OBSTACLES = 5;

function obstacleNotes(id: string, { obstacles }: TaskReport): string[] {
	const more = obstacles.length - MOST_OBSTACLES;
	return [
		...obstacles.slice(0, MOST_OBSTACLES).map((text) => `in the way: ${oneLine(text, 400)}`),
		...(more > 0 ? [`in the way: ${more} more, which spar trace ${id} names`] : []),
	];
}

function mutationNote(id: string, { check, status, reason, ...mutants }: MutationReport): string {
	if (reason !== null) return `${check} ${evidenceWords(status)}: ${oneLine(reason, 400)}`;
	const more = mutants.undetected === 0 ? "" : `: spar trace ${id} names them`;
	return `${renderMutants(mutants)}${more}`;
}

function usedLines({ usage }: RunReport): string[] {
	const used = renderUsage(usage);
	return used === "" ? [] : [`used: ${used}`];
}

function budgetLines({ budget, tasks }: RunReport): string[] {
	return [
		...(budget === null ? [] : [`budget: ${renderBudget(budget)}`]),
		...Object.entries(tasks).flatMap(([id, { budget: own }]) =>
			own === null ? [] : [`budget of ${id}: ${renderBudget(own)}`],
		),
	];
}

function usageLines(report: RunReport, paint: Paint): string[] {
	const { setup_cache: kept } = report;
	const ran = suiteWorkText(report.suite_work);
	return [
		...usedLines(report),
		...(ran === "" ? [] : [`ran: ${ran}`]),
		...budgetLines(report),
		...(kept.results === 0 ? [] : [paint("quiet", `setup cache: ${formatBytes(kept.bytes)}`)]),
	];
}

/** A run as it stands, with the next steps. */
export function reportText(report: RunReport, { paint, columns }: Look): string {
	const steps = nextSteps(report, columns);
	return `${renderReport(report, paint, columns)}${steps === "" ? "" : `\nnext:\n${steps}`}`;
}

export const showReport = (shell: Shell, outlet: Outlet, report: RunReport): void =>
	outlet.print(`${reportText(report, lookOf(outlet, shell.env))}\n`);

// What the story of the run has not told, and the next step. One task needs no table.
function renderEnd(report: RunReport, { paint, columns }: Look): string[] {
	const tasks = Object.entries(report.tasks);
	const isSeveral = tasks.length > 1;
	const notes = tasks.flatMap(([id, task]) =>
		untoldNotes(id, task, task.human_item !== null).map((note) =>
			isSeveral ? `${id}: ${note}` : note,
		),
	);
	return [
		...(isSeveral ? taskTable(tasks, paint, columns) : []),
		...preflightLines(report, paint),
		...notes,
		...report.unclaimed.flatMap((waiting) => unclaimedLine(waiting, paint)),
		...budgetLines(report),
		...(isSeveral ? usedLines(report) : []),
		...landingLines(report),
	];
}

export function showEnd(
	shell: Shell,
	outlet: Outlet,
	{
		report,
		isVerbose = false,
		goesOn = false,
		named,
	}: {
		readonly report: RunReport;
		readonly isVerbose?: boolean | undefined;
		/** True where the command takes the next step itself. */
		readonly goesOn?: boolean;
		readonly named?: string | undefined;
	},
): void {
	if (isVerbose) {
		showReport(shell, outlet, report);
		return;
	}
	const lines = renderEnd(report, lookOf(outlet, shell.env));
	const next = goesOn ? [] : nextLine(report, named);
	outlet.print([...lines, ...next].map((line) => `${line}\n`).join(""));
}

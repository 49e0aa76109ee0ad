import type { MutationReport, RunReport, TaskReport } from "../app/sparring.ts";
import { formatBytes } from "../kernel/bytes.ts";
import { evidenceWords } from "../kernel/evidence-value.ts";
import { ALREADY_DONE } from "../kernel/task-state.ts";
import { preflightProblem, renderMutants } from "../words/evidence-text.ts";
import { factsOfReport, runWords } from "../words/standing.ts";
import { oneLine } from "../words/visible-text.ts";
import type { Paint } from "./paint.ts";
import { checklistLines } from "./render-gate-report.ts";
import { renderBlocked, renderTally } from "./render-tally.ts";
import { taskTable } from "./render-task-table.ts";
import { renderBudget, renderUsage, renderVerifierUsage } from "./render-usage.ts";
import { UNLIMITED } from "./table.ts";

/** A run and its tasks: a heading, one line for each task, what is to be said of each, and what it cost. */
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
		...tallyLines(report),
		...usageLines(report, paint),
		...(report.landing_refused === null
			? []
			: [`not landed: ${oneLine(report.landing_refused, 2_000)}`]),
		...(report.landing_awaited && report.holder === null ? ["not landed: waits for a worker"] : []),
	].join("\n");
}

/** Which run it is, and where it stands. */
export function headingLine(report: RunReport, paint: Paint): string {
	const { run_id, workflow, base } = report;
	return `${paint("strong", `run ${run_id}`)} of ${oneLine(workflow)} on ${base}: ${runWords(factsOfReport(report))}`;
}

/** What was in the way of a run that never called an agent. */
function preflightLines({ preflight_stopped: stopped }: RunReport, paint: Paint): string[] {
	const { task = null, problems = [] } = stopped ?? {};
	const where = task === null ? "" : `${task}: `;
	return problems.map(
		(problem) => `${where}${paint("attention", `in the way: ${preflightProblem(problem, 1_000)}`)}`,
	);
}

/** What an error stopped, and the way on. */
function stoppedLines({ run_id: runId, stopped }: RunReport, paint: Paint): string[] {
	const lines = stopped.map(({ task, message, hint }) => {
		const way = hint === null ? "" : ` ${oneLine(hint, 600)}`;
		return `${task}: ${paint("bad", `stopped: ${oneLine(message, 600)}.`)}${way}`;
	});
	return lines.length === 0 ? [] : [...lines, `Once the cause is gone: spar resume ${runId}`];
}

/** What waits for a machine although none that works could take it; the rest is a matter of time. */
function unclaimedLine(
	{ task, tags, has_worker: hasWorker }: RunReport["unclaimed"][number],
	paint: Paint,
): string[] {
	if (hasWorker) return [];
	const named = tags.join(",");
	const who = named === "" ? "no worker runs" : `no worker with the tags ${named} runs`;
	const start = named === "" ? "spar worker" : `spar worker --tags ${named}`;
	return [`${task}: ${paint("attention", `it waits: ${who}. Start one: ${start}`)}`];
}

function tallyLines({ tasks }: RunReport): string[] {
	const tally = renderTally(tasks);
	return tally === "" ? [] : [`tasks: ${tally}`];
}

/** Why a task failed, what its score and its checklist say, what its player was unsure of, and where its work is. */
function taskNotes(id: string, task: TaskReport, all: RunReport["tasks"], paint: Paint): string[] {
	const { failure_reason: failure, checkout, checklist } = task;
	const reason = renderBlocked(task, all) ?? failure;
	const items = checklistLines(checklist, paint).join("\n");
	const verification = renderVerifierUsage(task.verification_result);
	return [
		...(reason === null ? [] : [oneLine(reason, 600)]),
		...obstacleNotes(id, task),
		...task.confidence_warnings.map((text) => paint("attention", oneLine(text, 400))),
		...(items === "" ? [] : [items]),
		...task.false_claims.map((text) => paint("attention", `false claim: ${oneLine(text, 400)}`)),
		...task.not_counted.map((text) => `check ${oneLine(text, 600)}`),
		...(task.mutation === null ? [] : [mutationNote(id, task.mutation)]),
		...task.concerns.map((concern) => `the player is unsure: ${oneLine(concern, 400)}`),
		...(verification === "" ? [] : [paint("quiet", verification)]),
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

/** More obstacles of a turn are counted. */
const MOST_OBSTACLES = 5;

/** What stood in the way of its last turn. */
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

function usageLines(
	{ usage, budget, tasks, setup_cache: kept }: RunReport,
	paint: Paint,
): string[] {
	const used = renderUsage(usage);
	return [
		...(used === "" ? [] : [`used: ${used}`]),
		...(budget === null ? [] : [`budget: ${renderBudget(budget)}`]),
		...Object.entries(tasks).flatMap(([id, { budget: own }]) =>
			own === null ? [] : [`budget of ${id}: ${renderBudget(own)}`],
		),
		...(kept.results === 0 ? [] : [paint("quiet", `setup cache: ${formatBytes(kept.bytes)}`)]),
	];
}

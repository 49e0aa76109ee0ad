import { counted } from "../../kernel/counted.ts";
import type { RunReport, TaskReport } from "../../view/report.ts";
import { factsOfReport, isAnswered } from "../../words/standing.ts";
import { descriptions, UNLIMITED } from "./table.ts";

type NextStep = readonly [command: string, effect: string];

function stepsOfTask(run: string, id: string, task: TaskReport): NextStep[] {
	const at = `${id} --run ${run}`;
	if (task.human_item_answered) return [];
	if (task.human_item !== null) {
		return [[`spar questions ${task.human_item}`, `what ${id} asks, how to answer`]];
	}
	const trace: NextStep = [`spar trace ${at}`, `what happened in ${id}, and why`];
	if (task.turns === 0) return [];
	return task.commit === null ? [trace] : [[`spar diff ${at}`, `what ${id} changed`], trace];
}

// A run of more tasks names only those that need somebody.
const MOST_TASKS = 4;

function stepsOfTasks({ run_id: run, tasks }: RunReport): NextStep[] {
	const all = Object.entries(tasks);
	const stepsOf = ([id, task]: readonly [string, TaskReport]) => stepsOfTask(run, id, task);
	if (all.length <= MOST_TASKS) return all.flatMap(stepsOf);
	const waiting = all.filter(([, task]) => task.human_item !== null && !task.human_item_answered);
	const failed = all.filter(([, { status, turns }]) => status === "failed" && turns > 0);
	return [
		...[...waiting, ...failed].slice(0, MOST_TASKS).flatMap(stepsOf),
		[`spar diff TASK --run ${run}`, "what any of the tasks changed"],
		[`spar trace TASK --run ${run}`, "what happened in it, and why"],
	];
}

const mergedWords = (merged: readonly string[]): string =>
	merged.length > MOST_TASKS ? counted(merged.length, "task") : merged.join(", ");

// Also where other tasks failed: those stay out of it.
function stepsOfLanding({ run_id, branch, base, holder, landed, tasks }: RunReport): NextStep[] {
	const all = Object.entries(tasks);
	const merged = all.flatMap(([id, task]) => (task.merged ? [id] : []));
	if (merged.length === 0 || landed) return [];
	// It refuses a run that another process works on, such as one that lands it.
	if (holder !== null) return [[`spar watch ${run_id}`, `how ${holder} goes on with it`]];
	const isAll = merged.length === all.length;
	const what = isAll ? branch : `what merged (${mergedWords(merged)}) without the rest`;
	return [
		[`spar land ${run_id}`, `bring ${what} into ${base}`],
		[`spar land ${run_id} --pr`, "push it and open a pull request instead"],
	];
}

const stepsOfStopped = (run: string): NextStep[] => [
	[`spar resume ${run}`, "once the cause is gone"],
	["spar run", "after a commit, or a change of the workflow file"],
	[`spar resume ${run} --anyway`, "go on as it is"],
];

// A budget holds for the whole of a run: more turns cannot be paid from one that is spent.
function stepsOfFailed({ run_id: run, tasks }: RunReport): NextStep[] {
	const failed = Object.values(tasks).filter(({ status }) => status === "failed");
	if (failed.length === 0) return [];
	return failed.every(({ flags }) => flags.includes("budget"))
		? [["spar run", "begin again, after a larger `budget` in the workflow file"]]
		: [[`spar resume ${run} --max-turns N`, "reopen failed tasks, with at most N turns in all"]];
}

function stepsOfPaused(report: RunReport): NextStep[] {
	const effect = isAnswered(factsOfReport(report))
		? "go on with the answer"
		: "continue after the answer";
	const unless = report.shared === true ? " here, if no worker runs" : "";
	return [[`spar resume ${report.run_id}`, `${effect}${unless}`]];
}

function stepsOfRun(report: RunReport): NextStep[] {
	switch (report.status) {
		case "completed":
		case "cancelled":
			return stepsOfLanding(report);
		case "failed":
			return [...stepsOfFailed(report), ...stepsOfLanding(report)];
		case "paused_for_user_escalation":
			return stepsOfPaused(report);
		case "running":
			if (report.preflight_stopped !== null) return stepsOfStopped(report.run_id);
			return report.holder === null
				? [[`spar resume ${report.run_id}`, "continue where it stopped"]]
				: [[`spar cancel ${report.run_id}`, `stop it; ${report.holder} works on it`]];
	}
}

export function nextSteps(report: RunReport, columns: number = UNLIMITED): string {
	if (report.pruned) return "";
	const steps = [...stepsOfTasks(report), ...stepsOfRun(report)];
	return steps.length === 0
		? ""
		: descriptions(
				steps.map(([command, effect]) => [`  ${command}`, effect] as const),
				columns,
			);
}

/**
 * The same in one line, the step that goes on first. Commands that mean this run by themselves, the newest, go without
 * its id; a run that was `named` may be an older one, and without an id `spar resume` takes the only one that can be
 * resumed.
 *
 * @example `"next: spar land    (spar diff, spar trace)"`
 */
export function nextLine(report: RunReport, named?: string): string[] {
	if (report.pruned) return [];
	const { run_id: run, tasks } = report;
	const isSingle = Object.keys(tasks).length === 1;
	const short = ([command]: NextStep): string => {
		const words = isSingle ? command.replace(/^(spar (?:diff|trace)) \S+/, "$1") : command;
		if (words.startsWith("spar resume ")) return words;
		return named === undefined ? words.replace(` --run ${run}`, "").replace(` ${run}`, "") : words;
	};
	const ofTasks = stepsOfTasks(report).map(short);
	const questions = ofTasks.filter((command) => command.startsWith("spar questions"));
	const steps = new Set([...questions, ...stepsOfRun(report).map(short), ...ofTasks]);
	const [first, ...others] = [...steps].filter((command) => !command.endsWith(" --pr"));
	if (first === undefined) return [];
	return [`next: ${first}${others.length === 0 ? "" : `    (${others.join(", ")})`}`];
}

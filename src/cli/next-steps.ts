import type { RunReport, TaskReport } from "../app/sparring.ts";
import { table } from "./table.ts";

type Step = readonly [command: string, effect: string];

function stepsOfTask(run: string, id: string, task: TaskReport): Step[] {
	const at = `${id} --run ${run}`;
	if (task.human_item !== null) {
		return [[`spar hil show ${task.human_item}`, `what ${id} asks, and how to answer`]];
	}
	const trace: Step = [`spar trace ${at}`, `what happened in ${id}, and why`];
	if (task.turns === 0) return [];
	return task.commit === null ? [trace] : [[`spar diff ${at}`, `what ${id} changed`], trace];
}

function stepsOfRun(report: RunReport): Step[] {
	const tasks = Object.values(report.tasks);
	switch (report.status) {
		case "completed":
			return tasks.some(({ merged }) => merged) && !report.landed
				? [[`spar land ${report.run_id}`, `bring ${report.branch} into ${report.base}`]]
				: [];
		case "failed":
			return tasks.some(({ status }) => status === "failed")
				? [
						[
							`spar resume ${report.run_id} --max-turns N`,
							"reopen failed tasks, with at most N turns in all",
						],
					]
				: [];
		case "paused_for_user_escalation":
			return [[`spar resume ${report.run_id}`, "continue after the answer"]];
		case "running":
			return report.holder === null
				? [[`spar resume ${report.run_id}`, "continue where it stopped"]]
				: [[`spar cancel ${report.run_id}`, `stop it; ${report.holder} works on it`]];
		case "cancelled":
			return [];
	}
}

/** What a person can do next about a run, one command a line; `""` when nothing is left to do. */
export function nextSteps(report: RunReport): string {
	if (report.pruned) return "";
	const steps = [
		...Object.entries(report.tasks).flatMap(([id, task]) => stepsOfTask(report.run_id, id, task)),
		...stepsOfRun(report),
	];
	return steps.length === 0
		? ""
		: table(steps.map(([command, effect]) => [`  ${command}`, effect]));
}

import { renderFindings } from "../terminal/render-findings.ts";
import { taskCommand } from "../terminal/task-command.ts";

export const command = taskCommand(
	[
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	{
		read: (sparring, task, run) => sparring.findings(task, run),
		show: (all, { paint }) =>
			all.length === 0 ? { note: "no findings" } : { text: renderFindings(all, paint) },
	},
);

import { renderTrace } from "../terminal/render-trace.ts";
import { taskCommand } from "../terminal/task-command.ts";

export const command = taskCommand(
	[
		"spar trace limiter",
		"spar trace limiter --run 20261121-230218-3a67",
		"spar trace limiter --json",
	],
	{
		read: (sparring, task, run) => sparring.trace(task, run),
		show: (file, { paint }) => ({ text: renderTrace(file, paint) }),
	},
);

import { renderFinding } from "../render-finding.ts";
import { taskCommand } from "../task-command.ts";

export const command = taskCommand(
	[
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	{
		read: (sparring, task, run) => sparring.findings(task, run),
		show: (all, shell, paint) => {
			if (all.length === 0) shell.err.print("no findings\n");
			else shell.out.print(`${all.map((finding) => renderFinding(finding, paint)).join("\n")}\n`);
		},
	},
);

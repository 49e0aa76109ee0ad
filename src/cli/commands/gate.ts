import { renderGateReport } from "../terminal/render-gate-report.ts";
import { lineWidth } from "../terminal/shell.ts";
import { taskCommand } from "../terminal/task-command.ts";

export const command = taskCommand(
	["spar gate limiter", "spar gate limiter --run 20261121-230218-3a67", "spar gate limiter --json"],
	{
		json: "print JSON: exactly the gate's report",
		read: (sparring, task, run) => sparring.gate(task, run),
		show: (report, shell, paint) => {
			if (report === null) {
				shell.err.print("the gate has not evaluated this task yet\n");
				return;
			}
			const { run_id, task_id, evaluated_at, tree } = report;
			const text = renderGateReport(report, paint, lineWidth(shell.out));
			shell.out.print(
				`task ${task_id} of run ${run_id}, tree ${tree.slice(0, 10)}, evaluated ${evaluated_at}\n${text}\n`,
			);
		},
	},
);

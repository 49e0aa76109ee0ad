import { renderGateReport } from "../terminal/render-gate-report.ts";
import { taskCommand } from "../terminal/task-command.ts";

export const command = taskCommand(
	["spar gate limiter", "spar gate limiter --run 20261121-230218-3a67", "spar gate limiter --json"],
	{
		json: "print JSON: exactly the gate's report",
		read: (sparring, task, run) => sparring.gate(task, run),
		show: (report, { paint, columns }) => {
			if (report === null) return { note: "the gate has not evaluated this task yet" };
			const { run_id, task_id, evaluated_at, tree } = report;
			const head = `task ${task_id} of run ${run_id}, tree ${tree.slice(0, 10)}, evaluated ${evaluated_at}`;
			return { text: `${head}\n${renderGateReport(report, paint, columns)}` };
		},
	},
);

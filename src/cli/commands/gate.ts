import { renderGateReport } from "../terminal/render-gate-report.ts";
import { verbCommand } from "../terminal/verb-command.ts";

export const command = verbCommand("gate", {
	options: { "--json": "print JSON: exactly the gate's report" },
	show: (report, { paint, columns }) => {
		if (report === null) return { note: "the gate has not evaluated this task yet" };
		const { run_id, task_id, evaluated_at, tree } = report;
		const head = `task ${task_id} of run ${run_id}, tree ${tree.slice(0, 10)}, evaluated ${evaluated_at}`;
		return { text: `${head}\n${renderGateReport(report, paint, columns)}` };
	},
});

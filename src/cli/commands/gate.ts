import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { onlyTask } from "../only-task.ts";
import { paintFor } from "../paint.ts";
import { renderGateReport } from "../render-gate-report.ts";
import { lineWidth, printJson, type Shell, withSparring } from "../shell.ts";

interface GateFlags {
	readonly run?: string;
	readonly json?: boolean;
}

/** `spar gate`: what the gate last said about a task; with `--json` exactly its report, or null. */
async function gate(shell: Shell, named: string | undefined, flags: GateFlags): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const task = await onlyTask(sparring, named, flags.run);
		const report = await sparring.gate(task, flags.run);
		if (flags.json === true) {
			printJson(shell, report);
		} else if (report === null) {
			shell.err.print("the gate has not evaluated this task yet\n");
		} else {
			const { run_id, task_id, evaluated_at, tree } = report;
			// Read loosely, as in a question for a person, where it is part of a larger JSON.
			const text = renderGateReport(
				{ ...report },
				paintFor(shell.out, shell.env),
				lineWidth(shell.out),
			);
			shell.out.print(
				`task ${task_id} of run ${run_id}, tree ${tree.slice(0, 10)}, evaluated ${evaluated_at}\n${text}\n`,
			);
		}
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: [
		"spar gate limiter",
		"spar gate limiter --run 20261121-230218-3a67",
		"spar gate limiter --json",
	],
	define: (command, shell, finish) => {
		command
			.argument("[task]", "id of the task (default: the only one)")
			.option("--run <run>", "id of the run (default: the newest)")
			.option("--json", "print JSON: exactly the gate's report")
			.action(async (task: string | undefined, flags: GateFlags) => {
				finish(await gate(shell, task, flags));
			});
	},
};

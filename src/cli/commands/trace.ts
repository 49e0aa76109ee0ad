import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { onlyTask } from "../only-task.ts";
import { paintFor } from "../paint.ts";
import { renderTrace } from "../render-trace.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";

interface TraceFlags {
	readonly run?: string;
	readonly json?: boolean;
}

/** `spar trace`: what happened in a task, and why. */
async function trace(shell: Shell, named: string | undefined, flags: TraceFlags): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const task = await onlyTask(sparring, named, flags.run);
		const file = await sparring.trace(task, flags.run);
		if (flags.json === true) printJson(shell, file);
		else shell.out.print(`${renderTrace(file, paintFor(shell.out, shell.env))}\n`);
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: [
		"spar trace limiter",
		"spar trace limiter --run 20261121-230218-3a67",
		"spar trace limiter --json",
	],
	define: (command, shell, finish) => {
		command
			.argument("[task]", "id of the task (default: the only one)")
			.option("--run <run>", "id of the run (default: the newest)")
			.option("--json", "print JSON")
			.action(async (task: string | undefined, flags: TraceFlags) => {
				finish(await trace(shell, task, flags));
			});
	},
};

import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { onlyTask } from "../only-task.ts";
import { paintFor } from "../paint.ts";
import { renderDiff } from "../render-diff.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { wholeNumber } from "../whole-number.ts";

interface DiffFlags {
	readonly turn?: number;
	readonly run?: string;
	readonly json?: boolean;
}

/**
 * `spar diff`: what a task changed, or one turn of it.
 *
 * Bytes go out as they are for a file or a pipe, so that `git apply` can read them; on a terminal they have colours
 * and a pager, and control characters in the changed files are spelled out.
 */
async function diff(shell: Shell, named: string | undefined, flags: DiffFlags): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const task = await onlyTask(sparring, named, flags.run);
		const forApply = flags.json !== true && !shell.out.isTTY;
		const text = await sparring.diff(task, { turn: flags.turn, runId: flags.run, forApply });
		if (flags.json === true)
			printJson(shell, { task_id: task, turn: flags.turn ?? null, diff: text });
		else if (text === "") shell.err.print("no difference\n");
		else if (shell.out.isTTY)
			await shell.showLong(renderDiff(text, paintFor(shell.out, shell.env)));
		else shell.out.write(text);
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: [
		"spar diff limiter",
		"spar diff limiter --turn 2",
		"spar diff limiter | git apply --stat",
	],
	define: (command, shell, finish) => {
		command
			.argument("[task]", "id of the task (default: the only one)")
			.option("--turn <n>", "only what this turn changed", wholeNumber)
			.option("--run <run>", "id of the run (default: the newest)")
			.option("--json", "print JSON")
			.action(async (task: string | undefined, flags: DiffFlags) => {
				finish(await diff(shell, task, flags));
			});
	},
};

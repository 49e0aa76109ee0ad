import { sparringCommand, TASK } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { wholeNumber } from "../terminal/option-values.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderDiff } from "../terminal/render-diff.ts";
import { onlyTask, RUN_OPTION } from "../terminal/task-command.ts";

// Bytes go out as they are for a file or a pipe, so that `git apply` can read them.
export const command = sparringCommand<{ readonly turn?: number; readonly run?: string }>(
	{
		examples: [
			"spar diff limiter",
			"spar diff limiter --turn 2",
			"spar diff limiter | git apply --stat",
		],
		access: "read",
		argument: TASK,
		options: {
			"--turn <n>": ["only what this turn changed", wholeNumber],
			"--run <run>": RUN_OPTION,
		},
	},
	async ({ shell, sparring, flags }, named) => {
		const task = await onlyTask(sparring, named, flags.run);
		const forApply = flags.json !== true && !shell.out.isTTY;
		const text = await sparring.diff(task, { turn: flags.turn, runId: flags.run, forApply });
		const json = { task_id: task, turn: flags.turn ?? null, diff: text };
		if (flags.json === true) return { json };
		if (text === "") return { json, note: "no difference" };
		if (shell.out.isTTY) await shell.showLong(renderDiff(text, paintFor(shell.out, shell.env)));
		else shell.out.write(text);
		return EXIT.done;
	},
);

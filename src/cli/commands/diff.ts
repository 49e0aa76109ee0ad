import { onlyTask } from "../../library/verbs/call.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { paintFor } from "../terminal/paint.ts";
import { renderDiff } from "../terminal/render-diff.ts";
import { verbCommand } from "../terminal/verb-command.ts";

// Bytes go out as they are for a file or a pipe, so that `git apply` can read them.
export const command = verbCommand("diff", {
	act: async ({ shell, flags, sparring, given: { task: named, turn, runId } }) => {
		const task = await onlyTask(sparring, named, runId);
		const forApply = flags.json !== true && !shell.out.isTTY;
		const text = await sparring.diff(task, { turn, runId, forApply });
		const json = { task_id: task, turn: turn ?? null, diff: text };
		if (flags.json === true) return { json };
		if (text === "") return { json, note: "no difference" };
		if (shell.out.isTTY) await shell.showLong(renderDiff(text, paintFor(shell.out, shell.env)));
		else shell.out.write(text);
		return EXIT.done;
	},
});

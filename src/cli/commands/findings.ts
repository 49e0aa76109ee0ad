import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { onlyTask } from "../only-task.ts";
import { paintFor } from "../paint.ts";
import { renderFinding } from "../render-finding.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";

interface FindingsFlags {
	readonly run?: string;
	readonly json?: boolean;
}

/** `spar findings`: every finding of a task with its life, settled ones too. */
async function findings(
	shell: Shell,
	named: string | undefined,
	flags: FindingsFlags,
): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const task = await onlyTask(sparring, named, flags.run);
		const all = await sparring.findings(task, flags.run);
		const paint = paintFor(shell.out, shell.env);
		if (flags.json === true) printJson(shell, all);
		else if (all.length === 0) shell.err.print("no findings\n");
		else shell.out.print(`${all.map((finding) => renderFinding(finding, paint)).join("\n")}\n`);
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: [
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	define: (command, shell, finish) => {
		command
			.argument("[task]", "id of the task (default: the only one)")
			.option("--run <run>", "id of the run (default: the newest)")
			.option("--json", "print JSON")
			.action(async (task: string | undefined, flags: FindingsFlags) => {
				finish(await findings(shell, task, flags));
			});
	},
};

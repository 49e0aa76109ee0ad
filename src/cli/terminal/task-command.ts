import type { Sparring } from "../../library/sparring.ts";
import { type CliCommand, type CommandForm, sparringCommand, TASK } from "./command.ts";
import { usageFault } from "./option-values.ts";
import { type Paint, paintFor } from "./paint.ts";
import { printJson, type Shell } from "./shell.ts";

export async function onlyTask(
	sparring: Pick<Sparring, "status">,
	named: string | undefined,
	runId: string | undefined,
): Promise<string> {
	if (named !== undefined) return named;
	const { run_id, tasks } = await sparring.status(runId);
	const [only = "", ...others] = Object.keys(tasks);
	if (others.length === 0) return only;
	throw usageFault(
		`run ${run_id} has ${others.length + 1} tasks, and none is named`,
		`Name one of them: ${Object.keys(tasks).join(", ")}`,
	);
}

export const RUN_OPTION = "id of the run (default: the newest)";

export function taskCommand<Value>(
	examples: CommandForm["examples"],
	{
		json = "print JSON",
		read,
		show,
	}: {
		/** Help of `--json`. */
		readonly json?: string;
		readonly read: (sparring: Sparring, task: string, run: string | undefined) => Promise<Value>;
		readonly show: (value: Value, shell: Shell, paint: Paint) => void;
	},
): CliCommand {
	const options = { "--run <run>": RUN_OPTION, "--json": json };
	return sparringCommand<{ readonly run?: string; readonly json?: boolean }>(
		{ examples, access: "read", argument: TASK, options },
		async ({ shell, sparring, flags }, named) => {
			const value = await read(sparring, await onlyTask(sparring, named, flags.run), flags.run);
			if (flags.json === true) printJson(shell, value);
			else show(value, shell, paintFor(shell.out, shell.env));
		},
	);
}

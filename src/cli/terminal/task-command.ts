import type { Sparring } from "../../library/sparring.ts";
import { type CliCommand, type CommandForm, sparringCommand, TASK, type Told } from "./command.ts";
import { usageFault } from "./option-values.ts";
import { type Paint, paintFor } from "./paint.ts";
import { lineWidth } from "./shell.ts";

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
		readonly show: (
			value: Value,
			outlet: { readonly paint: Paint; readonly columns: number },
		) => Omit<Told, "json">;
	},
): CliCommand {
	const options = { "--run <run>": RUN_OPTION, "--json": json };
	return sparringCommand<{ readonly run?: string }>(
		{ examples, access: "read", argument: TASK, options },
		async ({ shell, sparring, flags }, named) => {
			const value = await read(sparring, await onlyTask(sparring, named, flags.run), flags.run);
			const outlet = { paint: paintFor(shell.out, shell.env), columns: lineWidth(shell.out) };
			return { json: value, ...show(value, outlet) };
		},
	);
}

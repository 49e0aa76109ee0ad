import type { Command } from "commander";
import type { DiffFlags } from "./commands/diff.ts";
import type { TraceFlags } from "./commands/trace.ts";
import { newCommand } from "./new-command.ts";
import type { Shell } from "./shell.ts";
import { wholeNumber } from "./whole-number.ts";

/** Adds `status`, `runs`, `trace` and `diff`. */
export function addReaderCommands(
	program: Command,
	shell: Shell,
	finish: (code: number) => void,
): void {
	newCommand(program, "status", "show where a run stands", "spar status --json")
		.argument("[run]", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (run: string | undefined, flags: { readonly json?: boolean }) => {
			const { status } = await import("./commands/status.ts");
			finish(await status(shell, run, flags));
		});
	newCommand(program, "runs", "list the runs of this repository", "spar runs")
		.option("--json", "print JSON")
		.action(async (flags: { readonly json?: boolean }) => {
			const { runs } = await import("./commands/runs.ts");
			finish(await runs(shell, flags));
		});
	newCommand(program, "trace", "show what happened in a task, and why", "spar trace limiter")
		.argument("<task>", "id of the task")
		.option("--run <run>", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (task: string, flags: TraceFlags) => {
			const { trace } = await import("./commands/trace.ts");
			finish(await trace(shell, task, flags));
		});
	newCommand(program, "diff", "show what a task changed", "spar diff limiter --turn 2")
		.argument("<task>", "id of the task")
		.option("--turn <n>", "only what this turn changed", wholeNumber)
		.option("--run <run>", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (task: string, flags: DiffFlags) => {
			const { diff } = await import("./commands/diff.ts");
			finish(await diff(shell, task, flags));
		});
}

import type { Command } from "commander";
import type { FindingsFlags } from "./commands/findings.ts";
import type { GateFlags } from "./commands/gate.ts";
import { newCommand } from "./new-command.ts";
import type { Shell } from "./shell.ts";

/** Adds `gate`, `findings` and `calibration`. */
export function addJudgementCommands(
	program: Command,
	shell: Shell,
	finish: (code: number) => void,
): void {
	newCommand(program, "gate", "show what the gate said of a task", "spar gate limiter")
		.argument("<task>", "id of the task")
		.option("--run <run>", "id of the run (default: the newest)")
		.option("--json", "print JSON: exactly the gate's report")
		.action(async (task: string, flags: GateFlags) => {
			const { gate } = await import("./commands/gate.ts");
			finish(await gate(shell, task, flags));
		});
	newCommand(program, "findings", "list a task's findings and their life", "spar findings limiter")
		.argument("<task>", "id of the task")
		.option("--run <run>", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (task: string, flags: FindingsFlags) => {
			const { findings } = await import("./commands/findings.ts");
			finish(await findings(shell, task, flags));
		});
	newCommand(
		program,
		"calibration",
		"show how often scores turned out right, over all runs",
		"spar calibration",
	)
		.option("--json", "print JSON")
		.action(async (flags: { readonly json?: boolean }) => {
			const { calibration } = await import("./commands/calibration.ts");
			finish(await calibration(shell, flags));
		});
}

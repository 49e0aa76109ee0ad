import type { Command } from "commander";
import { newCommand } from "./new-command.ts";
import type { Shell } from "./shell.ts";

/** Adds `init`, `doctor`, `validate` and `graph`. */
export function addSetupCommands(
	program: Command,
	shell: Shell,
	finish: (code: number) => void,
): void {
	newCommand(program, "init", "write sparring.yaml for this repository", "spar init")
		.option("--force", "replace a sparring.yaml that is there")
		.action(async (flags: { readonly force?: boolean }) => {
			const { init } = await import("./commands/init.ts");
			finish(await init(shell, flags));
		});
	newCommand(program, "doctor", "check what Sparring needs, and say how to mend it", "spar doctor")
		.option("--json", "print JSON")
		.action(async (flags: { readonly json?: boolean }) => {
			const { doctor } = await import("./commands/doctor.ts");
			finish(await doctor(shell, flags));
		});
	newCommand(program, "validate", "load a workflow and report; run nothing", "spar validate")
		.argument("[file]", "workflow file, or a task file ending in .md (default: sparring.yaml)")
		.option("--json", "print JSON")
		.action(async (file: string | undefined, flags: { readonly json?: boolean }) => {
			const { validate } = await import("./commands/validate.ts");
			finish(await validate(shell, file, flags));
		});
	newCommand(program, "graph", "print the state machine of a task as Mermaid", "spar graph")
		.option("--json", "print JSON")
		.action(async (flags: { readonly json?: boolean }) => {
			const { graph } = await import("./commands/graph.ts");
			finish(await graph(shell, flags));
		});
}

import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/** A command of `spar`, as its file exports it. */
export interface CliCommand {
	/** A command line that works, such as `"spar diff limiter --turn 2"`; its help starts with it. */
	readonly example: string;
	/** Adds arguments, options and the action. The action tells `finish` its exit code, unless it throws. */
	readonly define: (command: Command, shell: Shell, finish: (code: number) => void) => void;
}

/** Lets the help of a command start with an example, and its errors point to that help. */
export function withExample(command: Command, example: string): Command {
	const words = [command.name()];
	for (let above = command.parent; above !== null; above = above.parent)
		words.unshift(above.name());
	return command
		.addHelpText("before", `Example: ${example}\n`)
		.showHelpAfterError(`See: ${words.join(" ")} --help`);
}

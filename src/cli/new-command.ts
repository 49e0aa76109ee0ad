import type { Command } from "commander";

/** A subcommand whose help starts with an example and whose errors point to that help. */
export function newCommand(
	parent: Command,
	nameAndArguments: string,
	description: string,
	example: string,
): Command {
	const command = parent.command(nameAndArguments).description(description);
	const path = parent.name() === "spar" ? "spar" : `spar ${parent.name()}`;
	return command
		.addHelpText("before", `Example: ${example}\n`)
		.showHelpAfterError(`See: ${path} ${command.name()} --help`);
}

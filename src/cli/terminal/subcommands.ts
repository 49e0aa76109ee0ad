import { nearest } from "../../kernel/suggest.ts";
import { type CliCommand, type HelpTexts, withHelp } from "./command.ts";

/** A command with parts, of which the first is the default. */
export function withSubcommands(
	texts: HelpTexts,
	parts: Readonly<Record<string, readonly [summary: string, command: CliCommand]>>,
): CliCommand {
	const [first] = Object.keys(parts);
	return {
		...texts,
		define: (command, shell, finish) => {
			for (const [name, [summary, part]] of Object.entries(parts)) {
				const described = command.command(name, { isDefault: name === first }).description(summary);
				part.define(withHelp(described, part, shell), shell, finish);
			}
			// The default would take a misspelt command for an argument.
			command.hook("preSubcommand", () => {
				const [word = "-"] = command.args;
				const names = command.commands.map((each) => each.name());
				if (word.startsWith("-") || names.includes(word)) return;
				const near = nearest(word, names);
				const meant = near === undefined ? "" : `\n(Did you mean ${near}?)`;
				command.error(`error: unknown command '${word}'${meant}`);
			});
		},
	};
}

import type { CliCommand } from "../command.ts";
import { listItems } from "./hil.ts";

export const command: CliCommand = {
	examples: ["spar questions", "spar questions --all", "spar questions --json"],
	page: "people",
	define: (command, shell, finish) => {
		command
			.option("--all", "include answered questions")
			.option("--json", "print JSON")
			.action(async (flags: { readonly all?: boolean; readonly json?: boolean }) => {
				finish(await listItems(shell, flags));
			});
	},
};

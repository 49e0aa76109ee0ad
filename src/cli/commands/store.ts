import { type CliCommand, commandOf, type JsonFlag, withHelp } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { printJson } from "../terminal/shell.ts";

const migrate = commandOf<JsonFlag>(
	{
		examples: [
			"spar store migrate",
			"spar store migrate --json",
			"spar store migrate && spar worker",
		],
		page: "machines",
		options: { "--json": "print whether anything had to be made" },
	},
	async (shell, { json }) => {
		const { changed } = await (await shell.openMachines()).migrateStore();
		if (json === true) printJson(shell, { changed });
		else shell.err.print(changed ? "the store is ready\n" : "the store was ready before\n");
		return EXIT.done;
	},
);

export const command: CliCommand = {
	examples: migrate.examples,
	page: "machines",
	define: (command, shell, finish) => {
		const sub = command
			.command("migrate")
			.description(
				"make the tables in the database that SPAR_STORE names, or bring them up to date",
			);
		migrate.define(withHelp(sub, migrate, shell), shell, finish);
	},
};

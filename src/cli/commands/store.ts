import { type CliCommand, commandOf, withHelp } from "../terminal/command.ts";

const migrate = commandOf(
	{
		examples: [
			"spar store migrate",
			"spar store migrate --json",
			"spar store migrate && spar worker",
		],
		page: "machines",
		options: { "--json": "print whether anything had to be made" },
	},
	async (shell) => {
		const { changed } = await (await shell.openMachines()).migrateStore();
		const note = changed ? "the store is ready" : "the store was ready before";
		return { json: { changed }, note };
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

import { type CliCommand, withHelp } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

/** `spar store migrate`: makes the tables of a store that machines share, or brings them up to date. */
async function migrate(shell: Shell): Promise<number> {
	const { changed } = await (await shell.openMachines()).migrateStore();
	shell.err.print(changed ? "the store is ready\n" : "the store was ready before\n");
	return EXIT.done;
}

const EXAMPLES = [
	"spar store migrate",
	"SPAR_STORE=postgres://spar@db.example/sparring spar store migrate",
	"spar store migrate && spar worker",
] as const;

export const command: CliCommand = {
	examples: EXAMPLES,
	page: "machines",
	define: (command, shell, finish) => {
		const summary =
			"make the tables in the database that SPAR_STORE names, or bring them up to date";
		const described = command.command("migrate").description(summary);
		withHelp(described, { examples: EXAMPLES, page: "machines" }, shell).action(async () => {
			finish(await migrate(shell));
		});
	},
};

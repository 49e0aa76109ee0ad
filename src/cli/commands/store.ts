import { type CliCommand, withHelp } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson, type Shell } from "../shell.ts";

async function migrate(shell: Shell, { json }: { readonly json?: boolean }): Promise<number> {
	const { changed } = await (await shell.openMachines()).migrateStore();
	if (json === true) printJson(shell, { changed });
	else shell.err.print(changed ? "the store is ready\n" : "the store was ready before\n");
	return EXIT.done;
}

const EXAMPLES = [
	"spar store migrate",
	"spar store migrate --json",
	"spar store migrate && spar worker",
] as const;

export const command: CliCommand = {
	examples: EXAMPLES,
	page: "machines",
	define: (command, shell, finish) => {
		const summary =
			"make the tables in the database that SPAR_STORE names, or bring them up to date";
		const described = command.command("migrate").description(summary);
		withHelp(described, { examples: EXAMPLES, page: "machines" }, shell)
			.option("--json", "print whether anything had to be made")
			.action(async (flags: { readonly json?: boolean }) => {
				finish(await migrate(shell, flags));
			});
	},
};

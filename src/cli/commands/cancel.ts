import { RUN_STATUS_WORDS } from "../../words/states.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";

/** `spar cancel`: stops a run and waits until it has stopped. */
async function cancel(
	shell: Shell,
	runId: string | undefined,
	flags: { readonly json?: boolean },
): Promise<number> {
	return await withSparring(shell, "write", async (sparring) => {
		const report = await sparring.cancel(runId);
		if (flags.json === true) printJson(shell, report);
		else shell.out.print(`run ${report.run_id}: ${RUN_STATUS_WORDS[report.status]}\n`);
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: ["spar cancel", "spar cancel 20261121-230218-3a67", "spar cancel --json"],
	define: (command, shell, finish) => {
		command
			.argument("[run]", "id of the run (default: the newest)")
			.option("--json", "print JSON")
			.action(async (run: string | undefined, flags: { readonly json?: boolean }) => {
				finish(await cancel(shell, run, flags));
			});
	},
};

import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson, type Shell } from "../shell.ts";

/** `spar graph`: the state machine of a task as Mermaid text; needs no repository. */
async function graph(shell: Shell, flags: { readonly json?: boolean }): Promise<number> {
	const mermaid = (await shell.drawGraph()).trimEnd();
	if (flags.json === true) printJson(shell, { mermaid });
	else shell.out.write(`${mermaid}\n`);
	return EXIT.done;
}

export const command: CliCommand = {
	examples: ["spar graph", "spar graph > task.mmd", "spar graph --json"],
	define: (command, shell, finish) => {
		command.option("--json", "print JSON").action(async (flags: { readonly json?: boolean }) => {
			finish(await graph(shell, flags));
		});
	},
};

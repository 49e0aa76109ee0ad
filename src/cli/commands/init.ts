import { initWorkflow, rootAround } from "../../app/init/init.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

/** `spar init`: writes `sparring.yaml` at the root of the repository. */
async function init(shell: Shell, flags: { readonly force?: boolean }): Promise<number> {
	const root = rootAround(shell.directory);
	const { path } = await initWorkflow({ root, env: shell.env, force: flags.force === true });
	shell.out.write(`${path}\n`);
	shell.err.write("Edit the task in it, then: spar validate, and spar run\n");
	return EXIT.done;
}

export const command: CliCommand = {
	example: "spar init",
	define: (command, shell, finish) => {
		command
			.option("--force", "replace an existing sparring.yaml")
			.action(async (flags: { readonly force?: boolean }) => {
				finish(await init(shell, flags));
			});
	},
};

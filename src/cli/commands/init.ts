import { initWorkflow, rootAround } from "../../app/init/init.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";

/** `spar init`: writes `sparring.yaml` at the root of the repository. */
export async function init(shell: Shell, flags: { readonly force?: boolean }): Promise<number> {
	const root = rootAround(shell.directory);
	const { path } = await initWorkflow({ root, env: shell.env, force: flags.force === true });
	shell.out.write(`${path}\n`);
	shell.err.write("Edit the task in it, then: spar validate, and spar run\n");
	return EXIT.done;
}

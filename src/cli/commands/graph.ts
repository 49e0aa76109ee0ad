import { EXIT } from "../exit-code.ts";
import { printJson, type Shell } from "../shell.ts";

/** `spar graph`: the state machine of a task as Mermaid text; needs no repository. */
export async function graph(shell: Shell, flags: { readonly json?: boolean }): Promise<number> {
	const mermaid = (await shell.drawGraph()).trimEnd();
	if (flags.json === true) printJson(shell, { mermaid });
	else shell.out.write(`${mermaid}\n`);
	return EXIT.done;
}

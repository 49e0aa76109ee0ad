import type { Shell } from "./shell.ts";
import type { OutputFlags } from "./supervise-run.ts";

const isSet = (value: string | undefined): boolean =>
	value !== undefined && !["", "0", "false"].includes(value.toLowerCase());

/**
 * Whether a person can be asked on the spot: somebody types (standard input is a terminal) and reads (standard error
 * is one), no CI runs us, and standard output is not read by a program (`--json`, `--events`).
 */
export function canAskPerson(
	shell: Pick<Shell, "env" | "err" | "isTyped">,
	flags: OutputFlags,
): boolean {
	const forProgram = flags.json === true || flags.events === true;
	return shell.isTyped && shell.err.isTTY && !forProgram && !isSet(shell.env["CI"]);
}

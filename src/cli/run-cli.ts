import { CommanderError } from "commander";
import { EXIT, exitCodeOfError } from "./exit-code.ts";
import { paintFor } from "./paint.ts";
import { buildProgram } from "./program.ts";
import { renderError } from "./render-error.ts";
import type { Shell } from "./shell.ts";

/**
 * Runs one command line and prints what went wrong; it never rejects.
 *
 * @param args without program and script, such as `["run", "--dry-run"]`
 * @returns the exit code
 */
export async function runCli(args: readonly string[], shell: Shell): Promise<number> {
	let code: number = EXIT.done;
	try {
		await buildProgram(shell, (ended) => {
			code = ended;
		}).parseAsync(args, { from: "user" });
		return code;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
		shell.err.write(renderError(error, paintFor(shell.err, shell.env)));
		return exitCodeOfError(error);
	}
}

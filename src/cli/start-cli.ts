import { processShell } from "./process-shell.ts";
import { runCli } from "./run-cli.ts";

/** Runs the command of this process and sets its exit code; output that is still under way is flushed. */
export async function startCli(): Promise<void> {
	const code = await runCli(process.argv.slice(2), processShell());
	// A stream that could not be written has set its own code already.
	process.exitCode ??= code;
}

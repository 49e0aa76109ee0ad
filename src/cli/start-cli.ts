import { type HostProcess, processShell } from "./process-shell.ts";
import { runCli } from "./run-cli.ts";

/** Runs the command of a process and sets its exit code; output that is still under way is flushed. */
export async function startCli(host: HostProcess = process): Promise<void> {
	const shell = processShell(host);
	const code = await runCli(host.argv.slice(2), shell);
	// A stream that could not be written has set its own code already.
	host.exitCode ??= code;
	await shell.flushed();
}

import { childEnvironment, type EnvironmentSource } from "../environment.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxRefusal } from "./sandbox-refusal.ts";

/** Whether this machine can confine processes. */
export type SandboxProbe = { readonly available: true; readonly detail: string } | SandboxRefusal;

/**
 * Opens a sandbox, starts one confined process and closes it again: nothing less shows that the system lets us.
 * About half a second.
 *
 * @param unixSockets whether the sandbox is to allow Unix sockets, which needs more of the system
 */
export async function probeSandbox(
	env: EnvironmentSource,
	unixSockets = false,
): Promise<SandboxProbe> {
	const opened = await openSandbox({
		...{ env: childEnvironment(env), allowHosts: [], never: [], unixSockets },
	});
	if (!opened.available) return opened;
	await opened.close();
	return { available: true, detail: opened.detail };
}

import { KNOWN_MANIFESTS, setupKey } from "../evidence/setup.ts";
import { filesAt } from "../git/changes.ts";
import type { TaskContext } from "./context.ts";

/** Default limit of a setup command (design section 2). */
export const SETUP_TIMEOUT_MS = 600_000;

/** Key of the setup on a commit: equal keys need no second setup. `"none"` when the workflow has no setup. */
export async function setupKeyAt(context: TaskContext, commit: string): Promise<string> {
	const { setup, setupInputs } = context.workflow;
	if (setup.length === 0) return "none";
	const globs = setupInputs.length > 0 ? setupInputs : KNOWN_MANIFESTS;
	return setupKey(setup, await filesAt(context.vault, commit), globs);
}

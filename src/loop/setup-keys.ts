import { setupKey } from "../evidence/setup-key.ts";
import { filesAt } from "../git/changes.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import type { TaskContext } from "./context.ts";

/** Default limit of a setup command. */
export const SETUP_TIMEOUT_MS = 600_000;

/** A run has one vault and one workflow, and a key takes a look at every file: asked for four times a turn. */
const keys = keptAnswers<string>(50);

/** Key of the setup on a commit: equal keys need no second setup. `"none"` when the workflow has no setup. */
export async function setupKeyAt(
	context: Pick<TaskContext, "workflow" | "vault">,
	commit: string,
): Promise<string> {
	const { setup, setupInputs } = context.workflow;
	if (setup.length === 0) return "none";
	return keys.of(context.vault, [commit], "", async () =>
		setupKey(setup, await filesAt(context.vault, commit), setupInputs),
	);
}

import { isDependencies } from "../evidence/kept-setups/kept-setups.ts";
import { readsOnlyInputs, saysHowToInstall } from "../evidence/kept-setups/reads-inputs.ts";
import { setupKey } from "../evidence/setup-key.ts";
import { filesAt, readFileAt } from "../git/changes.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import { sha256 } from "../kernel/json.ts";
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
	const { vault } = context;
	return keys.of(vault, [commit], "", async () => {
		const key = setupKey(setup, await filesAt(vault, commit), setupInputs);
		return vault.copied === null ? key : sha256(`${key} ${vault.copied.digest}`);
	});
}

/**
 * Whether files that the setup of a commit left fit every tree with the same key: the workflow names the inputs, or they
 * are dependencies and nothing else was read.
 *
 * @param paths what git ignores there
 */
export async function fitsInputs(
	{ workflow, vault }: Pick<TaskContext, "workflow" | "vault">,
	commit: string,
	paths: readonly string[],
): Promise<boolean> {
	const { setup, setupInputs } = workflow;
	if (setupInputs.length > 0) return true;
	if (!isDependencies(paths)) return false;
	const wanted = (await filesAt(vault, commit)).filter(({ path }) => saysHowToInstall(path));
	const files = wanted.map(async ({ path }) => {
		const content = await readFileAt(vault, commit, path);
		return { path, text: content?.toString("utf8") ?? "" };
	});
	return readsOnlyInputs(setup, await Promise.all(files));
}

import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../masking/masking.ts";
import type { RunRecord } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { loadSource } from "./load-source.ts";
import { maskerOf, revealedWorkflow } from "./secrets.ts";

/** A stored run's workflow file as it is now; null when it is gone or invalid. `root` is the repository's top. */
export async function currentWorkflow(
	{ workflow: { file, agents } }: Pick<RunRecord, "workflow">,
	root: string,
): Promise<Workflow | null> {
	try {
		const source = file === undefined ? {} : { path: `${root}/${file}` };
		const named = Object.entries(agents).filter(([, { adapter }]) => adapter === "value");
		const place = { root, directory: root, values: Object.fromEntries(named) };
		const loaded = await loadSource({ kind: "file", ...source }, place);
		return loaded.workflow;
	} catch (error) {
		if (error instanceof Fault) return null;
		throw error;
	}
}

/**
 * The masker of a stored run, for code that writes or prints something of it outside the run.
 *
 * The stored workflow holds marks where its secrets stood, so these are looked up where they came from: the environment
 * and the workflow file. If they are no longer known, everything that is known now is masked.
 */
export async function runMasker(
	run: Pick<RunRecord, "workflow">,
	place: {
		readonly root: string;
		readonly env: Readonly<Record<string, string | undefined>>;
	},
): Promise<Masker> {
	const current = await currentWorkflow(run, place.root);
	try {
		return maskerOf(place.env, revealedWorkflow(run.workflow, place.env, current));
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return maskerOf(place.env, current ?? run.workflow);
	}
}

/**
 * The workflow of a stored run with its secrets back in place, as the environment and the file hold them now. The file is
 * only needed for secrets that stood in it; without it their absence is reported.
 *
 * @throws Fault `run-not-resumable`
 */
export async function revealedNow(
	run: Pick<RunRecord, "workflow">,
	{
		root,
		env,
	}: { readonly root: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Workflow> {
	return revealedWorkflow(run.workflow, env, await currentWorkflow(run, root));
}

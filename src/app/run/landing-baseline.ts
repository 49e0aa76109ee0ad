import { definitionHash } from "../../evidence/definition.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { knownInBoth } from "../../evidence/known-in-both.ts";
import { treeOf } from "../../git/changes.ts";
import type { Vault } from "../../git/vault.ts";
import { BASELINE_TURN } from "../../loop/task-reader.ts";
import type { Drive } from "./drive.ts";

/**
 * What a landing is judged against, by check: what was known to fail when the run began and still failed at its last merge. So
 * neither what the run made green may break again, nor what somebody broke on the integration branch is known.
 *
 * @param merged the last merge that the integration branch holds; null without one
 */
export async function landingBaseline(
	{ run, workflow, store }: Pick<Drive, "run" | "workflow" | "store">,
	vault: Vault,
	merged: string | null,
): Promise<ReadonlyMap<string, Evidence>> {
	const { runId, baseCommit } = run;
	const [first] = await store.records.tasks(runId);
	const begun =
		first === undefined ? [] : await store.records.evidence(runId, first.taskId, BASELINE_TURN);
	const trees = {
		base: await treeOf(vault, baseCommit),
		merged: merged && (await treeOf(vault, merged)),
	};
	const found = new Map<string, Evidence>();
	for (const check of workflow.checks) {
		const of = { check: check.name, definition: definitionHash(check, workflow.setup) };
		const before =
			(await store.records.evidenceFor(runId, trees.base, of)) ??
			begun.find((piece) => piece.check === check.name);
		const now =
			trees.merged === null ? undefined : await store.records.evidenceFor(runId, trees.merged, of);
		const known = now === undefined ? before : knownInBoth(before, now);
		if (known !== undefined) found.set(check.name, known);
	}
	return found;
}

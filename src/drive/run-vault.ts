import type { Repository } from "../git/repository.ts";
import { openVault, type Vault, type VaultUse } from "../git/vault.ts";
import type { Records, RunRecord, StepKey } from "../store/records.ts";

// As they were when the run was started, on the machine that started it.
export function ignoreRulesStep(runId: string): StepKey<string> {
	// No task has an empty id.
	return { runId, taskId: "", turn: 0, step: "ignore-rules" };
}

export async function openRunVault(
	{
		repository,
		store,
	}: {
		readonly repository: Repository;
		readonly store: { readonly records: Pick<Records, "step"> };
	},
	{ runId }: Pick<RunRecord, "runId">,
	directory: string,
	use: Omit<VaultUse, "ignoreRules">,
): Promise<Vault> {
	const ignoreRules = await store.records.step(ignoreRulesStep(runId));
	return await openVault(repository, directory, { ...use, ignoreRules });
}

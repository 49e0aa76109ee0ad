import type { Repository } from "../git/repository.ts";
import type { RunRecord } from "../store/records.ts";
import { bringRun, reachOf } from "./remote-ground.ts";

/** Brings what other machines did of some tasks. Does nothing for a run of this clone alone. @throws Fault `remote-unreachable` */
export async function bringShared(
	repository: Repository,
	run: RunRecord,
	{
		env,
		tasks,
	}: {
		readonly env: Readonly<Record<string, string | undefined>>;
		/** Ids. */
		readonly tasks: readonly string[];
	},
): Promise<void> {
	const reach = reachOf(run.workflow, { env });
	if (reach !== null) await bringRun(repository, reach, run, { tasks });
}

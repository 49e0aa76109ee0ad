import { withBaseFilters } from "../../git/base-filters.ts";
import { removeStaleLocks } from "../../git/refs.ts";
import type { Reach } from "../../git/remotes.ts";
import { openRepository, type Repository } from "../../git/repository.ts";
import { openVault, type Vault } from "../../git/vault.ts";
import type { Masker } from "../../kernel/masking.ts";
import type { ProcessHost } from "../../process/process.ts";
import type { RunRecord } from "../../store/records.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { gitHost } from "../git-host.ts";
import { makeRunDirectory, makeStateDirectory, type Places } from "../places.ts";
import { bringRun } from "../run/remote-ground.ts";
import { reachOf } from "../run/remote-reach.ts";
import { type SharedByTasks, sharedByTasks } from "../run/surroundings.ts";
import { privatePrefix } from "../run/task-refs.ts";
import { type TimeKeeper, timeKeeper } from "../run/time-keeper.ts";
import { withHost } from "../run/with-host.ts";
import { currentWorkflow } from "../run-masker.ts";
import { maskerOf, revealedWorkflow } from "../secrets.ts";
import type { Store } from "../store.ts";

/** What a machine needs of a run to work on any of its tasks. */
export interface RunGround {
	readonly run: RunRecord;
	/** With the secrets of this machine in place. */
	readonly workflow: Workflow;
	readonly masker: Masker;
	readonly repository: Repository;
	/** Its commands are ended by nobody yet: each task has it with a signal of its own. */
	readonly vault: Vault;
	readonly host: ProcessHost;
	readonly reach: Reach;
	readonly shared: SharedByTasks;
	readonly keeper: TimeKeeper;
}

/** Where a worker stands. */
export interface WorkerPlace {
	readonly store: Store;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly onNotice: (text: string) => void;
}

/**
 * Does some work on a run, with its ground made ready: the run's refs fetched, the vault opened, processes confined as its
 * workflow asks for.
 *
 * @throws Fault `run-not-resumable` where this machine lacks a secret of the workflow; `remote-unreachable`;
 * `sandbox-missing`
 */
export async function withRunGround<T>(
	{ places, env, onNotice }: Omit<WorkerPlace, "store">,
	run: RunRecord,
	work: (ground: RunGround) => Promise<T>,
): Promise<T> {
	const workflow = revealedWorkflow(run.workflow, env, await currentWorkflow(run, places.root));
	const masker = maskerOf(env, workflow);
	const opened = await openRepository(places.root, gitHost(env));
	const repository = { ...opened, mark: `${run.runId}:refs` };
	const reach = await reachOf(repository, workflow, env);
	await makeStateDirectory(places);
	for (const prefix of [`refs/heads/sparring/${run.runId}/`, privatePrefix(run.runId)])
		await removeStaleLocks(repository, prefix);
	await bringRun(repository, reach, run);
	const directory = await makeRunDirectory(places, run.runId, onNotice);
	const vault = await withBaseFilters(await openVault(repository, directory), run.baseCommit);
	const never = [repository.root, repository.commonDir, places.stateDir];
	return await withHost({ workflow, env, never, onNotice }, async (host) =>
		work({
			run,
			workflow,
			masker,
			repository,
			vault,
			host,
			reach,
			shared: sharedByTasks(),
			keeper: timeKeeper(run.runId),
		}),
	);
}

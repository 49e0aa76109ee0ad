import type { Drive } from "../drive/drive.ts";
import { takeRun } from "../drive/take-run.ts";
import { openRepository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { gitHost } from "../places/places.ts";
import { bringShared } from "../places/remote-ground.ts";
import type { Store } from "../places/store.ts";
import { openLazyHost } from "../seats/with-host.ts";
import type { Lease, RunRecord } from "../store/records.ts";

/**
 * Does some work that lands or proposes a run: what other machines did of it is brought first, and a process host is opened
 * only if something has to be checked.
 *
 * @throws Fault `run-held` while another machine works on a task of the run, `remote-unreachable`
 */
export async function withLandDrive<T>(
	given: Omit<Drive, "repository" | "host">,
	work: (drive: Drive) => Promise<T>,
): Promise<T> {
	const { run, places, env, store } = given;
	await using _turn = await landingTurn(store, run);
	const repository = await openRepository(places.root, gitHost(env));
	await bringShared(repository, run, { env, tasks: run.workflow.tasks.map(({ id }) => id) });
	const drive = { ...given, repository };
	const opened = openLazyHost(drive);
	try {
		return await work({ ...drive, host: opened.host });
	} finally {
		await opened.close();
	}
}

// Other machines do not merge meanwhile. A task may begin before the run is taken.
async function landingTurn(store: Store, run: RunRecord): Promise<Lease | null> {
	if (store.machines === null) return null;
	await requireRest(store, run);
	return await takeRun(store, run.runId, "integration");
}

// Machines that work on tasks do not hold the run as a whole.
async function requireRest(
	{ leases }: Pick<Store, "leases">,
	{ runId, workflow }: RunRecord,
): Promise<void> {
	for (const { id } of workflow.tasks) {
		const holder = await leases.holder(runId, { task: id });
		if (holder === undefined) continue;
		throw new Fault(`task ${id} of run ${runId} is worked on by ${holder.host}:${holder.pid}`, {
			code: "run-held",
			hint: `Wait for it (spar watch ${runId}), or stop the run: spar cancel ${runId}`,
			retryable: true,
		});
	}
}

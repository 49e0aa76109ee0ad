import type { Drive } from "../drive/drive.ts";
import { readRef } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import { type LandingBranches, localBranches, remoteBranches } from "../merge/landing-branches.ts";
import { reachOf } from "../places/remote-ground.ts";
import { missingIn } from "../places/remote-refs.ts";
import type { Store } from "../places/store.ts";

type Landing = Pick<Drive, "run" | "store" | "repository" | "env" | "lease" | "signal">;

export function landingBranches(landing: Landing): LandingBranches {
	const { run, store, repository, lease } = landing;
	const { runId, baseBranch: base, branch: integration } = run;
	const reach = sharedReach(landing);
	if (reach === null) return localBranches(repository, { runId, base });
	const requireLease = async (): Promise<void> => {
		await store.records.commit(lease, []);
	};
	return remoteBranches(repository, reach, { runId, base, integration, requireLease });
}

interface Shared extends Pick<Drive, "run" | "env" | "signal"> {
	readonly store: Pick<Store, "machines">;
}

/** Way to the remote on which a run lands; null where it lands in this repository: no other machine works on it. */
export function sharedReach({ run, store, env, signal }: Shared): Reach | null {
	return store.machines === null ? null : reachOf(run.workflow, { env, signal });
}

// Commits of the base that only the one who started the run had.
export async function tellUnpublished(
	{ run, repository, onNotice }: Pick<Drive, "run" | "repository" | "onNotice">,
	{ branches }: { readonly branches: LandingBranches },
): Promise<void> {
	if (branches.remote === null || onNotice === undefined) return;
	const tip = await branches.tip(run.baseBranch);
	if (tip === undefined || (await missingIn(repository, tip, [run.baseCommit])) === null) return;
	onNotice(
		`the run began with commits of ${run.baseBranch} that ${branches.remote} does not have there: they land with it`,
	);
}

/**
 * Tips of the base branch of a run: here, and where several machines work on it on their remote. The repository holds
 * them. Where the branch is nowhere: the commit with which the run began.
 */
export async function baseTips(
	place: Shared & Pick<Drive, "repository">,
): Promise<readonly string[]> {
	const { run, repository } = place;
	const ref = `refs/heads/${run.baseBranch}`;
	const here = (await readRef(repository, ref)) ?? run.baseCommit;
	const reach = sharedReach(place);
	if (reach === null) return [here];
	const [there] = await remoteRefs(repository, reach, [ref]);
	if (there === undefined) return [here];
	await fetchRefs(repository, reach, [ref]);
	return [here, there.oid];
}

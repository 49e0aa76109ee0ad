import { systemClock } from "../../kernel/clock.ts";
import { CallAdmission } from "../../loop/admission/admission.ts";
import { FirstAlone } from "../../loop/first-alone.ts";
import { WorkUnderWay } from "../../loop/work-under-way.ts";
import { MergeQueue } from "../../merge/merge-queue.ts";
import type { SharedCalls } from "../../store/shared-calls.ts";
import { remoteVerifiers } from "../verifier/remote-verifiers.ts";
import { obstacleTo } from "./agent-needs.ts";
import { seatsOf } from "./agents.ts";
import type { MaskedDrive } from "./drive.ts";
import { groundPreflight } from "./ground-preflight.ts";
import { loggedAgent, loggedHost } from "./live-logs.ts";
import { cassetteRecorder } from "./recorder.ts";
import { reachOf } from "./remote-ground.ts";
import { setupsOf } from "./setups.ts";
import type { RunSurroundings } from "./task-context.ts";
import { userCommits } from "./user-commits.ts";

/** What the tasks of a run that this process works on know of each other. */
export type SharedByTasks = Pick<RunSurroundings, "queue" | "underWay" | "baselines" | "admission">;

/**
 * Nothing is known yet.
 *
 * @param queue of merges; by default this process alone merges
 * @param calls what is known of the calls of other machines; by default there are none
 */
export function sharedByTasks(
	queue: MergeQueue = new MergeQueue(),
	calls: SharedCalls | null = null,
): SharedByTasks {
	return {
		queue,
		underWay: new WorkUnderWay(),
		baselines: new FirstAlone(),
		admission: new CallAdmission(systemClock, calls),
	};
}

/**
 * What the contexts of the tasks of a run share.
 *
 * @param shared where each task has a lease of its own: what it shares with the others of this process
 */
export async function surroundings(
	drive: MaskedDrive,
	{ signal, commit, vault }: Pick<RunSurroundings, "signal" | "commit" | "vault">,
	shared: SharedByTasks = sharedByTasks(undefined, drive.store.machines?.calls(drive.run.runId)),
): Promise<RunSurroundings> {
	const { run, workflow, store, places, repository, env, masker, values } = drive;
	const onNotice = drive.onNotice ?? (() => undefined);
	const seats = seatsOf(workflow, { env, host: drive.host, values });
	return {
		run,
		workflow,
		places,
		repository,
		vault,
		records: store.records,
		blobs: store.blobs,
		commit,
		clock: systemClock,
		masker,
		env,
		signal,
		recorder:
			run.recordFile === null
				? null
				: cassetteRecorder(run.recordFile, { vault, masker, onNotice }),
		...shared,
		setups: setupsOf({ run, workflow, places, env, signal, onNotice }),
		host: loggedHost(drive.host, store.blobs, masker),
		seat: async (name) => {
			const { agent, definition } = await seats(name);
			return { agent: loggedAgent(agent, store.blobs, masker), definition };
		},
		commitAsUser: userCommits(drive, vault),
		obstacle: (name) => obstacleTo(workflow, name, { env, values }),
		preflight: groundPreflight(drive, commit),
		reach: reachOf(workflow, { env, signal }),
		leaseEpoch: drive.lease.epoch,
		requireLease: async () => {
			// The lease is looked at in each transaction, in one without writes too.
			await store.records.commit(drive.lease, []);
		},
		remoteVerifier: await remoteVerifiers(drive, signal),
	};
}

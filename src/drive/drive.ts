import type { AgentValues } from "../agents/agent.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import type { GroundProblem } from "../judge/ground-problems.ts";
import type { TaskContext } from "../loop/context.ts";
import type { Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import type { ProcessHost } from "../process/process.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { VerificationJob } from "../verification/remote-job.ts";
import type { Verifier } from "../verification/verification.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Supervision } from "./run-options.ts";

/** Holdings of a process that takes a run forward or lands it. */
export interface Drive extends Supervision {
	readonly run: RunRecord;
	readonly workflow: Workflow;
	readonly lease: Lease;
	readonly store: Store;
	readonly places: Places;
	readonly repository: Repository;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly host: ProcessHost;
	/** Agents that the program serves which runs it; left out: none. */
	readonly values?: AgentValues | undefined;
	readonly anyway?: boolean | undefined;
	/** Tasks that cannot be done, with the reason; those that have not begun fail with it. */
	readonly lost?: ReadonlyMap<string, string> | undefined;
}

/** All that the tasks of a run share while they are worked on. */
export interface RunContext
	extends Drive,
		Pick<
			TaskContext,
			| "records"
			| "blobs"
			| "commit"
			| "clock"
			| "masker"
			| "recorder"
			| "queue"
			| "underWay"
			| "baselines"
			| "bases"
			| "admission"
			| "setups"
			| "seat"
			| "obstacle"
			| "vault"
			| "commitAsUser"
		> {
	readonly signal: AbortSignal;
	readonly onNotice: (text: string) => void;
	preflight(taskId: string, problems: readonly GroundProblem[]): Promise<void>;
	/** The remote by which machines share the run's refs; null: this repository is all there is. */
	readonly reach: Reach | null;
	/** @throws Fault `lease-lost` when another process has taken the run over */
	readonly requireLease: () => Promise<void>;
	/** Makes the verifier of a node in another process; null: nodes verify in this one. */
	readonly remoteVerifier:
		| ((
				node: Pick<VerificationJob, "epoch" | "items" | "slot"> & { readonly taskId: string },
		  ) => Verifier)
		| null;
}

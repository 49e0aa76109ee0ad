import type { AgentValues } from "../agents/agent.ts";
import type { Repository } from "../git/repository.ts";
import type { Masker } from "../masking/masking.ts";
import type { Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import type { ProcessHost } from "../process/process.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Supervision } from "./run-options.ts";

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

/** With the masker of the run, the same at every door. */
export interface MaskedDrive extends Drive {
	readonly masker: Masker;
}

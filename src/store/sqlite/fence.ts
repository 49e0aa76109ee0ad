import { Fault } from "../../kernel/fault.ts";
import type { Fence } from "../records.ts";
import type { Database } from "./database.ts";

/** What a process is told that no longer holds its run. */
export function leaseLost(runId: string): Fault {
	return new Fault(
		`run ${runId} was taken over by another process; this process no longer writes to it`,
		{
			code: "lease-lost",
			hint: "See `spar status` for the state of the run.",
		},
	);
}

/**
 * Checks that the fence holds: the run's lease has its epoch. Called inside each write transaction.
 *
 * @throws Fault `lease-lost` when another process took the run, or nobody ever did
 */
export function assertFence(db: Database, fence: Fence): void {
	const row = db.get("SELECT epoch FROM leases WHERE run_id = ?", fence.runId);
	if (row?.["epoch"] !== fence.epoch) throw leaseLost(fence.runId);
}

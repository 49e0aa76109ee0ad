import { leaseLost, scopeName } from "../lease-scope.ts";
import type { Fence } from "../records.ts";
import type { Database } from "./database.ts";

/**
 * Checks that the fence holds: the lease has its epoch. Called inside each write transaction.
 *
 * @throws Fault `lease-lost` when another process took it, or nobody ever did
 */
export function assertFence(db: Database, fence: Fence): void {
	const row = db.get(
		"SELECT epoch FROM leases WHERE run_id = ? AND scope = ?",
		fence.runId,
		scopeName(fence.scope),
	);
	if (row?.["epoch"] !== fence.epoch) throw leaseLost(fence);
}

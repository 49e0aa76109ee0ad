import { leaseLost, scopeName } from "../lease-scope.ts";
import type { Fence } from "../records.ts";
import type { PostgresClient } from "./postgres.ts";

/**
 * Checks that the fence holds, and lets nobody take the lease before the transaction ends. Called first in each write
 * transaction: whoever takes the lease waits for it, and what comes later finds the new epoch.
 *
 * @throws Fault `lease-lost` when another process took it, or nobody ever did
 */
export async function assertFence(client: PostgresClient, fence: Fence): Promise<void> {
	const { rows } = await client.query(
		"SELECT epoch FROM leases WHERE run_id = $1 AND scope = $2 FOR SHARE",
		[fence.runId, scopeName(fence.scope)],
	);
	if (rows[0]?.["epoch"] !== fence.epoch) throw leaseLost(fence);
}

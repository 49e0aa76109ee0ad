import { leaseLost, scopeName } from "../lease-scope.ts";
import type { Fence } from "../records.ts";
import { one, type Query } from "./query.ts";

const EPOCH = "SELECT epoch FROM leases WHERE run_id = ? AND scope = ?";

/**
 * Checks that the fence holds: the lease has its epoch. Part of each write transaction; until that ends, nobody else takes
 * the lease.
 *
 * @throws Fault `lease-lost` when another process took it, or nobody ever did
 */
export function* requireFence(fence: Fence): Query<void> {
	const { runId, scope, epoch } = fence;
	const row = yield* one(
		{ sqlite: EPOCH, postgres: `${EPOCH} FOR SHARE` },
		runId,
		scopeName(scope),
	);
	if (row?.["epoch"] !== epoch) throw leaseLost(fence);
}

import { requireFence } from "../queries/leases.ts";
import { perform } from "../queries/query.ts";
import type { Fence } from "../records.ts";
import { answerOn } from "./answer-on.ts";
import type { PostgresClient } from "./postgres.ts";

/**
 * `requireFence` for writes that are no records. Called first in each transaction: whoever takes the lease waits for its
 * end, and what comes later finds the new epoch.
 */
export function assertFence(client: PostgresClient, fence: Fence): Promise<void> {
	return perform(requireFence(fence), (statement) => answerOn(client, statement));
}

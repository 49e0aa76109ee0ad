import type { NodeInput, NodeResult } from "../node.ts";

/** `process_feedback`: the ledger was updated with the verdict; what is left is the status for people. */
export async function processFeedback({ log }: Pick<NodeInput, "log">): Promise<NodeResult<"go">> {
	return { update: { next: "go" }, writes: [log.task({ status: "needs_rework" })] };
}

import { type NodeInput, type NodeResult, passed } from "../node.ts";

/** `verify`: independent verification is a later feature; a task that declines it is skipped with that reason. */
export async function verify({ facts }: Pick<NodeInput, "facts">): Promise<NodeResult<"go">> {
	return passed(
		facts.task.requiresVerification === "false"
			? "skipped: requires_verification is false"
			: "independent verification is not available yet",
	);
}

/** `process_feedback`: the ledger was updated with the verdict; what is left is the status for people. */
export async function processFeedback({ log }: Pick<NodeInput, "log">): Promise<NodeResult<"go">> {
	return { update: { next: "go" }, writes: [log.task({ status: "needs_rework" })] };
}

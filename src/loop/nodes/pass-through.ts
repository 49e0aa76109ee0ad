import type { TaskContext } from "../context.ts";
import type { NodeBody } from "../traced-node.ts";

/** `verify`: independent verification is a later feature; a task that declines it is skipped with that reason. */
export const verify: NodeBody = async (context) => ({
	update: { next: "go" },
	passedThrough:
		context.task.requiresVerification === "false"
			? "skipped: requires_verification is false"
			: "independent verification is not available yet",
});

/** `process_feedback`: the ledger was updated with the verdict; what is left is the status for people. */
export const processFeedback: NodeBody = async (context: TaskContext) => ({
	update: { next: "go" },
	writes: [
		{
			kind: "task",
			runId: context.run.runId,
			taskId: context.task.id,
			patch: { status: "needs_rework" },
		},
	],
});

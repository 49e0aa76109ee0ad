import { verifierOf } from "../workflow/verifier-of.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import { causeText } from "./cause.ts";
import { type Requirement, requirementOf } from "./requirement.ts";
import { verificationReasonText } from "./verification-text.ts";

/** What is decided about the verification of a task before anything is built. */
export interface Approval {
	/** Whether independent tests will be written, as far as can be told without a diff. */
	readonly effective: boolean;
	readonly by: Requirement["by"];
	readonly reason: string | null;
	/** Who would write them; null where nobody can. */
	readonly verifier: string | null;
}

/**
 * Whether a task will be verified, by whose word, and why. With `auto` only the paths that it names are known yet; its
 * diff decides again.
 *
 * @example a task with `auto` and the context file `db/migrations/1.sql` is effective, by heuristic
 */
export function approvalOf(
	workflow: Pick<Workflow, "agents" | "verification" | "waive">,
	task: TaskDefinition,
): Approval {
	const verifier = verifierOf(workflow, task);
	if (task.formalReview === true)
		return {
			effective: false,
			by: "file",
			reason: verificationReasonText({ kind: "formal_review" }),
			verifier: null,
		};
	const { required, by, said, causes } = requirementOf(task);
	const why = workflow.waive?.verification?.trim() ?? "";
	if (required && why !== "") {
		const reason = verificationReasonText({ kind: "waived", why });
		return { effective: false, by: "file", reason, verifier };
	}
	if (by !== "heuristic") return { effective: required, by, reason: said, verifier };
	const reason = causes.length > 0 ? causes.map(causeText).join("; ") : NOTHING_NAMED;
	return { effective: required, by, reason, verifier };
}

const NOTHING_NAMED = "nothing in its text asks for it; its diff decides later";

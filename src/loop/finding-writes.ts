import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext } from "./context.ts";

/** A finding as it is from now on, with the event that says so. */
export function findingWrites(
	context: Pick<TaskContext, "run" | "task" | "clock">,
	site: Site,
	finding: Finding,
): Write[] {
	return [
		{ kind: "finding", runId: context.run.runId, taskId: context.task.id, finding },
		eventWrite(context, site, "finding-changed", {
			finding: finding.id,
			state: finding.state,
			severity: finding.severity,
			issue: finding.issue,
			blocking: isBlocking(finding),
		}),
	];
}

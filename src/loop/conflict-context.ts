import { waitingConflicts } from "../conflict/open-conflicts.ts";
import { coachWords } from "./conflict-sides.ts";
import type { TaskContext } from "./context.ts";
import { openNow } from "./open-findings.ts";

/**
 * The conflicts of a turn that wait for a person, with both sides and what the tie-breaker said before; texts as they
 * are stored. A person answers them by finding.
 */
export async function conflictContext(
	context: TaskContext,
	turn: number,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
	const { records, run, task } = context;
	const open = await openNow(context);
	const attempts = await records.conflicts(run.runId, task.id);
	const rationale = (await records.turn(run.runId, task.id, turn))?.rationale ?? "";
	return await Promise.all(
		waitingConflicts(attempts, open, turn).map(async (conflict) => {
			const finding = open.find(({ id }) => id === conflict.finding);
			const said = finding && (await coachWords(context, { turn }, finding));
			const ruling = finding?.ruling?.by === "tie_breaker" ? finding.ruling : null;
			return {
				conflict_id: conflict.conflictId,
				finding: conflict.finding,
				attempt: conflict.attemptCount,
				escalation_reason: conflict.escalationReason,
				developer: {
					reason: finding?.dispute?.reason ?? "",
					evidence: finding?.dispute?.evidence ?? null,
				},
				reviewer: {
					issue: finding?.issue ?? "",
					rationale: said?.upheldBecause ?? said?.criterionEvidence ?? rationale,
				},
				tie_breaker:
					ruling === null ? null : { decision: ruling.decision, rationale: ruling.rationale },
			};
		}),
	);
}

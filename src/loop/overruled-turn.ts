import { findingKey } from "../review/claim.ts";
import {
	effectiveVerdict,
	missingEvidence,
	requiredEvidence,
} from "../review/effective-verdict.ts";
import type { Finding } from "../review/finding.ts";
import { overruledIn, remainder } from "../review/overruled.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";
import { openNow } from "./open-findings.ts";
import { turnEvidence } from "./turn-evidence.ts";

/** A turn in which findings were overruled, judged again. */
export interface OverruledTurn {
	readonly writes: readonly Write[];
	/** The findings that are open afterwards. */
	readonly open: readonly Finding[];
}

/**
 * The verdict of a turn in which findings were overruled, computed again as if the coach had withdrawn them and called
 * the criteria that they name met. With nothing else in the way it is an approval; the coach's own answer stays beside
 * it. Evidence that failed stands in the way as before.
 *
 * @param turn as it is stored
 * @param more findings that are overruled by writes which are not stored yet
 */
export async function overruledTurn(
	context: TaskContext,
	site: Site,
	{ turn, more = [] }: { readonly turn: TurnRecord; readonly more?: readonly Finding[] },
): Promise<OverruledTurn> {
	const { records, run, task, workflow } = context;
	const stored = await records.findings(run.runId, task.id);
	const overruled = overruledIn([...stored, ...more], site.turn);
	const gone = new Set(overruled.map(({ id }) => id));
	const left = (await openNow(context)).filter(({ id }) => !gone.has(id));
	if (overruled.length === 0) return { writes: [], open: left };
	const { closed, open, met, isAllThatStood } = remainder(overruled, left);
	const claims = (turn.claims ?? []).map((claim) =>
		met.has(claim.criterion) ? { ...claim, met: true } : claim,
	);
	const evidence = await turnEvidence(context, site.turn);
	// It is also the reason for approving where nothing was changed.
	const rationale = overruled
		.map(({ id, ruling }) => `${id}: ${ruling?.rationale ?? ""}`)
		.join("\n");
	const verdict = effectiveVerdict({
		report: { decision: isAllThatStood ? "approve" : "feedback", rationale },
		criteria: claims.map((claim) => ({ ...claim, evidence: null })),
		open,
		evidence: requiredEvidence(evidence),
		missing: missingEvidence(evidence, workflow.checks),
	});
	const isApproved = verdict.effective === "approve";
	const reasons = isApproved ? [`overruled: ${[...gone].join(", ")}`] : verdict.reasons;
	const judged: TurnRecord = {
		...turn,
		claims,
		effective: verdict.effective,
		reasons,
		openIssues: open.map(findingKey).sort(),
	};
	return {
		open,
		writes: [
			...closed.flatMap((finding) =>
				findingWrites(context, site, { ...finding, changedTurn: site.turn }),
			),
			{ kind: "turn", turn: judged },
			taskWrite(context, { challengerApproved: isApproved, openFindings: open.length }),
			eventWrite(context, site, "turn-judged", {
				...{ raw: turn.raw, effective: verdict.effective, reasons: [...reasons], rationale },
			}),
		],
	};
}

import { changesBetween } from "../git/changes.ts";
import { findingKey } from "../review/claim.ts";
import {
	effectiveVerdict,
	missingEvidence,
	requiredEvidence,
} from "../review/effective-verdict.ts";
import type { Finding, Ruling } from "../review/finding.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";
import { openNow } from "./open-findings.ts";
import type { TaskState } from "./state.ts";
import { turnEvidence } from "./turn-evidence.ts";

/** A finding that was decided against the coach in this turn. */
const isOverruledIn = (finding: Finding, turn: number): boolean =>
	finding.state === "overruled" &&
	finding.ruling?.decision === "PASS" &&
	finding.ruling.turn === turn;

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
	state: TaskState,
	site: Site,
	{ turn, more = [] }: { readonly turn: TurnRecord; readonly more?: readonly Finding[] },
): Promise<{ readonly writes: readonly Write[]; readonly open: readonly Finding[] }> {
	const { records, run, task, workflow } = context;
	const all = await records.findings(run.runId, task.id);
	const overruled = [
		...all.filter((finding) => isOverruledIn(finding, site.turn)),
		...more.filter((finding) => isOverruledIn(finding, site.turn)),
	];
	const gone = new Set(overruled.map(({ id }) => id));
	const left = (await openNow(context)).filter(({ id }) => !gone.has(id));
	if (overruled.length === 0) return { writes: [], open: left };
	const settled = settledCriteria(overruled, left);
	const closed = left.filter(
		({ source, criterion }) =>
			source === "criterion" && criterion !== null && settled.has(criterion),
	);
	const open = left.filter((finding) => !closed.includes(finding));
	const claims = (turn.claims ?? []).map((claim) =>
		settled.has(claim.criterion) ? { ...claim, met: true } : claim,
	);
	const evidence = await turnEvidence(context, site.turn);
	const rationale = overruled
		.map(({ id, ruling }) => `${id}: ${ruling?.rationale ?? ""}`)
		.join("\n");
	const verdict = effectiveVerdict({
		report: { decision: "approve", rationale },
		criteria: claims.map((claim) => ({ ...claim, evidence: null })),
		open,
		evidence: requiredEvidence(evidence),
		missing: missingEvidence(evidence, workflow.checks),
		changedNothing: (await changesBetween(context.vault, state.start, state.commit)).length === 0,
	});
	const names = overruled.map(({ id }) => id).join(", ");
	const reasons = verdict.effective === "approve" ? [`overruled: ${names}`] : verdict.reasons;
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
				findingWrites(context, site, {
					...finding,
					state: "overruled",
					ruling: rulingOn(finding, overruled),
					changedTurn: site.turn,
				}),
			),
			{ kind: "turn", turn: judged },
			taskWrite(context, {
				challengerApproved: verdict.effective === "approve",
				openFindings: open.length,
			}),
			eventWrite(context, site, "turn-judged", {
				raw: turn.raw,
				effective: verdict.effective,
				reasons: [...reasons],
				rationale,
			}),
		],
	};
}

/** Criteria that an overruled finding names, and that no finding of the coach's own still speaks against. */
function settledCriteria(
	overruled: readonly Finding[],
	left: readonly Finding[],
): ReadonlySet<string> {
	const named = overruled.flatMap(({ criterion }) => (criterion === null ? [] : [criterion]));
	const spoken = left.filter(({ source }) => source === "coach").map(({ criterion }) => criterion);
	return new Set(named.filter((criterion) => !spoken.includes(criterion)));
}

/** A finding that we made for a criterion goes the way of the coach's finding on that criterion. */
function rulingOn({ criterion }: Finding, overruled: readonly Finding[]): Ruling | null {
	return overruled.find((other) => other.criterion === criterion)?.ruling ?? null;
}

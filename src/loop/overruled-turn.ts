import type { Evidence } from "../evidence/evidence.ts";
import { findingKey } from "../review/claim.ts";
import { effectiveVerdict, requiredOf } from "../review/effective-verdict.ts";
import type { Finding } from "../review/finding.ts";
import { overruledIn, remainder } from "../review/overruled.ts";
import {
	type JudgedSuspicion,
	judgedSuspicions,
	type Suspected,
	unsettled,
} from "../review/suspicion-answers.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { NodeInput } from "./node-input.ts";
import { findingChanged } from "./records/findings.ts";
import { verdictGiven } from "./records/turn.ts";
import type { TaskLog } from "./task-log.ts";

export interface RulingFacts {
	readonly turn: TurnRecord;
	readonly findings: readonly Finding[];
	readonly open: readonly Finding[];
	readonly evidence: readonly Evidence[];
	readonly checks: readonly CheckDefinition[];
	readonly suspected: Suspected;
}

export function leftSuspicions({
	suspected,
	findings,
}: Pick<RulingFacts, "suspected" | "findings">): readonly JudgedSuspicion[] {
	return unsettled(judgedSuspicions(suspected, findings));
}

export interface OverruledTurn {
	readonly turn: TurnRecord;
	readonly closed: readonly Finding[];
	readonly open: readonly Finding[];
	readonly rationale: string;
}

export async function rulingFacts({
	facts,
	read,
	log,
}: Pick<NodeInput, "facts" | "read" | "log">): Promise<RulingFacts> {
	return {
		turn: await read.turn(log.turn),
		findings: await read.findings(),
		open: await read.open(),
		evidence: await read.evidence(log.turn),
		checks: facts.workflow.checks,
		suspected: await read.suspected(log.turn),
	};
}

/**
 * The verdict of a turn in which findings were overruled, computed again as if the coach had withdrawn them and called
 * the criteria that they name met. With nothing else in the way it is an approval; the coach's own answer stays beside
 * it. Evidence that failed stands in the way as before.
 *
 * @returns null where no finding was overruled in this turn
 */
export function overruledTurn(facts: RulingFacts): OverruledTurn | null {
	const { turn, evidence } = facts;
	const overruled = overruledIn(facts.findings, turn.turn);
	if (overruled.length === 0) return null;
	const gone = overruled.map(({ id }) => id);
	const left = facts.open.filter(({ id }) => !gone.includes(id));
	const { closed, open, met, isAllThatStood } = remainder(overruled, left);
	const claims = (turn.claims ?? []).map((claim) =>
		met.has(claim.criterion) ? { ...claim, met: true } : claim,
	);
	const rationale = overruled
		.map(({ id, ruling }) => `${id}: ${ruling?.rationale ?? ""}`)
		.join("\n");
	const required = requiredOf(evidence, facts.checks);
	const { effective, reasons } = effectiveVerdict({
		report: { decision: isAllThatStood ? "approve" : "feedback" },
		criteria: claims.map((claim) => ({ ...claim, evidence: null })),
		open,
		evidence: required.evidence,
		missing: required.missing,
		suspicions: leftSuspicions(facts),
		unshown: unshownIn(turn),
	});
	return {
		closed: closed.map((finding) => ({ ...finding, changedTurn: turn.turn })),
		open,
		rationale,
		turn: {
			...turn,
			claims,
			effective,
			reasons:
				effective === "approve" ? [{ kind: "overruled", findings: [...new Set(gone)] }] : reasons,
			openIssues: open.map(findingKey).sort(),
		},
	};
}

function unshownIn({ reasons }: TurnRecord): string | null {
	for (const reason of reasons) if (reason.kind === "nothing_changed") return reason.why;
	return null;
}

export function rejudged(log: TaskLog, again: OverruledTurn | null): Write[] {
	if (again === null) return [];
	const { turn, closed, open, rationale } = again;
	return [
		...closed.flatMap((finding) => findingChanged(log, finding)),
		...verdictGiven(log, turn, { open: open.length, rationale }),
	];
}

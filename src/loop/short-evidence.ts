import { treeOf } from "../git/changes.ts";
import { missingEvidence, requiredEvidence } from "../review/effective-verdict.ts";
import type { TurnRecord } from "../store/records.ts";
import type { TaskContext } from "./context.ts";
import type { TaskState } from "./state.ts";
import { turnEvidence } from "./turn-evidence.ts";
import { turnGate } from "./turn-gate.ts";

/**
 * What a turn lacks of the evidence that commands have to give at its gate's tier: names of checks, or areas of the
 * gate. Whether criteria are covered is left out: that is the coach's word as well.
 */
export async function shortOfTurn(
	context: TaskContext,
	state: TaskState,
	turn: TurnRecord,
): Promise<string[]> {
	const tree = await treeOf(context.vault, state.commit);
	const evidence = await turnEvidence(context, turn.turn);
	const required = requiredEvidence(evidence).filter(({ status }) => status !== "pass");
	const checks = [
		...required.map(({ check }) => check),
		...missingEvidence(evidence, context.workflow.checks),
	];
	if (checks.length > 0) return checks;
	const report = turnGate(context, { tree, evidence, turn, score: null });
	if (report === null) return [];
	const { verification, operational_readiness: readiness } = report.evidence_checks;
	return [
		...(isShort(verification) ? [`verification (${verification.details})`] : []),
		...(isShort(readiness) ? [`operational readiness (${readiness.details})`] : []),
	];
}

const isShort = ({ status }: { readonly status: string }): boolean =>
	status === "FAIL" || status === "ABSENT";

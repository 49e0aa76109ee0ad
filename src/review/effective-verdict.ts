import type { CoachReport } from "../agents/report.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { Finding } from "./finding.ts";
import { isBlocking } from "./finding-state.ts";
import type { JudgedSuspicion } from "./suspicion-answers.ts";
import type { VerdictReason } from "./verdict-reason.ts";

export interface BlockerInput {
	readonly criteria: readonly CriterionStatement[];
	readonly open: readonly Finding[];
	readonly evidence: readonly Evidence[];
	readonly missing?: readonly string[];
	readonly verificationShort?: string | null;
	readonly suspicions?: readonly JudgedSuspicion[];
}

export interface Verdict {
	readonly raw: CoachReport["decision"];
	readonly effective: CoachReport["decision"];
	readonly reasons: readonly VerdictReason[];
}

const isRequired = (kind: Evidence["kind"]): boolean =>
	kind === "acceptance" || kind === "integrity" || kind === "replay";

/** Need of an approval at tier T0: acceptance checks, our own integrity comparison, and the replay. */
export interface Required {
	/** The required evidence that there is. */
	readonly evidence: readonly Evidence[];
	/**
	 * Names of what should have left evidence and did not: acceptance checks of the workflow, and `integrity`. A check that
	 * was never run is short like one that was absent.
	 */
	readonly missing: readonly string[];
	/** The required evidence without a pass, other than replays that had nothing to replay. */
	readonly failed: readonly Evidence[];
	/** Names of all that stands in the way: what failed, then what is missing. */
	readonly short: readonly string[];
}

/**
 * Evidence that is required, and what of it a turn lacks. `checks` is empty for work that was checked when it
 * merged.
 */
export function requiredOf(
	evidence: readonly Evidence[],
	checks: readonly Pick<CheckDefinition, "name" | "kind">[],
): Required {
	const required = evidence.filter(({ kind }) => isRequired(kind));
	const failed = required.filter(isShort);
	const names = checks.filter(({ kind }) => isRequired(kind)).map(({ name }) => name);
	const missing = names.filter((name) => !evidence.some(({ check }) => check === name));
	if (!evidence.some(({ kind }) => kind === "integrity")) missing.push("integrity");
	return {
		evidence: required,
		missing,
		failed,
		short: [...failed.map((e) => e.check), ...missing],
	};
}

/**
 * Obstacles to the approval of a turn, in this order: unmet criteria, blocking findings, required evidence that is
 * not `pass`, verification, suspicions that nobody accepted. A finding that we made for an unmet criterion is not
 * named beside that criterion, and a suspicion not beside its finding.
 */
export function blockers(input: BlockerInput): VerdictReason[] {
	const unmet = new Set(input.criteria.filter(({ met }) => !met).map(({ criterion }) => criterion));
	const findings = input.open
		.filter(isBlocking)
		.filter((f) => f.source === "coach" || f.criterion === null || !unmet.has(f.criterion));
	const short = input.evidence.filter(isShort);
	const verification = input.verificationShort ?? null;
	const named = new Set(findings.map(({ suspicion }) => suspicion));
	const suspicions = (input.suspicions ?? []).filter(({ suspicion }) => !named.has(suspicion.id));
	return [
		...[...unmet].map((criterion) => ({ kind: "criterion_unmet" as const, criterion })),
		...findings.map(({ id, severity, state, issue }) => {
			return { kind: "finding_open" as const, id, severity, state, issue };
		}),
		...short.map(({ check, status, reason: why }) => {
			return { kind: "check_short" as const, check, status, why };
		}),
		...(input.missing ?? []).map((check) => ({ kind: "check_missing" as const, check })),
		...(verification === null ? [] : [{ kind: "verification_short" as const, why: verification }]),
		...suspicions.map(({ suspicion: { id, rule, file, line }, state, reason }) => ({
			kind: "suspicion_open" as const,
			id,
			what: rule,
			file,
			line,
			refusal: state === "refused" ? reason : null,
		})),
	];
}

/**
 * The verdict of a turn, computed in code: a coach's `approve` counts only if nothing stands in
 * the way, else it becomes `feedback` with the reasons. It is never turned the other way.
 *
 * Where nothing was changed, an approval needs passed tests that show that the work was there already (`unshown`).
 *
 * @example an approval while `tests` is `absent` gives
 * `{ raw: "approve", effective: "feedback", reasons: [{ kind: "check_short", check: "tests", status: "absent", why: "no test ran" }] }`
 */
export function effectiveVerdict(
	input: BlockerInput & {
		readonly report: Pick<CoachReport, "decision">;
		/** What such tests lack; null or left out: something was changed, or they are there. */
		readonly unshown?: string | null;
	},
): Verdict {
	const { decision: raw } = input.report;
	const reasons = blockers(input);
	if (input.unshown != null) reasons.push({ kind: "nothing_changed", why: input.unshown });
	const approved = raw === "approve" && reasons.length === 0;
	return { raw, effective: approved ? "approve" : "feedback", reasons };
}

import type { VerifiedWork } from "../../review/evidence-text.ts";
import type { Suite } from "../../verification/suite.ts";
import type { VerificationReason, VerificationResult } from "../../verification/verification.ts";
import { verificationReasonText } from "../../verification/verification-text.ts";
import { taskStep, turnStep } from "./task-log.ts";

export interface TurnVerification
	extends Omit<VerificationResult, "suites" | "answers" | "commit"> {
	readonly required: boolean;
	readonly commit: string | null;
	readonly attempts: number;
}

/** Step of the verification of a turn. */
export const verificationStep = turnStep<TurnVerification>("verification");

/** Step of the tests of a task, those of all its subtasks. */
export const suitesStep = taskStep<readonly Suite[]>("verification-suites");

/** Result of independent verification. */
export interface VerificationReport extends VerifiedWork {
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive";
	/** Output of the last run, relative to the repository. */
	readonly output_path: string | null;
	/** The commit that was verified; null where nothing was. */
	readonly commit: string | null;
	/** Failed verifications in a row. */
	readonly attempts: number;
	/**
	 * Cost of the verifier's calls of the task, all turns together: US dollars, null where unknown. Only in status and
	 * trace.
	 */
	readonly usage?: { readonly calls: number; readonly cost_usd: number | null };
}

/** The verification of a turn as files and programs read it. */
export function verificationReport(verification: TurnVerification): VerificationReport {
	const { verdict, required, reasons, tests, run, outputPath, commit, attempts } = verification;
	return {
		verdict,
		required,
		reasons: reasons.map(verificationReasonText),
		tests: tests.map(({ path, name, status }) => ({ path, name, status })),
		run,
		output_path: outputPath === null ? null : `.sparring/${outputPath}`,
		commit,
		attempts,
	};
}

/**
 * Verdict that stands in the way of an approval; null where none does. Skipped is in nobody's way: where that must
 * not pass, the gate says so.
 */
export function verificationShort(
	verification: Pick<TurnVerification, "required" | "verdict"> | null,
): string | null {
	if (verification === null || !verification.required) return null;
	const { verdict } = verification;
	return verdict === "passed" || verdict === "skipped" ? null : verdict;
}

const UNVERIFIED: ReadonlySet<VerificationReason["kind"]> = new Set([
	"no_verifier",
	"verifier_failed",
	"unverified",
	"nothing_left",
]);

export function isUnverified(
	verification: Pick<TurnVerification, "required" | "reasons"> | null,
): boolean {
	if (verification?.required !== true) return false;
	return verification.reasons.some(({ kind }) => UNVERIFIED.has(kind));
}

import { type EvidenceStatus, evidenceWords } from "../kernel/evidence-value.ts";
import { textAt } from "../kernel/text-at.ts";
import { type Suspicion, suspicionWhat } from "../wall/suspicion.ts";
import { excerpt } from "./excerpt.ts";
import type { Finding } from "./finding.ts";

/**
 * Reason why a turn is judged as it is: mostly what stands in the way of an approval. {@link verdictReasonText} puts
 * it into words.
 */
export type VerdictReason =
	| { readonly kind: "criterion_unmet"; readonly criterion: string }
	| ({ readonly kind: "finding_open" } & Pick<Finding, "id" | "severity" | "state" | "issue">)
	| {
			readonly kind: "check_short";
			readonly check: string;
			readonly status: EvidenceStatus;
			readonly why: string | null;
	  }
	/** A required check that left no record. */
	| { readonly kind: "check_missing"; readonly check: string }
	| { readonly kind: "verification_short"; readonly why: string }
	/** A suspicion that nobody accepted. */
	| ({
			readonly kind: "suspicion_open";
			/** The coach's, where it refused it; null: nobody answered. */
			readonly refusal: string | null;
			readonly what: Suspicion["rule"];
	  } & Pick<Suspicion, "id" | "file" | "line">)
	/** Nothing was changed, and nobody showed that it is right as it is; `why` is what a coach's proof lacks, null without a coach. */
	| { readonly kind: "nothing_changed"; readonly why: string | null }
	/** Of an approval: the coach's refusal rested on findings that were decided against it. */
	| { readonly kind: "overruled"; readonly findings: readonly string[] }
	/** What the gate says of one of its areas, such as `"verification"`. */
	| {
			readonly kind: "gate";
			readonly tier: string;
			readonly area: string;
			readonly why: string;
	  };

/** A reason in one sentence, as `required check tests is absent: no test ran`. */
export function verdictReasonText(reason: VerdictReason): string {
	switch (reason.kind) {
		case "criterion_unmet":
			return `criterion not met: ${excerpt(reason.criterion)}`;
		case "finding_open":
			return `finding ${reason.id} (${reason.severity}) is ${reason.state}: ${excerpt(reason.issue)}`;
		case "check_short": {
			const why = reason.why === null ? "" : `: ${excerpt(reason.why)}`;
			return `required check ${reason.check} ${evidenceWords(reason.status)}${why}`;
		}
		case "check_missing":
			return `required check ${reason.check} left no evidence`;
		case "verification_short":
			return `verification: ${excerpt(reason.why)}`;
		case "suspicion_open": {
			const { id, what, refusal } = reason;
			const answer = refusal === null ? "nobody answered it" : `not accepted: ${excerpt(refusal)}`;
			return `suspicion ${id} at ${excerpt(textAt(reason))} (${suspicionWhat(what)}): ${answer}`;
		}
		case "nothing_changed": {
			const why = reason.why === null ? "" : `: ${excerpt(reason.why, 500)}`;
			return `nothing was changed, and it is not shown that the work was there already${why}`;
		}
		case "overruled":
			return `overruled: ${reason.findings.join(", ")}`;
		case "gate":
			return `gate ${reason.tier}: ${reason.why}`;
	}
}

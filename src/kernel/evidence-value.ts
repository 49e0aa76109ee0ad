/**
 * The values of evidence: `pass`, `fail`, or no value, which is `absent` with a reason
 * or `error`. Never a boolean: nothing run is absent, not passed and not failed.
 */
export type EvidenceStatus = "pass" | "fail" | "absent" | "error";

export const EVIDENCE_STATUSES: readonly EvidenceStatus[] = ["pass", "fail", "absent", "error"];

/** Whether evidence says something: only `pass` and `fail` do. */
export function hasValue(status: EvidenceStatus): boolean {
	return status === "pass" || status === "fail";
}

/**
 * The values of evidence: `pass`, `fail`, or no value, which is `absent` with a reason
 * or `error`. Never a boolean: nothing run is absent, not passed and not failed.
 */
export const EVIDENCE_STATUSES = ["pass", "fail", "absent", "error"] as const;

export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];

/** Tells whether evidence says something: only `pass` and `fail` do. */
export function hasValue(status: EvidenceStatus): boolean {
	return status === "pass" || status === "fail";
}

const WORDS: Readonly<Record<EvidenceStatus, string>> = {
	pass: "passed",
	fail: "failed",
	absent: "is absent",
	error: "could not be judged",
};

/** A check's outcome behind its name in a sentence: `"tests failed"`, `"lint is absent"`. */
export function evidenceWords(status: EvidenceStatus): string {
	return WORDS[status];
}

import type { Finding, Ruling } from "./finding.ts";

/** Tells whether a finding still wants a fix: all states but fixed, withdrawn and overruled. */
export function isOpen(finding: Pick<Finding, "state">): boolean {
	switch (finding.state) {
		case "open":
		case "reopened":
		case "disputed":
		case "upheld":
			return true;
		case "fixed":
		case "withdrawn":
		case "overruled":
			return false;
	}
}

/**
 * Tells whether a finding stands in the way of an approval: open, not late, and critical, major or tied to a
 * criterion.
 */
export function isBlocking(finding: Finding): boolean {
	if (!isOpen(finding) || finding.late) return false;
	return finding.severity !== "minor" || finding.criterion !== null;
}

/** A finding after a decision on it. PASS overrules it; with FAIL it stands as it is. */
export function withRuling(finding: Finding, ruling: Ruling): Finding {
	const ruled = { ...finding, ruling };
	return ruling.decision === "PASS"
		? { ...ruled, state: "overruled", changedTurn: ruling.turn }
		: ruled;
}

/** Tells whether the coach upheld a disputed finding in this turn; such a turn counts in no stall. */
export function wasUpheld(finding: Finding, turn: number): boolean {
	return finding.state === "upheld" && finding.changedTurn === turn;
}

/**
 * Tells whether a finding escalates in this turn: it is critical, and was raised or reopened in it, also by a rise
 * in severity. A critical one that merely stays open does not escalate again. `before`: the same finding before this
 * turn; undefined when it is new.
 */
export function escalates(finding: Finding, before: Finding | undefined): boolean {
	if (finding.severity !== "critical" || !isOpen(finding)) return false;
	return before?.severity !== "critical" || (finding.state === "reopened" && !isOpen(before));
}

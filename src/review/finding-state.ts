import type { Finding } from "./finding.ts";

/** Whether a finding still wants a fix: all states but fixed, withdrawn and overruled. */
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
 * Whether a finding stands in the way of an approval: it is open, not late, and
 * critical, major or tied to a criterion. A minor one never is.
 */
export function isBlocking(finding: Finding): boolean {
	if (!isOpen(finding) || finding.late) return false;
	return finding.severity !== "minor" || finding.criterion !== null;
}

/** Whether the coach upheld a disputed finding in this turn; such a turn counts in no stall. */
export function wasUpheld(finding: Finding, turn: number): boolean {
	return finding.state === "upheld" && finding.changedTurn === turn;
}

/**
 * Whether a finding escalates in this turn: it is critical, and was raised or reopened in it. A critical one that
 * merely stays open does not escalate again. One whose severity rose counts as raised:
 * `changed` of the ledger's update holds it, so pass the finding as it stood before, too.
 *
 * @param before the same finding before this turn; undefined when it is new
 */
export function escalates(finding: Finding, before: Finding | undefined): boolean {
	if (finding.severity !== "critical" || !isOpen(finding)) return false;
	return before?.severity !== "critical" || (finding.state === "reopened" && !isOpen(before));
}

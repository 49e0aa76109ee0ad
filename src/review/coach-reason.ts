import type { CoachReport } from "../agents/report.ts";
import { normaliseFindingId } from "./apply-disputes.ts";
import type { CriterionStatus } from "./criteria.ts";
import type { Finding } from "./finding.ts";

type Word = CoachReport["findings_status"][number]["status"];

function wordFor(state: Finding["state"]): Word | null {
	switch (state) {
		case "fixed":
		case "withdrawn":
			return state;
		case "open":
		case "reopened":
		case "upheld":
			return "open";
		case "disputed":
		case "overruled":
			return null;
	}
}

/**
 * What a coach says for the state that a finding has after its round: the reason that it gives beside that word; for a
 * finding that Sparring made for a criterion, otherwise what it says of the criterion.
 *
 * A reason beside another word is not given: a report that calls a finding both fixed and open says nothing for either.
 *
 * @returns null where it says nothing, or nothing that the finding's issue does not hold already
 */
export function coachReason(
	finding: Pick<Finding, "id" | "state" | "source" | "criterion" | "issue">,
	report: Pick<CoachReport, "findings_status">,
	criteria: readonly CriterionStatus[],
): string | null {
	const word = wordFor(finding.state);
	const said = report.findings_status.filter(({ id }) => normaliseFindingId(id) === finding.id);
	const reasons = said
		.filter(({ status }) => status === word)
		.map(({ reason }) => reason?.trim() ?? "");
	const given = reasons.find((reason) => reason !== "");
	if (given !== undefined) return given;
	if (finding.source !== "criterion" || word === null) return null;
	const words = criteria.find(({ criterion }) => criterion === finding.criterion)?.evidence ?? null;
	return words === null || finding.issue.includes(words) ? null : words;
}

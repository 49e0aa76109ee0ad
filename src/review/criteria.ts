import type { CoachReport } from "../agents/report.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import { normaliseFindingId } from "./apply-disputes.ts";
import { excerpt } from "./excerpt.ts";
import { collapse, type Finding, issueKey } from "./finding.ts";

type CriterionEntry = CoachReport["requirements_status"][number];

// The same text but for white space, else the same issue key.
export function matchCriterion(criteria: readonly string[], text: string): string | null {
	const words = collapse(text);
	const exact = criteria.find((criterion) => collapse(criterion) === words);
	if (exact !== undefined) return exact;
	const key = issueKey(text);
	return criteria.find((criterion) => issueKey(criterion) === key) ?? null;
}

function judge(criterion: string, entries: readonly CriterionEntry[]): CriterionStatement {
	const unmet = entries.filter((entry) => !entry.met);
	const met = entries.length > 0 && unmet.length === 0;
	const deciding = met ? entries : unmet;
	const words = deciding.map(({ evidence }) => evidence?.trim() ?? "").find((text) => text !== "");
	return {
		criterion,
		met,
		evidence: words ?? null,
		tests: [...new Set(entries.flatMap(({ tests }) => tests))],
	};
}

/**
 * The coach's status of each criterion, in the task's order. One that the report does not mention is unmet, and so
 * is one that it calls both met and unmet; statuses for other texts are ignored.
 */
export function criteriaStatus(
	criteria: readonly string[],
	report: Pick<CoachReport, "requirements_status">,
): CriterionStatement[] {
	const entries = Map.groupBy(report.requirements_status, (entry) => {
		const criterion = matchCriterion(criteria, entry.criterion);
		return criterion === null ? null : collapse(criterion);
	});
	return criteria.map((criterion) => judge(criterion, entries.get(collapse(criterion)) ?? []));
}

const MAX_ATTEMPTS = 50;
const MAX_TEXT = 500;

/**
 * Attempts to break the work, as the coach tells them: at most 50, each text cut at 500 characters. An entry that
 * names neither what was tried nor a command is none.
 */
export function attemptsOf({
	attempts,
}: Pick<CoachReport, "attempts">): CoachReport["attempts"][number][] {
	return attempts
		.map(({ what, command, outcome }) => ({
			what: excerpt(what, MAX_TEXT),
			command: excerpt(command, MAX_TEXT),
			outcome: excerpt(outcome, MAX_TEXT),
		}))
		.filter(({ what, command }) => what !== "" || command !== "")
		.slice(0, MAX_ATTEMPTS);
}

function wordFor(state: Finding["state"]): CoachReport["findings_status"][number]["status"] | null {
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
 * Reason of a coach for the state that a finding has after its round, given beside that word; for a finding that
 * Sparring made for a criterion, otherwise its word on the criterion. Null where it says nothing that the issue does
 * not hold already.
 */
export function coachReason(
	finding: Pick<Finding, "id" | "state" | "source" | "criterion" | "issue">,
	report: Pick<CoachReport, "findings_status">,
	criteria: readonly CriterionStatement[],
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

import type { CoachReport } from "../agents/report.ts";
import { collapse, issueKey } from "./finding.ts";

/** What the coach says of one acceptance criterion. A claim of the coach, not evidence. */
export interface CriterionStatus {
	/** The task's own text. */
	readonly criterion: string;
	readonly met: boolean;
	/** The coach's words; null when it gave none. */
	readonly evidence: string | null;
	/** Names of test cases that the coach says show it. */
	readonly tests: readonly string[];
}

type Entry = CoachReport["requirements_status"][number];

/**
 * The one of the task's criteria that a text means: the same text but for white space, else the same issue key.
 *
 * @returns the criterion as the task states it; null when it means none of them
 */
export function matchCriterion(criteria: readonly string[], text: string): string | null {
	const words = collapse(text);
	const exact = criteria.find((criterion) => collapse(criterion) === words);
	if (exact !== undefined) return exact;
	const key = issueKey(text);
	return criteria.find((criterion) => issueKey(criterion) === key) ?? null;
}

function judge(criterion: string, entries: readonly Entry[]): CriterionStatus {
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
 * The coach's status of every criterion that it was asked to judge, in the task's order.
 *
 * Matched by text as in {@link matchCriterion}. A criterion that the report does not mention is unmet, and so is
 * one that it calls both met and unmet; statuses for other texts are ignored.
 */
export function criteriaStatus(
	criteria: readonly string[],
	report: Pick<CoachReport, "requirements_status">,
): CriterionStatus[] {
	const entries = new Map<string, Entry[]>();
	for (const entry of report.requirements_status) {
		const criterion = matchCriterion(criteria, entry.criterion);
		if (criterion === null) continue;
		const key = collapse(criterion);
		entries.set(key, [...(entries.get(key) ?? []), entry]);
	}
	return criteria.map((criterion) => judge(criterion, entries.get(collapse(criterion)) ?? []));
}

import type { CoachReport } from "../agents/report.ts";
import { matchCriterion } from "./criteria.ts";
import { type Finding, issueKey, type Severity } from "./finding.ts";

/** A finding before it has an id and a state. */
export interface Claim
	extends Pick<
		Finding,
		"issue" | "severity" | "file" | "line" | "criterion" | "suggestion" | "suspicion"
	> {
	readonly key: string;
}

const RANK: Readonly<Record<Severity, number>> = { minor: 0, major: 1, critical: 2 };

export function higherSeverity(a: Severity, b: Severity): Severity {
	return RANK[a] >= RANK[b] ? a : b;
}

export function criterionIssue(criterion: string): string {
	return `Criterion not met: ${criterion}`;
}

export function suspicionIssue(id: string): string {
	return `Suspicion ${id} was not accepted`;
}

/**
 * The key by which a finding is recognised when it is raised again: the issue key of its text. For a finding that
 * Sparring made for a criterion it is that of the criterion alone, since the coach words its evidence differently each
 * time. Likewise that of a suspicion is made of its id.
 */
export function findingKey(
	finding: Pick<Finding, "issue" | "source" | "criterion" | "suspicion">,
): string {
	if (finding.suspicion !== undefined) return issueKey(suspicionIssue(finding.suspicion));
	const own = finding.source === "criterion" && finding.criterion !== null;
	return issueKey(own ? criterionIssue(finding.criterion) : finding.issue);
}

export function claimOf(
	item: CoachReport["feedback_items"][number],
	criteria: readonly string[],
): Claim {
	const file = (item.file ?? "").trim().replace(/^(?:\.\/)+/, "");
	const suggestion = item.suggestion ?? "";
	return {
		key: issueKey(item.issue),
		issue: item.issue,
		severity: item.severity,
		file: file === "" ? null : file,
		line: item.line ?? null,
		criterion: matchCriterion(criteria, item.criterion ?? ""),
		suggestion: suggestion.trim() === "" ? null : suggestion,
	};
}

// Generous, since a wrong "no" would make a finding late and so let it pass: a directory stands for what is in it, a
// line number after the name is dropped, and an absolute or shortened path counts when its end agrees.
export function isTouched(changedFiles: ReadonlySet<string>, file: string): boolean {
	const path = file.replace(/(?::\d+){1,2}$/, "");
	const folder = path.endsWith("/") ? path : `${path}/`;
	return [...changedFiles].some(
		(changed) =>
			changed === path ||
			path.endsWith(`/${changed}`) ||
			changed.endsWith(`/${path}`) ||
			changed.startsWith(folder),
	);
}

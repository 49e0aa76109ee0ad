import type { FindingReport } from "../review/finding-report.ts";
import { isOpen } from "../review/finding-state.ts";
import type { CriterionStatement } from "../trace/criterion-statement.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { CriterionView } from "./run-view.ts";

/** Each criterion of a task and of its subtasks with the last word on it: with subtasks, a turn judges only some of them. */
export function criteriaOf(
	task: Pick<TaskDefinition, "acceptanceCriteria" | "subtasks">,
	events: readonly StoredEvent[],
	findings: readonly FindingReport[],
): CriterionView[] {
	const said = new Map<string, CriterionStatement>();
	for (const { type, data } of events) {
		if (type !== "turn-judged" && type !== "confidence-scored") continue;
		for (const statement of data.criteria ?? []) said.set(statement.criterion, statement);
	}
	const criteria = [task, ...(task.subtasks ?? [])].flatMap((part) => part.acceptanceCriteria);
	return [...new Set(criteria)].map((criterion) => {
		const last = said.get(criterion);
		const about = findings.filter((finding) => finding.criterion === criterion);
		// Said nothing of a criterion that it was asked about, a judge counts as calling it unmet.
		const isUnmet = last?.met === false || about.some(isOpenlyUnmet);
		const none = last === undefined ? "unjudged" : "met";
		const unmet = about.at(-1)?.state === "overruled" ? "overruled" : "unmet";
		const status = isUnmet ? unmet : none;
		return { criterion, status, evidence: last?.evidence ?? null, tests: last?.tests ?? [] };
	});
}

function isOpenlyUnmet(finding: FindingReport): boolean {
	return finding.source === "criterion" && isOpen(finding);
}

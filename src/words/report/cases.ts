import { ALREADY_DONE, isDelivered } from "../../kernel/task-state.ts";
import type { CheckView, CriterionView, RunView, TaskView } from "../../view/run-view.ts";

export interface Case {
	readonly name: string;
	// `error`: there is no result. `skipped`: none was asked for. `pending`: none is there yet.
	readonly status: "passed" | "failed" | "error" | "skipped" | "pending";
	readonly message: string | null;
	readonly details: readonly string[];
	readonly ms: number;
}

export interface TaskCases {
	readonly task: TaskView;
	readonly cases: readonly Case[];
}

export function suitesOf({ tasks }: RunView): TaskCases[] {
	return tasks.map((task) => ({ task, cases: casesOf(task) }));
}

const plain = (name: string, status: Case["status"], message: string | null): Case => {
	return { name, status, message, details: [], ms: 0 };
};

function casesOf(task: TaskView): Case[] {
	return [
		endCase(task),
		...task.criteria.map(criterionCase),
		...task.evidence.filter(decides).map((piece) => evidenceCase(piece, isDelivered(task.report))),
		...verificationCases(task),
		...gateCases(task),
	];
}

// Evidence that a gate never asks for says nothing of success.
const decides = ({ kind }: CheckView): boolean =>
	kind !== "checklist" && kind !== "mutation" && kind !== "power";

function endCase({ report }: TaskView): Case {
	const {
		status,
		failure_reason: reason,
		human_item: item,
		human_item_answered: answered,
	} = report;
	const name = "the task completes";
	switch (status) {
		case "completed":
			return plain(
				name,
				"passed",
				report.flags.includes(ALREADY_DONE) ? "nothing to merge: the work was there already" : null,
			);
		case "failed":
			return plain(name, "failed", reason ?? "it failed");
		case "blocked":
			return plain(name, "skipped", reason ?? "a task that it depends on failed");
		case "cancelled":
			return plain(name, "skipped", "it was cancelled");
		case "paused_for_human":
			return plain(
				name,
				"pending",
				`${answered ? "its question is answered" : "it waits for a person"}${item === null ? "" : `: ${item}`}`,
			);
		case "pending":
		case "running":
		case "needs_rework":
			return plain(name, "pending", "it has not ended");
	}
}

function criterionCase({ criterion, status, evidence }: CriterionView): Case {
	const name = `criterion: ${criterion}`;
	switch (status) {
		case "met":
			return plain(name, "passed", evidence);
		case "overruled":
			return plain(name, "passed", "the finding about it was overruled");
		case "unmet":
			return plain(name, "failed", evidence ?? "the coach calls it unmet");
		case "unjudged":
			return plain(name, "skipped", "nobody judged it");
	}
}

// `merged`: nothing that was required is short, and what has no value was not asked for.
function evidenceCase(piece: CheckView, merged: boolean): Case {
	const { check, kind, purpose, status, reason, details, ms } = piece;
	const at = purpose === "assembled" ? " on the merged tree" : "";
	// Sparring's own checks are named by their kind.
	const isNamed = check === kind || check.startsWith(`${kind}:`);
	const name = `${isNamed ? check : `${kind} ${check}`}${at}`;
	const none = status === "absent" && merged ? "skipped" : "error";
	const found = status === "pass" ? "passed" : status === "fail" ? "failed" : none;
	return { name, status: found, message: reason, details, ms: Math.round(ms) };
}

const VERIFIED = {
	passed: "passed",
	failed: "failed",
	skipped: "skipped",
	inconclusive: "error",
} as const;

function verificationCases({ report }: TaskView): Case[] {
	const verified = report.verification_result;
	if (verified === null || (verified.verdict === "skipped" && !verified.required)) return [];
	const name = "independent verification";
	const reasons = verified.reasons.join("; ");
	return [
		plain(name, VERIFIED[verified.verdict], reasons === "" ? null : reasons),
		...verified.tests.map(({ path, name: test, status }) => {
			const withdrawn = status === "withdrawn" ? "skipped" : "failed";
			return plain(
				`${name}: ${test} (${path})`,
				status === "passed" ? "passed" : withdrawn,
				status,
			);
		}),
	];
}

function gateCases({ gate }: TaskView): Case[] {
	if (gate === null) return [];
	const { risk_tier: tier, verdict, rule } = gate;
	return [plain(`gate ${tier}`, verdict === "PASS" ? "passed" : "failed", rule)];
}

export function msBetween(start: string | null, end: string | null): number {
	return start === null || end === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(start));
}

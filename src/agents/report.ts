import { z } from "zod";
import { type Parsed, parseReport, type Report } from "./parse-report.ts";

// Agents write null for what they leave out: both mean the default.
const text = z
	.string()
	.nullish()
	.transform((value) => value ?? "");
const optionalText = z
	.string()
	.nullish()
	.transform((value) => value ?? undefined)
	.optional();
const texts = z
	.array(z.string())
	.nullish()
	.transform((value) => value ?? []);
const listOf = <T extends z.ZodType>(item: T) =>
	z
		.array(item)
		.nullish()
		.transform((value) => value ?? []);

// No line of a file has the number 0: models write it for "the whole file".
const line = z
	.int()
	.nullish()
	.transform((value) => (typeof value === "number" && value > 0 ? value : undefined))
	.optional();

const playerReport = z.looseObject({
	files_modified: texts,
	files_created: texts,
	tests_written: texts,
	// Checks that it ran itself, by name or command.
	checks_passed: texts,
	implementation_notes: text,
	concerns: texts,
	// Rebuttals of findings, by id such as "F2".
	disputes: listOf(z.looseObject({ finding: text, reason: text, evidence: optionalText })),
});

export const requirementsStatus = listOf(
	z.looseObject({
		// The criterion's text.
		criterion: z.string(),
		met: z.boolean(),
		evidence: optionalText,
		// Names of the test cases that show it.
		tests: texts,
	}),
);

const coachFields = z.looseObject({
	decision: z.enum(["approve", "feedback"]).nullish(),
	// The challenger's word of a pair for the same: true is "approve", false is "feedback".
	challenger_approved: z.boolean().nullish(),
	rationale: text,
	requirements_status: requirementsStatus,
	findings_status: listOf(
		z.looseObject({
			id: z.string(),
			status: z.enum(["fixed", "open", "withdrawn"]),
			// Why; of a disputed finding its answer to the dispute.
			reason: optionalText,
		}),
	),
	// What it says of each suspicion that it was shown, by id such as "s-1f2e3d4c".
	suspicions_status: listOf(z.looseObject({ id: z.string(), ok: z.boolean(), reason: text })),
	// What the coach tried in order to break the work: shown to people, and no ground of a verdict.
	attempts: listOf(z.looseObject({ what: text, command: text, outcome: text })),
	feedback_items: listOf(
		z.looseObject({
			issue: z.string().refine((value) => value.trim() !== "", "expected a non-empty string"),
			severity: z
				.enum(["minor", "major", "critical"])
				.nullish()
				.transform((value) => value ?? "minor"),
			file: optionalText,
			// From 1.
			line,
			criterion: optionalText,
			suggestion: optionalText,
		}),
	),
});

const coachReport = coachFields.transform((report, context) => {
	const { decision, challenger_approved: approved } = report;
	const signalled = approved == null ? null : approved ? "approve" : "feedback";
	const said = decision ?? signalled;
	const path = ["decision"];
	if (said === null) {
		const message = 'expected "approve" or "feedback", or challenger_approved: true or false';
		context.addIssue({ code: "custom", path, message });
		return z.NEVER;
	}
	if (signalled !== null && signalled !== said) {
		const message = `${said} disagrees with challenger_approved: ${String(approved)}`;
		context.addIssue({ code: "custom", path, message });
		return z.NEVER;
	}
	return { ...report, decision: said };
});

/** What the player says about its turn: claims, never evidence. */
export type PlayerReport = Report<typeof playerReport>;

/**
 * The coach's judgement of a turn. Only `decision` approves, and only if code agrees; it holds what the report said by
 * either of its words.
 */
export type CoachReport = Report<typeof coachReport>;

/**
 * Reads a player's report. Every field has a default (`{}` is a report); unknown fields are kept. A key that
 * stands twice in one object makes it invalid, since it says two things.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 */
export function parsePlayerReport(source: string | null, problem?: string): Parsed<PlayerReport> {
	return parseReport({ text: source, problem }, playerReport);
}

/**
 * Reads a coach's report. It decides by `decision`, by `challenger_approved`, or by both where they agree; without
 * either, or where they disagree, it is invalid. Both are exact: `"Approve"` is no decision, and `"true"` no approval.
 * Likewise required and exact are `criterion` and `met` of a status, `id` and `status` of a finding, `id` and `ok` of a suspicion, and the `issue` of an item. Unknown fields are kept. A key that
 * stands twice in one object makes the report invalid, since it says two things.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @example `parseCoachReport('{"challenger_approved":true}')` is ok, with `decision` `"approve"` and empty lists
 */
export function parseCoachReport(source: string | null, problem?: string): Parsed<CoachReport> {
	return parseReport({ text: source, problem }, coachReport);
}

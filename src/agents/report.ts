import { z } from "zod";
import { type Parsed, parseReport } from "./parse-report.ts";

/** What the player says about its turn: claims, never evidence. */
export interface PlayerReport {
	readonly files_modified: readonly string[];
	readonly files_created: readonly string[];
	readonly tests_written: readonly string[];
	readonly implementation_notes: string;
	readonly concerns: readonly string[];
	/** Rebuttals of findings, by id such as `"F2"`. */
	readonly disputes: readonly {
		readonly finding: string;
		readonly reason: string;
		readonly evidence?: string | undefined;
	}[];
}

/** The coach's judgement of a turn. Only `decision` approves, and only if code agrees. */
export interface CoachReport {
	readonly decision: "approve" | "feedback";
	readonly rationale: string;
	readonly requirements_status: readonly {
		/** The criterion's text. */
		readonly criterion: string;
		readonly met: boolean;
		readonly evidence?: string | undefined;
		/** Names of the test cases that show it. */
		readonly tests: readonly string[];
	}[];
	readonly findings_status: readonly {
		readonly id: string;
		readonly status: "fixed" | "open" | "withdrawn";
		/** Why; of a disputed finding its answer to the dispute. */
		readonly reason?: string | undefined;
	}[];
	readonly feedback_items: readonly {
		readonly issue: string;
		readonly severity: "minor" | "major" | "critical";
		readonly file?: string | undefined;
		/** From 1. */
		readonly line?: number | undefined;
		readonly criterion?: string | undefined;
		readonly suggestion?: string | undefined;
	}[];
}

// Agents write null for what they leave out: both mean the default.
const text = z
	.string()
	.nullish()
	.transform((value) => value ?? "");
const optionalText = z
	.string()
	.nullish()
	.transform((value) => value ?? undefined);
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
	.transform((value) => (typeof value === "number" && value > 0 ? value : undefined));

const playerReport = z.looseObject({
	files_modified: texts,
	files_created: texts,
	tests_written: texts,
	implementation_notes: text,
	concerns: texts,
	disputes: listOf(z.looseObject({ finding: text, reason: text, evidence: optionalText })),
});

const coachReport = z.looseObject({
	decision: z.enum(["approve", "feedback"]),
	rationale: text,
	requirements_status: listOf(
		z.looseObject({
			criterion: z.string(),
			met: z.boolean(),
			evidence: optionalText,
			tests: texts,
		}),
	),
	findings_status: listOf(
		z.looseObject({
			id: z.string(),
			status: z.enum(["fixed", "open", "withdrawn"]),
			reason: optionalText,
		}),
	),
	feedback_items: listOf(
		z.looseObject({
			issue: z.string().refine((value) => value.trim() !== "", "expected a text that is not empty"),
			severity: z
				.enum(["minor", "major", "critical"])
				.nullish()
				.transform((value) => value ?? "minor"),
			file: optionalText,
			line,
			criterion: optionalText,
			suggestion: optionalText,
		}),
	),
});

/**
 * Reads a player's report. Every field has a default (`{}` is a report); unknown fields are kept. A key that
 * stands twice in one object makes it invalid, since it says two things.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 */
export function parsePlayerReport(source: string | null, problem?: string): Parsed<PlayerReport> {
	return parseReport<PlayerReport>({ text: source, problem }, playerReport);
}

/**
 * Reads a coach's report. `decision` is required and exact: `"Approve"` is no decision; so are `criterion` and `met`
 * of a status, `id` and `status` of a finding, and the `issue` of an item. Unknown fields are kept. A key that
 * stands twice in one object makes the report invalid, since it says two things.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @example `parseCoachReport('{"decision":"approve"}')` is ok, with empty lists
 */
export function parseCoachReport(source: string | null, problem?: string): Parsed<CoachReport> {
	return parseReport<CoachReport>({ text: source, problem }, coachReport);
}

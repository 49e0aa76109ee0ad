import { z } from "zod";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { Role } from "../kernel/roles.ts";
import { type Parsed, parseReport, type Report } from "./parse-report.ts";

const REASONS = ["task", "test", "environment", "permission"] as const;

// A person reads all of it. The longest text is in UTF-16 code units.
const MOST = 20;
const LONGEST = 2_000;

const shown = (text: string): string => text.trim().slice(0, LONGEST).toWellFormed();

const shownText = z.string().catch("").transform(shown);

// Words by which an agent fills in a field that does not apply.
const NOTHING = /^(?:no(?:ne|thing)?|null|false|n\/?a|-*)\.?$/i;

function plain(value: unknown): unknown {
	if (Array.isArray(value)) return plain(value[0] ?? null);
	if (typeof value !== "string") return value;
	return NOTHING.test(value.trim()) ? null : { what: value };
}

const stopped = z.object({
	// A player that stops for another reason than these has a question about its task.
	reason: z.enum(REASONS).catch("task"),
	what: shownText,
	evidence: z
		.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.unknown()))
		.catch([])
		.transform((list) =>
			list
				.slice(0, MOST)
				.map((one) => shown(typeof one === "string" ? one : JSON.stringify(one)))
				.filter((one) => one !== ""),
		),
	proposal: shownText,
});

const blockedPart = z.looseObject({
	blocked: z.preprocess(plain, stopped.nullish().catch(null)),
});

/**
 * Reads `blocked` of a player's report; null where it says nothing. Read apart from the other fields, so that a mistake
 * in one of them does not take the word from a player that stops.
 */
export function blockedOf(source: string | null): PlayerBlocked | null {
	const parsed = parseReport({ text: source, problem: undefined }, blockedPart);
	return parsed.ok ? (parsed.report.blocked ?? null) : null;
}

type Schema = Readonly<Record<string, unknown>>;

// A field is read with a default for what an agent leaves out or writes as null. Strict modes of providers know no
// optional fields, so all are asked for, with null for what does not apply; `asked` is null for what is only read.
interface ReportField<Reader extends z.ZodType = z.ZodType> {
	readonly read: Reader;
	readonly asked: Schema | null;
}

const field = <Reader extends z.ZodType>(
	read: Reader,
	asked: Schema | null,
): ReportField<Reader> => ({
	read,
	asked,
});

const TEXT: Schema = { type: "string" };
const MAYBE_TEXT: Schema = { type: ["string", "null"] };
const BOOLEAN: Schema = { type: "boolean" };
const oneOf = (values: readonly string[]): Schema => ({ type: "string", enum: values });

const readText = z
	.string()
	.nullish()
	.transform((value) => value ?? "");
const text = field(readText, TEXT);
const maybeText = field(readText, MAYBE_TEXT);
const required = field(z.string(), TEXT);
const optionalText = field(
	z
		.string()
		.nullish()
		.transform((value) => value ?? undefined)
		.optional(),
	MAYBE_TEXT,
);
const chosen = <const Words extends readonly string[]>(...words: Words) =>
	field(z.enum(words), oneOf(words));

const listOf = <Reader extends z.ZodType>(item: ReportField<Reader>) =>
	field(
		z
			.array(item.read)
			.nullish()
			.transform((value) => value ?? []),
		{ type: "array", items: item.asked },
	);
const texts = listOf(required);

function object<Fields extends Readonly<Record<string, ReportField>>>(fields: Fields) {
	const readers = Object.entries(fields).map(([name, { read }]) => [name, read]);
	const asked = Object.entries(fields).flatMap(([name, each]) =>
		each.asked === null ? [] : [[name, each.asked] as const],
	);
	return field(
		// Each name has its field's reader.
		z.looseObject(Object.fromEntries(readers) as { [Name in keyof Fields]: Fields[Name]["read"] }),
		{
			type: "object",
			properties: Object.fromEntries(asked),
			required: asked.map(([name]) => name),
			additionalProperties: false,
		},
	);
}

const player = object({
	files_modified: texts,
	files_created: texts,
	tests_written: texts,
	// Checks that it ran itself, by name or command.
	checks_passed: field(texts.read, null),
	implementation_notes: text,
	concerns: texts,
	// Rebuttals of findings, by id such as "F2".
	disputes: listOf(object({ finding: text, reason: text, evidence: optionalText })),
	// Read by `blockedOf`, so that a mistake in another field does not take the word from a player that stops.
	blocked: field(z.unknown().optional(), {
		type: ["object", "null"],
		properties: {
			reason: oneOf(REASONS),
			what: TEXT,
			evidence: texts.asked,
			proposal: TEXT,
		},
		required: ["reason", "what", "evidence", "proposal"],
		additionalProperties: false,
	}),
});

const requirementsStatus = listOf(
	object({
		// The criterion's text.
		criterion: required,
		met: field(z.boolean(), BOOLEAN),
		evidence: optionalText,
		// Names of the test cases that show it.
		tests: texts,
	}),
);

const DECISIONS = ["approve", "feedback"] as const;
const SEVERITIES = ["minor", "major", "critical"] as const;

const coach = object({
	decision: field(z.enum(DECISIONS).nullish(), oneOf(DECISIONS)),
	// The challenger's word of a pair for the same: true is "approve", false is "feedback".
	challenger_approved: field(z.boolean().nullish(), { type: ["boolean", "null"] }),
	rationale: text,
	requirements_status: requirementsStatus,
	findings_status: listOf(
		object({
			id: required,
			status: chosen("fixed", "open", "withdrawn"),
			// Why; of a disputed finding its answer to the dispute.
			reason: optionalText,
		}),
	),
	// What it says of each suspicion that it was shown, by id such as "s-1f2e3d4c".
	suspicions_status: listOf(
		object({ id: required, ok: field(z.boolean(), BOOLEAN), reason: text, asked_for: text }),
	),
	// What the coach tried in order to break the work: shown to people, and no ground of a verdict.
	attempts: listOf(object({ what: text, command: text, outcome: text })),
	feedback_items: listOf(
		object({
			issue: field(
				z.string().refine((value) => value.trim() !== "", "expected a non-empty string"),
				TEXT,
			),
			severity: field(
				z
					.enum(SEVERITIES)
					.nullish()
					.transform((value) => value ?? "minor"),
				oneOf(SEVERITIES),
			),
			file: optionalText,
			// No line of a file has the number 0: models write it for "the whole file".
			line: field(
				z
					.int()
					.nullish()
					.transform((value) => (typeof value === "number" && value > 0 ? value : undefined))
					.optional(),
				{ type: ["integer", "null"] },
			),
			criterion: optionalText,
			suggestion: optionalText,
		}),
	),
});

const coachReport = coach.read.transform((report, context) => {
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

const verifier = object({
	tests_written: texts,
	// Runs just these tests, at the top of the checkout.
	run: text,
	notes: maybeText,
	// Outcome of disputes, by the finding's id; one that is left out is upheld.
	disputes_status: listOf(
		object({ id: required, status: chosen("withdrawn", "upheld"), reason: maybeText }),
	),
});

const withTests = verifier.read.refine(
	({ run, disputes_status }) => run.trim() !== "" || disputes_status.length > 0,
	{ path: ["run"], error: "expected a shell command" },
);

const evaluator = object({
	// From 0.0 to 1.0.
	score: field(z.number().min(0).max(1), { type: "number" }),
	rationale: maybeText,
	// In a task without a coach; the metrics about criteria read it.
	requirements_status: requirementsStatus,
});

const tieBreaker = object({
	// PASS takes the developer's side, FAIL the reviewer's.
	verdict: chosen("PASS", "FAIL"),
	rationale: field(
		z.string().refine((value) => value.trim() !== "", "expected a non-empty string"),
		TEXT,
	),
});

const plannerReport = z.looseObject({
	tasks: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.refine((tasks) => Object.keys(tasks).length > 0, "expected at least one task"),
});

const ASKED: Readonly<Record<Role, Schema | null>> = {
	player: player.asked,
	coach: coach.asked,
	verifier: verifier.asked,
	evaluator: evaluator.asked,
	tie_breaker: tieBreaker.asked,
	// Its tasks have names of their own choice.
	planner: null,
};

export const reportSchema = (role: Role): Schema | null => ASKED[role];

/** Claims of a player about its turn, never evidence. */
export type PlayerReport = Report<typeof player.read>;

/**
 * The coach's judgement of a turn. Only `decision` approves, and only if code agrees; it holds what the report said by
 * either of its words.
 */
export type CoachReport = Report<typeof coachReport>;

/** Statement of a verifier about its tests. Whether they pass, Sparring finds out by itself. */
export type VerifierReport = Report<typeof verifier.read>;

/** An evaluator's judgement of an output: advice, which moves nothing by itself. */
export type EvaluatorReport = Report<typeof evaluator.read>;

export type TieBreakReport = Report<typeof tieBreaker.read>;

/** Tasks by id as a planner proposes them, in the form of the workflow file; nobody has checked them yet. */
export interface PlannerReport {
	/** At least one. */
	readonly tasks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type ReportReader<T> = (source: string | null, problem?: string) => Parsed<T>;

const reader =
	<T>(schema: z.ZodType<T>): ReportReader<T> =>
	(text, problem) =>
		parseReport({ text, problem }, schema);

/**
 * Reads a player's report. Every field has a default (`{}` is a report). Of this and all other reports unknown fields
 * are kept, and a key that stands twice in one object makes them invalid.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 */
export const parsePlayerReport: ReportReader<PlayerReport> = reader(player.read);

/**
 * Reads a coach's report. It decides by `decision`, by `challenger_approved`, or by both where they agree; without
 * either, or where they disagree, it is invalid. Both are exact: `"Approve"` is no decision, and `"true"` no approval.
 *
 * @example `parseCoachReport('{"challenger_approved":true}')` is ok, with `decision` `"approve"` and empty lists
 */
export const parseCoachReport: ReportReader<CoachReport> = reader(coachReport);

/**
 * Reads a verifier's report. `run` is required, a command that is not blank, unless the report answers disputes.
 *
 * @param mayBeEmpty whether it may hand in no tests: true once tests of it were withdrawn
 */
export function parseVerifierReport(
	source: string | null,
	problem?: string,
	mayBeEmpty: boolean = false,
): Parsed<VerifierReport> {
	return parseReport({ text: source, problem }, mayBeEmpty ? verifier.read : withTests);
}

/**
 * Reads an evaluator's report. `score` is a JSON number from 0.0 to 1.0: a text such as `"0.9"` or a percentage such as
 * 85 is refused, not converted, since an unclear score counts as no score.
 */
export const parseEvaluatorReport: ReportReader<EvaluatorReport> = reader(evaluator.read);

/** Reads a tie-breaker's report. `verdict` is exactly `"PASS"` or `"FAIL"`: an unclear answer decides nothing. */
export const parseTieBreakReport: ReportReader<TieBreakReport> = reader(tieBreaker.read);

/** Reads a planner's report. The loader of the workflow file decides what its tasks may hold. */
export const parsePlannerReport: ReportReader<PlannerReport> = reader(plannerReport);

import { assertNever } from "../kernel/assert-never.ts";
import type { Role } from "../kernel/roles.ts";

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const maybeText: Schema = { type: ["string", "null"] };
const listOf = (items: Schema): Schema => ({ type: "array", items });
const oneOf = (...values: readonly string[]): Schema => ({ type: "string", enum: values });

/** Strict modes want every property listed as required and no others; what may be left out is null instead. */
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
	type: "object",
	properties,
	required: Object.keys(properties),
	additionalProperties: false,
});

const BLOCKED = object({
	reason: oneOf("task", "test", "environment", "permission"),
	what: text,
	evidence: listOf(text),
	proposal: text,
});

const PLAYER = object({
	files_modified: listOf(text),
	files_created: listOf(text),
	tests_written: listOf(text),
	implementation_notes: text,
	concerns: listOf(text),
	disputes: listOf(object({ finding: text, reason: text, evidence: maybeText })),
	blocked: { ...BLOCKED, type: ["object", "null"] },
});

const STATEMENTS = listOf(
	object({
		criterion: text,
		met: { type: "boolean" },
		evidence: maybeText,
		tests: listOf(text),
	}),
);

const COACH = object({
	decision: oneOf("approve", "feedback"),
	// A challenger's word for the decision; null leaves it at that. That the two agree is for the parser to see.
	challenger_approved: { type: ["boolean", "null"] },
	rationale: text,
	requirements_status: STATEMENTS,
	findings_status: listOf(
		object({ id: text, status: oneOf("fixed", "open", "withdrawn"), reason: maybeText }),
	),
	suspicions_status: listOf(object({ id: text, ok: { type: "boolean" }, reason: text })),
	attempts: listOf(object({ what: text, command: text, outcome: text })),
	feedback_items: listOf(
		object({
			issue: text,
			severity: oneOf("minor", "major", "critical"),
			file: maybeText,
			line: { type: ["integer", "null"] },
			criterion: maybeText,
			suggestion: maybeText,
		}),
	),
});

const VERIFIER = object({
	tests_written: listOf(text),
	run: text,
	notes: maybeText,
	disputes_status: listOf(
		object({ id: text, status: oneOf("withdrawn", "upheld"), reason: maybeText }),
	),
});
const EVALUATOR = object({
	score: { type: "number" },
	rationale: maybeText,
	requirements_status: STATEMENTS,
});
const TIE_BREAKER = object({ verdict: oneOf("PASS", "FAIL"), rationale: text });

/**
 * JSON schema of a role's report, for harnesses and providers that hold a model to one. It asks for more than the
 * report's parser does: every field, with null for what does not apply, because strict modes know no optional fields.
 *
 * @returns null for the planner, whose tasks have names of their own choice
 */
export function reportSchema(role: Role): Schema | null {
	switch (role) {
		case "player":
			return PLAYER;
		case "coach":
			return COACH;
		case "verifier":
			return VERIFIER;
		case "evaluator":
			return EVALUATOR;
		case "tie_breaker":
			return TIE_BREAKER;
		case "planner":
			return null;
		default:
			return assertNever(role);
	}
}

import type { HandsIn } from "../agents/agent.ts";
import { fenced } from "./excerpt.ts";
import { joined } from "./task-text.ts";

const WHERE: Readonly<Record<HandsIn, string>> = {
	file: "Write one JSON object to the file whose path is in the environment variable SPAR_REPORT. Its fields, with example values:",
	message:
		"End with a final message that is one JSON object and nothing else. Its fields, with example values:",
};

const PLAYER_FIELDS = `\`\`\`json
{
  "files_modified": ["src/limiter.js"],
  "files_created": [],
  "tests_written": ["test/limiter.test.js"],
  "checks_passed": ["names or commands of checks that you ran and saw pass"],
  "implementation_notes": "what you did and why",
  "concerns": ["what you are unsure of"],
  "disputes": [{ "finding": "F1", "reason": "why it is wrong", "evidence": "command and output, or file and line" }],
  "blocked": null
}
\`\`\`
You may leave out any field. Sparring compares what you report with the diff and its own runs, and shows false claims to the coach and to people. List in \`disputes\` only findings that you reject. A dispute needs \`finding\` and \`reason\`.
Fill in \`blocked\` only if you stop: \`{ "reason": "test", "what": "what is in the way, in a sentence or two", "evidence": ["name of the test, or command and output, or file and line"], "proposal": "what should be done instead" }\`. \`reason\` is "task", "test", "environment" or "permission".`;

const COACH_FIELDS = `\`\`\`json
{
  "decision": "feedback",
  "rationale": "why, in a few sentences",
  "requirements_status": [{ "criterion": "its text, copied", "met": true, "evidence": "how you know", "tests": ["name of a test case that shows it"] }],
  "findings_status": [{ "id": "F1", "status": "fixed", "reason": "how you know, or your answer to the dispute" }],
  "suspicions_status": [{ "id": "s-1f2e3d4c", "ok": true, "reason": "why the change is right, or what is wrong with it", "asked_for": "words of the task or a criterion, where a test expects something else now" }],
  "attempts": [{ "what": "what you tried in order to break the work", "command": "what you ran", "outcome": "what happened" }],
  "feedback_items": [{ "issue": "what is wrong and how to reproduce it", "severity": "major", "file": "src/limiter.js", "line": 12, "criterion": "its text, copied, if it breaks one", "suggestion": "a way to fix it" }]
}
\`\`\`
\`decision\` is exactly "approve" or "feedback". In its place, or beside it, you can write \`challenger_approved\`: exactly true (for "approve") or false (for "feedback"), not a string. One of them is required. A report in which they disagree is rejected. \`status\` is "fixed", "open" or "withdrawn".
\`severity\` is "minor" (the default; blocks only if it names a criterion), "major" or "critical".
Lists may be empty. An entry of \`requirements_status\` needs \`criterion\` and \`met\`, one of \`findings_status\` needs \`id\` and \`status\`, one of \`suspicions_status\` \`id\` and \`ok\` (exactly true or false), one of \`feedback_items\` needs \`issue\`.`;

export const playerReportFormat = (handsIn: HandsIn): string =>
	`${WHERE[handsIn]}\n${PLAYER_FIELDS}`;

export const coachReportFormat = (handsIn: HandsIn): string => `${WHERE[handsIn]}\n${COACH_FIELDS}`;

const SCORE_WHERE: Readonly<Record<HandsIn, string>> = {
	file: "Return only a JSON score object: write it, and nothing else, to the file whose path is in the environment variable SPAR_REPORT. Its fields, with example values:",
	message:
		"Return only a JSON score object, as your final message. Its fields, with example values:",
};

const SCORE_FIELDS = `  "score": 0.75,
  "rationale": "what was met, what was not, and how you know, in a few sentences"`;
const SCORE_NOTE =
	"`score` is required: a number from 0.0 to 1.0, not a string and not a percentage.";

const CRITERIA_FIELD = `  "requirements_status": [{ "criterion": "its text, copied", "met": true, "evidence": "how you know", "tests": ["name of a test case that shows it"] }]`;
const CRITERIA_NOTE =
	"Judge each criterion in `requirements_status`, with its text copied exactly. One that you leave out counts as unmet. In `tests`, name the test cases that show it: a criterion counts as covered only if one of them ran and passed.";

export function evaluatorReportFormat(handsIn: HandsIn, judgesCriteria = false): string {
	const fields = judgesCriteria ? `${SCORE_FIELDS},\n${CRITERIA_FIELD}` : SCORE_FIELDS;
	const note = judgesCriteria ? `${SCORE_NOTE}\n${CRITERIA_NOTE}` : SCORE_NOTE;
	return `${SCORE_WHERE[handsIn]}\n\`\`\`json\n{\n${fields}\n}\n\`\`\`\n${note}`;
}

const VERIFIER_FIELDS = `\`\`\`json
{
  "tests_written": ["test/integration/limiter.test.js"],
  "run": "node --test test/integration/limiter.test.js",
  "notes": "what you tested",
  "disputes_status": []
}
\`\`\`
\`run\` is required if you write tests: a shell command that runs only them, from the current directory.
\`disputes_status\` answers disputes of earlier tests, where you are asked about some: \`{ "id": "F1", "status": "withdrawn", "reason": "why" }\`; \`status\` is "withdrawn" or "upheld".`;

/** Format of a verifier's report: the fields of the agent protocol, with an example that parses. */
export const verifierReportFormat = (handsIn: HandsIn): string =>
	`${WHERE[handsIn]}\n${VERIFIER_FIELDS}`;

const PLANNER_FIELDS = `\`\`\`json
{
  "tasks": {
    "token-bucket": {
      "description": "Add a token bucket with burst and refill in src/limiter.js.",
      "acceptance_criteria": ["refuses the call after the burst", "refills at the configured rate"],
      "context_files": ["src/limiter.js"],
      "depends_on": [],
      "requires_verification": true,
      "verification_reason": "src/api/handlers.js calls it",
      "allow": [{ "path": "test/old.test.js", "change": "edit", "reason": "the old limit is asserted there" }]
    }
  }
}
\`\`\`
\`tasks\` is required, with at least one task. Of a task only \`description\` is required; other keys are those of a workflow file. \`requires_verification\` is true or "auto". \`change\` is "delete", "rename", "skip", "weaken" or "edit". Leave out what a task does not need.`;

/** Format of a planner's report: the fields of the agent protocol, with an example that parses. */
export const plannerReportFormat = (handsIn: HandsIn): string =>
	`${WHERE[handsIn]}\n${PLANNER_FIELDS}`;

const FORMATS = {
	player: playerReportFormat,
	coach: coachReportFormat,
	evaluator: evaluatorReportFormat,
	verifier: verifierReportFormat,
} as const;

/** Asks again for a report: the original prompt, the error, the rejected report, and the format. */
export function repairPrompt(input: {
	readonly role: keyof typeof FORMATS;
	readonly original: string;
	readonly error: string;
	readonly rejected: string | null;
	readonly handsIn: HandsIn;
	readonly judgesCriteria?: boolean | undefined;
}): string {
	const { role, original, error, rejected, handsIn, judgesCriteria } = input;
	const format = FORMATS[role](handsIn, judgesCriteria);
	return joined([
		original,
		`## Your last report was rejected\n\nYou were called with the prompt above, and your report could not be used.\n\n${fenced("What is wrong", error, 1_000)}`,
		rejected === null ? "" : fenced("The rejected report", rejected, 4_000),
		`Hand in a valid report now. Do not repeat work that is done: only the report is missing.\n\n${format}`,
	]);
}

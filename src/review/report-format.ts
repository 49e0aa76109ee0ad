import type { HandsIn } from "../agents/agent.ts";

const WHERE: Readonly<Record<HandsIn, string>> = {
	file: "Write one JSON object to the file that the environment variable SPAR_REPORT names:",
	message: "End with a final message that is one JSON object and nothing else:",
};

const PLAYER_FIELDS = `\`\`\`json
{
  "files_modified": ["src/limiter.js"],
  "files_created": [],
  "tests_written": ["test/limiter.test.js"],
  "implementation_notes": "what you did and why",
  "concerns": ["what you are unsure of"],
  "disputes": [{ "finding": "F1", "reason": "why it is wrong", "evidence": "command and output, or file and line" }]
}
\`\`\`
Every field may be left out. \`disputes\` holds only findings that you reject; each needs \`finding\` and \`reason\`.`;

const COACH_FIELDS = `\`\`\`json
{
  "decision": "feedback",
  "rationale": "why, in a few sentences",
  "requirements_status": [{ "criterion": "its text, copied", "met": true, "evidence": "how you know", "tests": ["name of a test case that shows it"] }],
  "findings_status": [{ "id": "F1", "status": "fixed", "reason": "how you know, or your answer to the dispute" }],
  "feedback_items": [{ "issue": "what is wrong and how to see it", "severity": "major", "file": "src/limiter.js", "line": 12, "criterion": "its text, copied, if it breaks one", "suggestion": "a way to mend it" }]
}
\`\`\`
\`decision\` is required: exactly "approve" or "feedback". \`status\` is "fixed", "open" or "withdrawn".
\`severity\` is "minor" (the default; never blocks), "major" or "critical". An item needs \`issue\`; an entry of \`requirements_status\` needs \`criterion\` and \`met\`.`;

/** How a player reports: the fields of the agent protocol, with an example that parses. */
export function playerReportFormat(handsIn: HandsIn): string {
	return `${WHERE[handsIn]}\n${PLAYER_FIELDS}`;
}

/** How a coach reports: the fields of the agent protocol, with an example that parses. */
export function coachReportFormat(handsIn: HandsIn): string {
	return `${WHERE[handsIn]}\n${COACH_FIELDS}`;
}

import type { HandsIn } from "../agents/agent.ts";

const WHERE: Readonly<Record<HandsIn, string>> = {
	file: "Return only a JSON score object: write it, and nothing else, to the file whose path is in the environment variable SPAR_REPORT. Its fields, with example values:",
	message:
		"Return only a JSON score object, as your final message. Its fields, with example values:",
};

const FIELDS = `\`\`\`json
{
  "score": 0.75,
  "rationale": "what was met, what was not, and how you know, in a few sentences"
}
\`\`\`
\`score\` is required: a number from 0.0 to 1.0, not a string and not a percentage.`;

/** How an evaluator reports: the fields of the agent protocol, with an example that parses. */
export function evaluatorReportFormat(handsIn: HandsIn): string {
	return `${WHERE[handsIn]}\n${FIELDS}`;
}

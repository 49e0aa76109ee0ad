import type { HandsIn } from "../agents/agent.ts";

const WHERE: Readonly<Record<HandsIn, string>> = {
	file: "Write one JSON object, and nothing else, to the file whose path is in the environment variable SPAR_REPORT:",
	message: "Answer with one JSON object and nothing else, as your final message:",
};

const FIELDS = `\`\`\`json
{
  "verdict": "PASS or FAIL",
  "rationale": "what decided it, in a few sentences"
}
\`\`\`
Both fields are required. \`verdict\` is exactly "PASS" or "FAIL"; there is no third answer.`;

/** How a tie-breaker reports. The example names neither verdict alone, so that it leads to none. */
export function tieBreakReportFormat(handsIn: HandsIn): string {
	return `${WHERE[handsIn]}\n${FIELDS}`;
}

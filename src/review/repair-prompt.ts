import type { HandsIn } from "../agents/agent.ts";
import { fenced } from "./fenced.ts";
import { coachReportFormat, evaluatorReportFormat, playerReportFormat } from "./report-format.ts";

const FORMATS = {
	player: playerReportFormat,
	coach: coachReportFormat,
	evaluator: evaluatorReportFormat,
} as const;

/** What a request for a valid report is built from. */
export interface RepairPromptInput {
	readonly role: "player" | "coach" | "evaluator";
	/** The prompt that was answered with an invalid report. The agent does not remember it. */
	readonly original: string;
	/** Why the report was rejected, as its parser says. */
	readonly error: string;
	/** The rejected report; null when there was none. */
	readonly rejected: string | null;
	readonly handsIn: HandsIn;
}

/** Asks again for a report: the original prompt, the error, the rejected report, and the format. */
export function repairPrompt(input: RepairPromptInput): string {
	const { role, original, error, rejected, handsIn } = input;
	const format = FORMATS[role](handsIn);
	return [
		original,
		`## Your last report was rejected\n\nYou were called with the prompt above, and your report could not be used.\n\n${fenced("What is wrong", error, 1_000)}`,
		rejected === null ? "" : fenced("The rejected report", rejected, 4_000),
		`Hand in a valid report now. Do not repeat work that is done: only the report is missing.\n\n${format}`,
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

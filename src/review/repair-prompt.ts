import type { HandsIn } from "../agents/agent.ts";
import { evaluatorReportFormat } from "./evaluator-report-format.ts";
import { fenced } from "./fenced.ts";
import { coachReportFormat, playerReportFormat } from "./report-format.ts";

const FORMATS = {
	player: playerReportFormat,
	coach: coachReportFormat,
	evaluator: evaluatorReportFormat,
} as const;

/** What a request for a valid report is built from. */
export interface RepairPromptInput {
	readonly role: "player" | "coach" | "evaluator";
	/** The prompt that was answered with an invalid report: the new context knows nothing of it. */
	readonly original: string;
	/** Why the report was refused, as its parser says. */
	readonly error: string;
	/** The refused report; null when there was none. */
	readonly rejected: string | null;
	readonly handsIn: HandsIn;
}

/** Asks once more for a report, with the error: the original prompt, what was wrong, and the format again. */
export function repairPrompt(input: RepairPromptInput): string {
	const { role, original, error, rejected, handsIn } = input;
	const format = FORMATS[role](handsIn);
	return [
		original,
		`## Your last report was refused\n\nThe report of your last call could not be used.\n\n${fenced("What is wrong", error, 1_000)}`,
		rejected === null ? "" : fenced("The refused report", rejected, 4_000),
		`Hand in a valid report now. If the work itself is done, hand in the report only.\n\n${format}`,
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

import type { HandsIn } from "../agents/agent.ts";
import { fenced } from "./fenced.ts";
import {
	coachReportFormat,
	evaluatorReportFormat,
	playerReportFormat,
	verifierReportFormat,
} from "./report-format.ts";

const FORMATS: Readonly<
	Record<RepairPromptInput["role"], (handsIn: HandsIn, judgesCriteria?: boolean) => string>
> = {
	player: playerReportFormat,
	coach: coachReportFormat,
	evaluator: evaluatorReportFormat,
	verifier: verifierReportFormat,
};

export interface RepairPromptInput {
	readonly role: "player" | "coach" | "evaluator" | "verifier";
	readonly original: string;
	readonly error: string;
	readonly rejected: string | null;
	readonly handsIn: HandsIn;
	readonly judgesCriteria?: boolean;
}

/** Asks again for a report: the original prompt, the error, the rejected report, and the format. */
export function repairPrompt(input: RepairPromptInput): string {
	const { role, original, error, rejected, handsIn, judgesCriteria } = input;
	const format = FORMATS[role](handsIn, judgesCriteria);
	return [
		original,
		`## Your last report was rejected\n\nYou were called with the prompt above, and your report could not be used.\n\n${fenced("What is wrong", error, 1_000)}`,
		rejected === null ? "" : fenced("The rejected report", rejected, 4_000),
		`Hand in a valid report now. Do not repeat work that is done: only the report is missing.\n\n${format}`,
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

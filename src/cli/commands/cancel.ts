import { factsOfReport, runWords } from "../../words/standing.ts";
import { RUN, sparringCommand } from "../terminal/command.ts";

export const command = sparringCommand(
	{
		examples: ["spar cancel", "spar cancel 20261121-230218-3a67", "spar cancel --json"],
		access: "write",
		argument: RUN,
	},
	async ({ sparring }, runId) => {
		const report = await sparring.cancel(runId);
		return { json: report, text: `run ${report.run_id}: ${runWords(factsOfReport(report))}` };
	},
);

import { factsOfReport, runWords } from "../../words/standing.ts";
import { verbCommand } from "../terminal/verb-command.ts";

export const command = verbCommand("cancel", {
	show: (report) => ({ text: `run ${report.run_id}: ${runWords(factsOfReport(report))}` }),
});

import { oneLine } from "../../kernel/visible-text.ts";
import type { RunSummary } from "../../view/report.ts";
import { runWords, tasksText } from "../../words/standing.ts";
import { fewerColumns, table } from "../terminal/table.ts";
import { verbCommand } from "../terminal/verb-command.ts";

// The id of a run says when it began.
const FIRST_TO_GO: readonly string[] = ["created", "base", "landed"];

function runRow({ tasks, ...run }: RunSummary): string[] {
	return [
		run.run_id,
		runWords({ ...run, ...tasks }),
		tasksText(tasks),
		run.landed ? "yes" : "no",
		run.base,
		run.created_at,
		oneLine(run.workflow, 40),
	];
}

export const command = verbCommand("runs", {
	show: (all, { columns }) => {
		if (all.length === 0) return { note: 'no runs yet. Start one with: spar "what is to be done"' };
		const heading = ["run", "status", "tasks", "landed", "base", "created", "workflow"];
		const rows = fewerColumns([heading, ...all.map(runRow)], FIRST_TO_GO, columns);
		return { text: table(rows, columns) };
	},
});

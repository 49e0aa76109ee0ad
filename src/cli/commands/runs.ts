import { oneLine } from "../../kernel/visible-text.ts";
import type { RunSummary } from "../../view/report.ts";
import { runWords, tasksText } from "../../words/standing.ts";
import { sparringCommand } from "../terminal/command.ts";
import { lineWidth } from "../terminal/shell.ts";
import { fewerColumns, table } from "../terminal/table.ts";

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

export const command = sparringCommand(
	{
		examples: ["spar runs", "spar runs --json", "spar runs --json | jq -r '.[0].run_id'"],
		page: "monitoring",
		access: "read",
	},
	async ({ shell, sparring }) => {
		const all = await sparring.runs();
		if (all.length === 0)
			return { json: all, note: 'no runs yet. Start one with: spar "what is to be done"' };
		const columns = lineWidth(shell.out);
		const heading = ["run", "status", "tasks", "landed", "base", "created", "workflow"];
		const rows = fewerColumns([heading, ...all.map(runRow)], FIRST_TO_GO, columns);
		return { json: all, text: table(rows, columns) };
	},
);

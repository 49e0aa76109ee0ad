import type { RunSummary } from "../../story/report.ts";
import { runWords, tasksText } from "../../words/standing.ts";
import { oneLine } from "../../words/visible-text.ts";
import { type JsonFlag, sparringCommand } from "../terminal/command.ts";
import { lineWidth, printJson } from "../terminal/shell.ts";
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

export const command = sparringCommand<JsonFlag>(
	{
		examples: ["spar runs", "spar runs --json", "spar runs --json | jq -r '.[0].run_id'"],
		page: "monitoring",
		access: "read",
		options: { "--json": "print JSON" },
	},
	async ({ shell, sparring, flags }) => {
		const all = await sparring.runs();
		if (flags.json === true) {
			printJson(shell, all);
		} else if (all.length === 0) {
			shell.err.print("no runs yet. Start one with: spar run\n");
		} else {
			const columns = lineWidth(shell.out);
			const heading = ["run", "status", "tasks", "landed", "base", "created", "workflow"];
			const rows = fewerColumns([heading, ...all.map(runRow)], FIRST_TO_GO, columns);
			shell.out.print(`${table(rows, columns)}\n`);
		}
	},
);

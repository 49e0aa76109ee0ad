import { RUN_STATUS_WORDS } from "../../words/states.ts";
import { type JsonFlag, RUN, sparringCommand } from "../terminal/command.ts";
import { printJson } from "../terminal/shell.ts";

export const command = sparringCommand<JsonFlag>(
	{
		examples: ["spar cancel", "spar cancel 20261121-230218-3a67", "spar cancel --json"],
		access: "write",
		argument: RUN,
		options: { "--json": "print JSON" },
	},
	async ({ shell, sparring, flags }, runId) => {
		const report = await sparring.cancel(runId);
		if (flags.json === true) printJson(shell, report);
		else shell.out.print(`run ${report.run_id}: ${RUN_STATUS_WORDS[report.status]}\n`);
	},
);

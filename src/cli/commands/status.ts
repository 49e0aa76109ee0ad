import { Fault } from "../../kernel/fault.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { RunReport } from "../../view/report.ts";
import { RUN, sparringCommand } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { showReport } from "../terminal/render-report.ts";
import { printJson } from "../terminal/shell.ts";

async function reportOf(sparring: Sparring, runId: string | undefined): Promise<RunReport | null> {
	try {
		return await sparring.status(runId);
	} catch (error) {
		const none = runId === undefined && error instanceof Fault && error.code === "run-not-found";
		if (none) return null;
		throw error;
	}
}

export const command = sparringCommand<{ readonly watch?: boolean }>(
	{
		examples: ["spar status", "spar status 20261121-230218-3a67 --watch", "spar status --json"],
		page: "monitoring",
		access: "read",
		argument: RUN,
		options: {
			"--watch": "show its tasks as they go on, until the run ends or waits",
			"--json": "print JSON; with --watch a line for each change",
		},
	},
	async ({ shell, sparring, flags }, runId) => {
		const report = await reportOf(sparring, runId);
		if (report === null) {
			shell.err.print('no runs yet. Start one with: spar "what is to be done"\n');
			if (flags.json === true) printJson(shell, null);
		} else if (flags.watch === true) {
			const { watchStatus } = await import("../terminal/watch-status.ts");
			return await watchStatus({ shell, sparring }, report, flags.json === true);
		} else if (flags.json === true) {
			printJson(shell, report);
		} else {
			showReport(shell, shell.out, report);
		}
		return EXIT.done;
	},
);

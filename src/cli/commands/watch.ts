import type { StoredEvent } from "../../trace/event.ts";
import { RUN, sparringCommand, VERBOSE } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { followRun } from "../terminal/follow-run.ts";
import { openProgress } from "../terminal/progress.ts";
import { showEnd } from "../terminal/render-report.ts";

// Ctrl-C ends the view and not the run.
export const command = sparringCommand<{ readonly verbose?: boolean }>(
	{
		examples: ["spar watch", "spar watch 20261121-230218-3a67", "spar watch --json"],
		page: "monitoring",
		access: "read",
		argument: RUN,
		options: { "--verbose": VERBOSE, "--json": "print each event as a line of JSON" },
	},
	async ({ shell, sparring, flags }, run) => {
		const report = await sparring.status(run);
		const view =
			flags.json === true
				? null
				: await openProgress(shell, {
						isVerbose: flags.verbose,
						readLines: (tasks) => sparring.lastSaid(report.run_id, tasks),
					});
		const onEvents = (events: readonly StoredEvent[]): void => {
			for (const event of events) {
				if (view === null) shell.out.write(`${JSON.stringify(event)}\n`);
				// The report that follows tells how the run ended.
				else if (event.type !== "run-ended") view.onEvent(event);
			}
		};
		const onNotice = (text: string): void =>
			view === null ? shell.err.print(`${text}\n`) : view.onNotice(text);
		const follower = { onEvents, onNotice };
		const last = await followRun({ shell, sparring }, report, follower).finally(() => view?.stop());
		if (last === null) return EXIT.interrupted;
		if (flags.json !== true)
			showEnd(shell, shell.out, { report: last, isVerbose: flags.verbose, named: run });
		return EXIT.done;
	},
);

import type { StoredEvent } from "../../trace/event.ts";
import { VERBOSE } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { followRun } from "../terminal/follow-run.ts";
import { openProgress } from "../terminal/progress.ts";
import { showEnd } from "../terminal/render-report.ts";
import { verbCommand } from "../terminal/verb-command.ts";

// Ctrl-C ends the view and not the run.
export const command = verbCommand<"events", { readonly verbose?: boolean }>("events", {
	options: { "--verbose": VERBOSE, "--json": "print each event as a line of JSON" },
	act: async ({ shell, sparring, flags, given: { runId } }) => {
		const report = await sparring.status(runId);
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
			showEnd(shell, shell.out, { report: last, isVerbose: flags.verbose, named: runId });
		return EXIT.done;
	},
});

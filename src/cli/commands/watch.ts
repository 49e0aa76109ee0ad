import { VERBOSE } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { followRun, withoutEnd } from "../terminal/follow-run.ts";
import { openProgress, type ReadLines } from "../terminal/progress.ts";
import { showEnd } from "../terminal/render-report.ts";
import { eventLines } from "../terminal/renderers.ts";
import { verbCommand } from "../terminal/verb-command.ts";

// Ctrl-C ends the view and not the run.
export const command = verbCommand<"events", { readonly verbose?: boolean }>("events", {
	options: { "--verbose": VERBOSE, "--json": "print each event as a line of JSON" },
	act: async ({ shell, sparring, flags, given: { runId } }) => {
		const report = await sparring.status(runId);
		const readLines: ReadLines = (tasks) => sparring.lastSaid(report.run_id, tasks);
		const renderer =
			flags.json === true
				? eventLines(shell)
				: withoutEnd(await openProgress(shell, { isVerbose: flags.verbose, readLines }));
		const last = await followRun({ shell, sparring }, report, renderer);
		if (last === null) return EXIT.interrupted;
		if (flags.json !== true)
			showEnd(shell, shell.out, { report: last, isVerbose: flags.verbose, named: runId });
		return EXIT.done;
	},
});

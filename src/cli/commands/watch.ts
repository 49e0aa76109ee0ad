import type { RunReport, Sparring } from "../../app/sparring.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { openProgress, type Progress } from "../progress.ts";
import type { RunEvent } from "../run-event.ts";
import { type Shell, withSparring } from "../shell.ts";
import { showReport } from "../show-report.ts";
import { untilInterrupted } from "../until-interrupted.ts";

interface WatchFlags {
	readonly json?: boolean;
}

/** Whether something can still happen by itself: a process works on the run. */
const isWorkedOn = ({ status, holder }: RunReport): boolean =>
	holder !== null && (status === "running" || status === "paused_for_user_escalation");

/** Where the events go: lines of JSON, or the view of a run. */
async function openView(
	shell: Shell,
	sparring: Sparring,
	runId: string,
	flags: WatchFlags,
): Promise<Pick<Progress, "onEvent" | "stop">> {
	if (flags.json !== true) {
		const view = await openProgress(shell, false, (tasks) => sparring.lastSaid(runId, tasks));
		// The report that follows tells how the run ended.
		const onEvent = (event: RunEvent): void => {
			if (event.type !== "run-ended") view.onEvent(event);
		};
		return { onEvent, stop: () => view.stop() };
	}
	return {
		onEvent: (event) => shell.out.write(`${JSON.stringify(event)}\n`),
		stop: () => undefined,
	};
}

/** Tells what has happened since the event `after`, and gives the id of the last event. */
async function tellSince(
	sparring: Sparring,
	runId: string,
	view: Pick<Progress, "onEvent">,
	after: number,
): Promise<number> {
	const events = await sparring.events(runId, after);
	for (const event of events) view.onEvent(event);
	return events.at(-1)?.id ?? after;
}

/**
 * `spar watch`: the view of `spar run` on a run of any process: what happened, then what happens. Ends, with the report,
 * when no process works on the run. Ctrl-C ends the view and not the run.
 */
async function watch(shell: Shell, run: string | undefined, flags: WatchFlags): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		let report = await sparring.status(run);
		const { run_id: runId } = report;
		const view = await openView(shell, sparring, runId, flags);
		const ended = await untilInterrupted(shell, async (signal) => {
			let last = await tellSince(sparring, runId, view, 0);
			while (isWorkedOn(report) && !signal.aborted) {
				await shell.pause(signal);
				// First the state: what is stored after it is told in the next round.
				report = await sparring.status(runId);
				last = await tellSince(sparring, runId, view, last);
			}
		}).finally(() => view.stop());
		if (ended === "interrupted") return EXIT.interrupted;
		if (flags.json !== true) showReport(shell, shell.out, report);
		return EXIT.done;
	});
}

export const command: CliCommand = {
	examples: ["spar watch", "spar watch 20261121-230218-3a67", "spar watch --json"],
	page: "monitoring",
	define: (command, shell, finish) => {
		command
			.argument("[run]", "id of the run (default: the newest)")
			.option("--json", "print each event as a line of JSON")
			.action(async (run: string | undefined, flags: WatchFlags) => {
				finish(await watch(shell, run, flags));
			});
	},
};

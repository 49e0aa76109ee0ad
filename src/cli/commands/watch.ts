import type { Sparring } from "../../library/sparring.ts";
import { type JsonFlag, RUN, sparringCommand } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { followRun } from "../terminal/follow-run.ts";
import { openProgress, type Progress } from "../terminal/progress.ts";
import { showReport } from "../terminal/render-report.ts";
import type { RunEvent } from "../terminal/run-event.ts";
import type { Shell } from "../terminal/shell.ts";

async function openView(
	shell: Shell,
	sparring: Sparring,
	runId: string,
	flags: JsonFlag,
): Promise<Pick<Progress, "onEvent" | "onNotice" | "stop">> {
	if (flags.json !== true) {
		const view = await openProgress(shell, false, (tasks) => sparring.lastSaid(runId, tasks));
		// The report that follows tells how the run ended.
		const onEvent = (event: RunEvent): void => {
			if (event.type !== "run-ended") view.onEvent(event);
		};
		return { onEvent, onNotice: (text) => view.onNotice(text), stop: () => view.stop() };
	}
	return {
		onEvent: (event) => shell.out.write(`${JSON.stringify(event)}\n`),
		onNotice: (text) => shell.err.print(`${text}\n`),
		stop: () => undefined,
	};
}

// Ctrl-C ends the view and not the run.
export const command = sparringCommand<JsonFlag>(
	{
		examples: ["spar watch", "spar watch 20261121-230218-3a67", "spar watch --json"],
		page: "monitoring",
		access: "read",
		argument: RUN,
		options: { "--json": "print each event as a line of JSON" },
	},
	async ({ shell, sparring, flags }, run) => {
		const report = await sparring.status(run);
		const view = await openView(shell, sparring, report.run_id, flags);
		const onEvents = (events: readonly RunEvent[]): void => {
			for (const event of events) view.onEvent(event);
		};
		const follower = { onEvents, onNotice: (text: string) => view.onNotice(text) };
		const last = await followRun({ shell, sparring }, report, follower).finally(() => view.stop());
		if (last === null) return EXIT.interrupted;
		if (flags.json !== true) showReport(shell, shell.out, last);
		return EXIT.done;
	},
);

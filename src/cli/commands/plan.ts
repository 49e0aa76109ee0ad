import { oneLine, visibleText } from "../../kernel/visible-text.ts";
import type { PlanReport } from "../../planning/planning-reports.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { openProgress } from "../terminal/progress.ts";
import { renderDiagnostics } from "../terminal/render-error.ts";
import { lineWidth, printJson, type Shell } from "../terminal/shell.ts";
import { verbCommand } from "../terminal/verb-command.ts";
import { renderApprovals } from "./approve.ts";

const EXITS: Readonly<Record<PlanReport["outcome"], number>> = {
	written: EXIT.done,
	failed: EXIT.failed,
	unpaid: EXIT.stopped,
};

function show(shell: Shell, report: PlanReport): void {
	if (report.outcome !== "written") {
		shell.err.print(`${visibleText(report.reason).trimEnd()}\n`);
		shell.err.print("Nothing was written. What it printed: .sparring/transcripts/plan\n");
		return;
	}
	const { file, tasks, notes } = report;
	for (const note of notes) shell.err.print(`note: ${oneLine(note, 2_000)}\n`);
	shell.out.print(renderApprovals(tasks, lineWidth(shell.out)));
	shell.err.print(`added to ${oneLine(file)}. Read them, then: spar approve, and spar run\n`);
}

export const command = verbCommand("planTasks", {
	act: async ({ shell, sparring, flags, given: { document = "", path } }) => {
		const progress = flags.json === true ? null : await openProgress(shell, { isVerbose: true });
		const onEvent = (event: StoredEvent): void => progress?.onEvent(event);
		const onNotice = (text: string): void =>
			progress === null ? shell.err.print(`${oneLine(text, 2_000)}\n`) : progress.onNotice(text);
		const options = { document, path, onNotice, onEvent };
		const ended = await interruptible(
			shell,
			(signal) => sparring.planTasks({ ...options, signal }),
			onNotice,
		).finally(() => progress?.stop());
		if (ended === null) {
			shell.err.print("interrupted; nothing was written\n");
			return EXIT.interrupted;
		}
		const { loaded, report } = ended;
		shell.err.print(renderDiagnostics(loaded));
		if (report === null) return EXIT.usage;
		if (flags.json === true) printJson(shell, report);
		if (flags.json !== true || report.outcome !== "written") show(shell, report);
		return EXITS[report.outcome];
	},
});

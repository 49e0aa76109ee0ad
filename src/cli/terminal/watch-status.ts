import type { RunReport } from "../../view/report.ts";
import { EXIT } from "./exit-code.ts";
import { type Followed, followRun, isWorkedOn } from "./follow-run.ts";
import { paintFor } from "./paint.ts";
import { headingLine, showReport } from "./render-report.ts";
import { reportLines, taskTable } from "./renderers.ts";

// Ctrl-C ends the watching and not the run.
export async function watchStatus(
	{ shell, sparring }: Followed,
	first: RunReport,
	isJson: boolean,
): Promise<number> {
	if (!isJson) {
		if (!isWorkedOn(first)) {
			showReport(shell, shell.out, first);
			return EXIT.done;
		}
		shell.out.print(`${headingLine(first, paintFor(shell.out, shell.env))}\n`);
	}
	const renderer = isJson
		? reportLines(shell)
		: await taskTable(shell, (tasks) => sparring.lastSaid(first.run_id, tasks));
	// Where it stands is shown, and not how it came there.
	const past = (events: readonly unknown[]): number => events.length;
	const last = await followRun({ shell, sparring, past }, first, renderer);
	if (last === null) return EXIT.interrupted;
	if (!isJson) showReport(shell, shell.out, last);
	return EXIT.done;
}

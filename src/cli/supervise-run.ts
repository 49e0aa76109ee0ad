import type { RunReport, Supervision } from "../app/sparring.ts";
import { EXIT, exitCodeOfReport } from "./exit-code.ts";
import { interruptible } from "./interrupt.ts";
import { openProgress } from "./progress.ts";
import type { RunEvent } from "./run-event.ts";
import { printJson, type Shell } from "./shell.ts";
import { showReport } from "./show-report.ts";

/** What `spar run` and `spar resume` print on standard output. */
export interface OutputFlags {
	/** The report as the last thing: one document, or with `events` one line. */
	readonly json?: boolean;
	/** Each event as one line of JSON when it is stored. */
	readonly events?: boolean;
}

function printReport(shell: Shell, flags: OutputFlags, report: RunReport): void {
	if (flags.json === true && flags.events === true) {
		shell.out.write(`${JSON.stringify(report)}\n`);
	} else if (flags.json === true) {
		printJson(shell, report);
	} else {
		showReport(shell, flags.events === true ? shell.err : shell.out, report);
	}
}

/**
 * Lets a run go to its end under the eyes of a person: progress, events, Ctrl-C, the report.
 *
 * @param work starts or resumes the run; `knownRun` names it when it is known before its first event
 * @returns the exit code
 */
export async function superviseRun(
	shell: Shell,
	flags: OutputFlags,
	work: (supervision: Supervision) => Promise<RunReport>,
	knownRun?: string,
): Promise<number> {
	const progress = await openProgress(shell, flags.events === true);
	let run = knownRun;
	const onEvent = (event: RunEvent): void => {
		run = event.run;
		if (flags.events === true) shell.out.write(`${JSON.stringify(event)}\n`);
		progress.onEvent(event);
	};
	const onNotice = (text: string): void => {
		progress.onNotice(text);
	};
	const ended = await interruptible(shell, (signal) => work({ onEvent, onNotice, signal })).finally(
		() => {
			progress.stop();
		},
	);
	if (ended.kind === "interrupted") {
		shell.err.write(
			run === undefined
				? "interrupted; no run had started\n"
				: `interrupted; state saved. Continue with: spar resume ${run}\n`,
		);
		return EXIT.interrupted;
	}
	printReport(shell, flags, ended.value);
	return exitCodeOfReport(ended.value);
}

import type { Sparring } from "../library/sparring.ts";
import { outwaitStore } from "../machines/outwait-store.ts";
import type { RunReport } from "../story/report.ts";
import { untilInterrupted } from "./interrupt.ts";
import type { RunEvent } from "./run-event.ts";
import type { Shell } from "./shell.ts";

/** Whether something can still happen by itself: a process works on the run or lands it, or a worker is to do so. */
export const isWorkedOn = (report: RunReport): boolean =>
	report.holder !== null || report.landing_awaited || (report.shared && isScheduled(report));

/** Whether workers go on with a run: with what they have not begun, or in the moment between two tasks. */
function isScheduled({ status, unclaimed, stopped, tasks }: RunReport): boolean {
	if (unclaimed.length > 0) return true;
	if (status === "running") return stopped.length === 0;
	const isAnswered = Object.values(tasks).some(({ human_item_answered: is }) => is);
	return status === "paused_for_user_escalation" && isAnswered;
}

/** Looks without a new event after which the run's state is read all the same: its process may have been killed. */
const PATIENCE = 10;

export interface Follower {
	/** Stored since the last time, in order; the first time everything. */
	onEvents(events: readonly RunEvent[]): void;
	onReport?(report: RunReport): void;
	/** A remark, one sentence; left out: it is printed on standard error. */
	onNotice?(text: string): void;
}

/**
 * Tells what happened in a run and what happens, until no process works on it or the person presses Ctrl-C. A store that is
 * away is waited for.
 *
 * @param first the run as it stands, told first
 * @returns the run as it stands in the end; null when it was interrupted
 */
export async function followRun(
	{ shell, sparring }: { readonly shell: Shell; readonly sparring: Sparring },
	first: RunReport,
	follower: Follower,
): Promise<RunReport | null> {
	const { run_id: runId } = first;
	let report = first;
	let last = 0;
	const onNotice = (text: string): void =>
		follower.onNotice === undefined ? shell.err.print(`${text}\n`) : follower.onNotice(text);
	const outwait = <T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> =>
		outwaitStore(read, { signal, onNotice, pause: () => shell.pause(signal) });
	const tell = async (signal: AbortSignal): Promise<boolean> => {
		const events = await outwait(() => sparring.events(runId, last), signal);
		last = events.at(-1)?.id ?? last;
		if (events.length > 0) follower.onEvents(events);
		return events.length > 0;
	};
	const look = async (signal: AbortSignal): Promise<void> => {
		report = await outwait(() => sparring.status(runId), signal);
		follower.onReport?.(report);
	};
	follower.onReport?.(report);
	const ended = await untilInterrupted(shell, async (signal) => {
		await tell(signal);
		let quiet = 0;
		while (isWorkedOn(report) && !signal.aborted) {
			await shell.pause(signal);
			quiet = (await tell(signal)) ? 0 : (quiet + 1) % PATIENCE;
			if (quiet === 0) await look(signal);
		}
		// What was stored between the last events and the last look.
		await tell(signal);
	});
	return ended === "interrupted" ? null : report;
}

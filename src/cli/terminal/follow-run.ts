import type { Sparring } from "../../library/sparring.ts";
import { outwaitStore } from "../../machines/outwait-store.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import { interruptible } from "./interrupt.ts";
import type { Shell } from "./shell.ts";

// A process works on it or lands it, or a worker is to do so.
export const isWorkedOn = (report: RunReport): boolean =>
	report.holder !== null || report.landing_awaited || (report.shared && isScheduled(report));

// Also in the moment between two tasks.
function isScheduled({ status, unclaimed, stopped, tasks }: RunReport): boolean {
	if (unclaimed.length > 0) return true;
	if (status === "running") return stopped.length === 0;
	const isAnswered = Object.values(tasks).some(({ human_item_answered: is }) => is);
	return status === "paused_for_user_escalation" && isAnswered;
}

// Looks without an event after which the state is read all the same: its process may have been killed.
const PATIENCE = 10;

export interface Follower {
	// The first time everything.
	onEvents(events: readonly StoredEvent[]): void;
	onReport?(report: RunReport): void;
	onNotice?(text: string): void;
}

// A store that is away is waited for.
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
	return await interruptible(shell, async (signal) => {
		await tell(signal);
		let quiet = 0;
		while (isWorkedOn(report) && !signal.aborted) {
			await shell.pause(signal);
			quiet = (await tell(signal)) ? 0 : (quiet + 1) % PATIENCE;
			if (quiet === 0) await look(signal);
		}
		// What was stored between the last events and the last look.
		await tell(signal);
		return signal.aborted ? null : report;
	});
}

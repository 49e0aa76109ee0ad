import type { Sparring } from "../../library/sparring.ts";
import { outwaitStore } from "../../machines/outwait-store.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import { interruptible } from "./interrupt.ts";
import type { Renderer } from "./progress.ts";
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

/** The source of a view of a run on which another process works. */
export interface Followed {
	readonly shell: Shell;
	readonly sparring: Sparring;
	/** The number of events of a look, from the first on, that are history and not told; default: none. */
	readonly past?: (events: readonly StoredEvent[]) => number;
}

/**
 * Shows how a run goes on until nobody works on it any more: its last report; null where Ctrl-C ended the view. A store that is
 * away is waited for.
 */
export async function followRun(
	{ shell, sparring, past = () => 0 }: Followed,
	first: RunReport,
	renderer: Renderer,
): Promise<RunReport | null> {
	const { run_id: runId } = first;
	const onNotice = (text: string): void => renderer.onNotice(text);
	let report = first;
	let last = 0;
	const outwait = <T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> =>
		outwaitStore(read, { signal, onNotice, pause: () => shell.pause(signal) });
	const tell = async (signal: AbortSignal): Promise<boolean> => {
		const events = await outwait(() => sparring.events(runId, last), signal);
		last = events.at(-1)?.id ?? last;
		const since = past(events);
		if (since > 0) renderer.onHistory(events.slice(0, since));
		for (const event of events.slice(since)) renderer.onEvent(event);
		return events.length > 0;
	};
	const look = async (signal: AbortSignal): Promise<void> => {
		report = await outwait(() => sparring.status(runId), signal);
		renderer.onReport?.(report);
	};
	renderer.onReport?.(report);
	const until = async (signal: AbortSignal): Promise<RunReport | null> => {
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
	};
	return await interruptible(shell, until).finally(() => renderer.stop());
}

/** The renderer without the end of the run, which the report that follows tells. */
export const withoutEnd = (renderer: Renderer): Renderer => ({
	...renderer,
	onEvent: (event) => {
		if (event.type !== "run-ended") renderer.onEvent(event);
	},
});

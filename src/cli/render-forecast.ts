import type { RunEvent } from "./run-event.ts";

type Forecast = Extract<RunEvent, { type: "merge-forecast" }>["data"];

/** What work does not merge with; the paths follow. */
export function doesNotMerge(against: Forecast["against"]): string {
	if (against === undefined) return "does not merge cleanly";
	return against === null
		? "would not merge with what others have merged"
		: `would not merge with the present work of ${against}`;
}

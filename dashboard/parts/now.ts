import { signal } from "@preact/signals";

/** The time, for what says how long ago something was; once a second while the page is seen. */
export const now = signal(Date.now());

/** Begins to tell the time. */
export function startClock(): void {
	setInterval(() => {
		if (document.visibilityState === "visible") now.value = Date.now();
	}, 1_000);
}

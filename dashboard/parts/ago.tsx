import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { ago } from "../format/numbers.ts";

const now = signal(Date.now());

export function startClock(): void {
	setInterval(() => {
		if (document.visibilityState === "visible") now.value = Date.now();
	}, 1_000);
}

export function Ago({ time }: { readonly time: string }): JSX.Element {
	return (
		<time dateTime={time} title={time}>
			{ago(time, now.value)}
		</time>
	);
}

import type { JSX } from "preact";
import { ago } from "../format/numbers.ts";
import { now } from "./now.ts";

/** How long ago a time was, with the time itself for those who want to know. */
export function Ago({ time }: { readonly time: string }): JSX.Element {
	return (
		<time dateTime={time} title={time}>
			{ago(time, now.value)}
		</time>
	);
}

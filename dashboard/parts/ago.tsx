import type { JSX } from "preact";
import { ago } from "../format/numbers.ts";
import { now } from "./now.ts";

export function Ago({ time }: { readonly time: string }): JSX.Element {
	return (
		<time dateTime={time} title={time}>
			{ago(time, now.value)}
		</time>
	);
}

import type { JSX } from "preact";

/** As much of a text is shown at once, in characters: what stands below it must stay in reach. */
const SHOWN = 2_000;

export function Words({
	text,
	from,
}: {
	readonly text: string | null | undefined;
	readonly from?: string | undefined;
}): JSX.Element | null {
	if (text === null || text === undefined || text.trim() === "") return null;
	const source = from !== undefined && <span class="dim">{from}: </span>;
	if (text.length <= SHOWN) {
		return (
			<p class="words">
				{source}
				{text}
			</p>
		);
	}
	return (
		<div class="words">
			<p>
				{source}
				{text.slice(0, SHOWN)}
			</p>
			<details>
				<summary>{(text.length - SHOWN).toLocaleString("en")} more characters</summary>
				{text.slice(SHOWN)}
			</details>
		</div>
	);
}

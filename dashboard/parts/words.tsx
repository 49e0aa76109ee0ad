import type { JSX } from "preact";

/** Text of an agent, a check or a person: as it is, with its line breaks, never as markup. */
export function Words({
	text,
	from,
}: {
	readonly text: string | null | undefined;
	/** What it is, before it. */
	readonly from?: string;
}): JSX.Element | null {
	if (text === null || text === undefined || text.trim() === "") return null;
	return (
		<p class="words">
			{from !== undefined && <span class="dim">{from}: </span>}
			{text}
		</p>
	);
}

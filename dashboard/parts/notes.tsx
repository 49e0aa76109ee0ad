import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { textAt } from "../../src/kernel/text-at.ts";
import type { ItemPart, Note } from "../../src/words/item-outline.ts";
import { route, spotLink } from "../route.ts";
import { Badge } from "./badge.tsx";
import { Words } from "./words.tsx";

/** A link to the line in the diff. */
function PlaceLink({ place }: Required<Pick<Note, "place">>): JSX.Element | null {
	if (place.file === null) return null;
	return (
		<a href={spotLink(place)}>
			<code>{textAt(place)}</code>
		</a>
	);
}

/** The finding that the address names, and that is to be in view. */
const isShown = (name: string | undefined): boolean => {
	const at = route.value;
	return (at.screen === "inbox" || at.screen === "task") && at.at.finding === name;
};

export function NoteView({ note }: { readonly note: Note }): JSX.Element {
	const { from, words = [], place, text, output, tone, below = [] } = note;
	const card = useRef<HTMLDivElement>(null);
	const isTarget = place !== undefined && isShown(from);
	useEffect(() => {
		if (isTarget) card.current?.scrollIntoView({ block: "center" });
	}, [isTarget]);
	return (
		<div
			ref={card}
			class={`${tone === undefined ? "" : `card edge ${tone}`}${isTarget ? " target" : ""}`}
		>
			{words.length > 0 && (
				<p>
					<strong>{from}</strong>{" "}
					{words.map((word) => (
						<Badge key={word} word={word} />
					))}{" "}
					{place && <PlaceLink place={place} />}
				</p>
			)}
			<Words text={text} from={words.length === 0 ? from : undefined} />
			{output !== null && output !== undefined && <pre class="said">{output}</pre>}
			<Notes notes={below} />
		</div>
	);
}

export function Notes({ notes }: Pick<ItemPart, "notes">): JSX.Element {
	return (
		<div class="notes">
			{notes.map((note, index) => (
				<NoteView key={index} note={note} />
			))}
		</div>
	);
}

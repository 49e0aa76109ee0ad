import type { JSX } from "preact";
import type { ItemPart, Note } from "../../src/words/item-outline.ts";
import { Badge } from "./badge.tsx";
import { Words } from "./words.tsx";

export function NoteView({ note }: { readonly note: Note }): JSX.Element {
	const { from, words = [], place = "", text, output, tone, below = [] } = note;
	return (
		<div class={tone === undefined ? "" : `card edge ${tone}`}>
			{words.length > 0 && (
				<p>
					<strong>{from}</strong>{" "}
					{words.map((word) => (
						<Badge key={word} word={word} />
					))}{" "}
					<code class="dim">{place}</code>
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

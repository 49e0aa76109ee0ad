/** Replacement of a part of a text. */
export interface Splice {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** A text put in where nothing is taken out. */
export const inserted = (at: number, text: string): Splice => ({ start: at, end: at, text });

/** Offsets in UTF-16 units; the second is behind the last one. */
export type TextRange = readonly [number, number];

/** A text with its parts replaced, or a stretch of it. */
export function spliced(
	text: string,
	splices: readonly Splice[],
	{ start, end } = { start: 0, end: text.length },
): string {
	let [made, at] = ["", start];
	for (const splice of splices.toSorted((one, other) => one.start - other.start)) {
		made += text.slice(at, splice.start) + splice.text;
		at = splice.end;
	}
	return made + text.slice(at, end);
}

export const isIn = ([start, end]: TextRange, [from, to]: TextRange): boolean =>
	from <= start && end <= to;

/** A text with something else in the place of these parts; of those within another only the outer counts. */
export function replaced(text: string, spans: readonly TextRange[], by: string): string {
	const outer = spans.filter((span) => !spans.some((other) => other !== span && isIn(span, other)));
	return spliced(
		text,
		outer.map(([start, end]) => ({ start, end, text: by })),
	);
}

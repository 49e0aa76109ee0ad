import { spliced } from "../canary/test-copy.ts";

/** What a file of the tests declares outside of functions: a test, or what tests share. */
export interface TestPart {
	readonly kind: "case" | "helper" | "hook";
	/** Title of a case as the file spells it; empty for a hook. */
	readonly name: string;
	/** Its own text, without the cases that it holds. */
	readonly text: string;
	/** Its extent, decorators included. */
	readonly span: TextRange;
	/** What a case consists of; null for another part. */
	readonly body: TextRange | null;
}

/** Offsets in UTF-16 units; the second is behind the last one. */
export type TextRange = readonly [number, number];

/** Names of functions that a runner calls around tests. */
export const HOOK = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown|setUp|tearDown)/;

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

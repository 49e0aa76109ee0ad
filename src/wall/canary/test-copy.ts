/** Replacement of a part of a text. */
export interface Splice {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** A way to make one assertion of a test wrong. */
export interface Wrong {
	/** Assertion and call that it looks at; one of each kind tells enough. */
	readonly kind: string;
	readonly splice: Splice;
}

/** A test case that can be declared once more with another name. */
export interface TestCopy extends Readonly<Record<"start" | "end", number>> {
	/** Offset at which copies stand. */
	readonly at: number;
	/** The place of its name. */
	readonly title: Omit<Splice, "text">;
	readonly wrongs: readonly Wrong[];
	/** What makes it fail in any case, for a file without an assertion that can be made wrong. */
	readonly thrown: Splice | null;
}

export interface CopyRequest {
	readonly path: string;
	/** Part of each name; random, so that no product can know it. */
	readonly token: string;
	/** Words of the checks' commands. */
	readonly words: ReadonlySet<string>;
}

/** Tests of a file that can be copied, and what copies of its language look like. */
export interface Copies {
	readonly copies: readonly TestCopy[];
	/** What makes a value one that no call gives. */
	readonly helpers: Splice;
	/** Name of a copy by its number, as the runner reports it. */
	readonly nameOf: (at: number) => string;
	/** A copy as a statement of its own; `copy` gives its text with a title as it is written. */
	readonly apart: (copy: (title: string) => string, name: string) => string;
}

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

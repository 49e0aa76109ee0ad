/**
 * A line end, raw or escaped as in JSON (also in JSON inside JSON), and the indentation that follows.
 * Every part is bounded and none can match what the next one starts with.
 */
const LINE_END = /(?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n)[ \t]{0,80}/g;

/** A text without its line ends, that knows where its characters stood. */
export interface JoinedText {
	readonly text: string;
	/** Where the character at an index of the joined text stands in the original. */
	at(index: number): number;
	/** The first index above this one before which a line ended; the text's length if there is none. */
	nextBreak(index: number): number;
	/** Whether a line ended right before this index. */
	isBreak(index: number): boolean;
}

/** The number of entries that are at most `limit`, in a rising list. */
function countUpTo(rising: readonly number[], limit: number): number {
	let low = 0;
	let high = rising.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (Number(rising[middle]) <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Where each piece but the first begins in the joined text, and by how much it was moved. */
interface Breaks {
	readonly starts: readonly number[];
	readonly shifts: readonly number[];
}

function breaksOf(text: string): Breaks {
	const starts: number[] = [];
	const shifts: number[] = [];
	let removed = 0;
	for (const { 0: found, index } of text.matchAll(LINE_END)) {
		starts.push(index - removed);
		removed += found.length;
		shifts.push(removed);
	}
	return { starts, shifts };
}

/**
 * The text with its line ends taken out, so that what was wrapped stands in one piece.
 *
 * Indentation of up to 80 characters after a line end goes with it. `"ab\n  cd"` gives `"abcd"`, whose third
 * character stands at 5.
 *
 * @returns undefined when the text has no line end
 */
export function joinLines(text: string): JoinedText | undefined {
	const joined = text.replaceAll(LINE_END, "");
	if (joined.length === text.length) return;
	// Most texts hold nothing of which the place is asked for.
	let known: Breaks | undefined;
	const breaks = (): Breaks => {
		known ??= breaksOf(text);
		return known;
	};
	return {
		text: joined,
		at(index) {
			const { starts, shifts } = breaks();
			return index + (shifts[countUpTo(starts, index) - 1] ?? 0);
		},
		nextBreak(index) {
			const { starts } = breaks();
			return starts[countUpTo(starts, index)] ?? joined.length;
		},
		isBreak(index) {
			const { starts } = breaks();
			return starts[countUpTo(starts, index) - 1] === index;
		},
	};
}

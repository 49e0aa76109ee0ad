/**
 * A line end, raw or escaped as in JSON (also in JSON inside JSON), and the indentation that follows.
 * Every part is bounded and none can match what the next one starts with.
 */
const LINE_END = /(?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n)[ \t]{0,80}/g;

/** Also a carriage return alone, and a backslash before the line end. */
const ANY_END = String.raw`(?:\r\n?|\n|\\\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}[nr])[ \t]{0,80}`;

/** Soft hyphens, characters without width, and a terminal's escapes. */
const UNSEEN = String.raw`[\u00ad\u200b-\u200d\u2060\ufeff]|\x1b\[[\d;]{0,16}[A-Za-z]`;

const PIECE_END = new RegExp(`${ANY_END}|${UNSEEN}`, "g");

/** Also with the sign of a diff, or up to three of a quotation or a frame, at the beginning of the next line. */
const QUOTED_END = new RegExp(
	`${ANY_END}(?:(?:[>|][ \\t]{0,8}){1,3}|[-+][ \\t]{0,8})?|${UNSEEN}`,
	"g",
);

const QUOTED = /(?:[\n\r]|\\[nr])[ \t]{0,80}[-+>|]/;

export interface Lines {
	readonly text: string;
	nextBreak(index: number): number;
	lineStart(index: number): number;
}

export interface JoinedText extends Lines {
	at(index: number): number;
}

export function asItStands(text: string): Lines {
	return { text, nextBreak: () => text.length, lineStart: () => 0 };
}

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

interface Breaks {
	readonly starts: readonly number[];
	readonly shifts: readonly number[];
}

function breaksOf(text: string, ends: RegExp): Breaks {
	const starts: number[] = [];
	const shifts: number[] = [];
	let removed = 0;
	for (const { 0: found, index } of text.matchAll(ends)) {
		starts.push(index - removed);
		removed += found.length;
		shifts.push(removed);
	}
	return { starts, shifts };
}

/** The text without its line ends and the indentation behind them, up to 80 characters; undefined when it has none. */
export function joinLines(text: string): JoinedText | undefined {
	return joinedBy(LINE_END, text);
}

/** Also without carriage returns, backslashes at ends of lines, characters without width and a terminal's escapes. */
export function joinPieces(text: string): JoinedText | undefined {
	return joinedBy(PIECE_END, text);
}

/** Also without the signs by which a diff, a quotation or a frame begins a line; undefined when no line begins so. */
export function joinQuoted(text: string): JoinedText | undefined {
	return QUOTED.test(text) ? joinedBy(QUOTED_END, text) : undefined;
}

function joinedBy(ends: RegExp, text: string): JoinedText | undefined {
	const joined = text.replaceAll(ends, "");
	if (joined.length === text.length) return;
	// Most texts hold nothing of which the place is asked for.
	let known: Breaks | undefined;
	const breaks = (): Breaks => {
		known ??= breaksOf(text, ends);
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
		lineStart(index) {
			const { starts } = breaks();
			return starts[countUpTo(starts, index) - 1] ?? 0;
		},
	};
}

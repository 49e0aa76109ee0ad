import { ALNUM, type Alphabet, BASE64URL, endOfRun, isIn, startOfRun } from "./alphabet.ts";
import type { Finding } from "./finding.ts";
import type { Lines } from "./lines.ts";
import { isRandomToken } from "./randomness.ts";
import { TOKEN_KINDS, type TokenKind } from "./token-kinds.ts";
import type { TokenText } from "./token-text.ts";

/** Line ends that a token may be broken by. */
const MOST_BREAKS = 24;

/** A line of at least this many characters may have been broken because it was full. */
const FULL_LINE = 60;

/** A run of at least this many random characters goes on with a token even after a short line. */
const LONG_RUN = 16;

/** Where a token of its own begins; what is short or stands within a token says nothing. */
const PREFIXES: readonly string[] = [
	...TOKEN_KINDS.filter(({ label, before, isAlone }) => !(label || before || isAlone)).flatMap(
		({ prefixes }) => prefixes,
	),
	"eyJ",
];

/**
 * Ends of what is written as letters and digits and stands for something else: escapes of programming languages, of URLs,
 * and of terminals, whose `ESC` may be missing or be written out itself.
 */
const ESCAPE =
	/(?:\\(?:[nrtbfvae]|u[\da-f]{4}|x[\da-f]{2}|[0-7]{1,3})|%[\da-f]{2}|\[[\d;:?]{0,20}[a-z])$/i;
const LONGEST_ESCAPE = 24;

/** Letters and digits, or both cases; after a line that was not full all three, as in base64 and not in a hash. */
function goesOn(run: string, afterFullLine: boolean): boolean {
	const [lower, upper, digit] = [/[a-z]/.test(run), /[A-Z]/.test(run), /\d/.test(run)];
	if (PREFIXES.some((prefix) => run.startsWith(prefix))) return false;
	if (!afterFullLine) return run.length >= LONG_RUN && lower && upper && digit;
	return run.length >= 4 && (lower || upper) && (digit || /[a-z][A-Z]/.test(run));
}

/**
 * Whether a token may start here: not inside a word or a run of base64. An escape such as `\n`, `%3D` or `\x1b[31m` is no
 * part of a word.
 */
export function startsHere({ text, isBreak }: Lines, start: number): boolean {
	if (start === 0 || !isIn(ALNUM, text, start - 1) || isBreak(start)) return true;
	return ESCAPE.test(text.slice(Math.max(0, start - LONGEST_ESCAPE), start));
}

/** Whether the line that ends at `stop` has at least 60 characters. */
function isFull({ isBreak }: Lines, stop: number): boolean {
	let width = 0;
	while (width < FULL_LINE && width < stop && !(width > 0 && isBreak(stop - width))) width += 1;
	return width === FULL_LINE;
}

/**
 * Whether a token that is broken at `stop`, and long enough by then, goes on in the next line: with what looks random, and
 * is no token of its own.
 */
export function goesOnAt(lines: Lines, set: Alphabet, stop: number): boolean {
	const end = endOfRun(set, lines.text, stop, Math.min(lines.nextBreak(stop), stop + FULL_LINE));
	return goesOn(lines.text.slice(stop, end), isFull(lines, stop));
}

/** What a name adds to a token of a fixed length: `_ok`, `-2`, `.txt`, `_`. */
const ADDED = /^[_.-](?:[a-z]{1,16}|\d{1,4})?(?![A-Za-z0-9])/;
const LONGEST_ADDED = 18;

/** Where the token ends whose run goes on beyond `end`, the most it may have: at a line end, or before an added word. */
function endOfLongRun({ text }: Lines, end: number, atBreak: number | null): number | null {
	if (atBreak !== null) return atBreak;
	return ADDED.test(text.slice(end, end + LONGEST_ADDED)) ? end : null;
}

/**
 * Where the token ends whose fixed beginning ends at `body`.
 *
 * It ends before the first character that is not of its alphabet, or with a line when it is long enough by then and the line
 * was not full. A run that is longer than the token may be is none, unless it goes on with a word such as `_ok`.
 */
function tokenEnd(lines: TokenText, kind: TokenKind, body: number): number | null {
	let stop = body;
	let whole: number | null = null;
	for (let breaks = 0; breaks <= MOST_BREAKS; breaks += 1) {
		const edge = lines.nextBreak(stop);
		stop = lines.endOfRun(kind.alphabet, stop, Math.min(edge, body + kind.max + 1));
		const length = stop - body;
		if (length > kind.max) return endOfLongRun(lines, body + kind.max, whole);
		const isEnough = length >= kind.min;
		const isBroken = stop === edge && stop < lines.text.length;
		if (!isBroken) return isEnough ? stop : whole;
		if (isEnough && (length === kind.max || !goesOnAt(lines, kind.alphabet, stop))) return stop;
		if (isEnough) whole = stop;
	}
	return whole;
}

/** Where the secret starts; null when what stands before it says that it is none. */
function secretStart(lines: Lines, kind: TokenKind, start: number, body: number): number | null {
	const { text } = lines;
	if (kind.before !== undefined) {
		const { alphabet: set, min, max } = kind.before;
		const from = startOfRun(set, text, start, start - max);
		const mayStart = startsHere(lines, from) || text.startsWith("/bot", from - 4);
		return start - from >= min && mayStart ? from : null;
	}
	if (!startsHere(lines, start)) return null;
	if (kind.isAlone === true && start > 0 && isIn(BASE64URL, text, start - 1)) {
		if (!(lines.isBreak(start) || isIn(ALNUM, text, start - 1))) return null;
	}
	return kind.label === true ? body : start;
}

/** The token of a kind whose prefix stands at `start`, also when line ends tore it. */
export function findToken(
	lines: TokenText,
	start: number,
	{ kind, prefix }: { readonly kind: TokenKind; readonly prefix: string },
): Finding | null {
	if (!lines.text.startsWith(prefix, start)) return null;
	const body = start + prefix.length;
	const from = secretStart(lines, kind, start, body);
	if (from === null) return null;
	const end = tokenEnd(lines, kind, body);
	if (end === null) return null;
	const value = lines.text.slice(from, end);
	if (kind.shape !== undefined && !kind.shape.test(value)) return null;
	return isRandomToken(kind.before === undefined ? lines.text.slice(body, end) : value)
		? { start: from, end, rule: kind.rule, value }
		: null;
}

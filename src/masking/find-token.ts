import { ALNUM, type Alphabet, alphabet, endOfRun, isIn, startOfRun } from "./alphabet.ts";
import type { Finding, Work } from "./finding.ts";
import type { Lines } from "./lines.ts";
import { isRandomToken } from "./randomness.ts";
import { TOKEN_KINDS, type TokenKind } from "./token-kinds.ts";

/** Line ends that a token may be broken by. */
const MOST_BREAKS = 24;

/** A line of at least this many characters may have been broken because it was full. */
const FULL_LINE = 60;

/** A run of at least this many random characters goes on with a token even after a short line. */
const LONG_RUN = 16;

const PREFIXES: readonly string[] = [...TOKEN_KINDS.flatMap(({ prefixes }) => prefixes), "eyJ"];

/** Letters and digits, or both cases; after a line that was not full all three, as in base64 and not in a hash. */
function goesOn(run: string, afterFullLine: boolean): boolean {
	const [lower, upper, digit] = [/[a-z]/.test(run), /[A-Z]/.test(run), /\d/.test(run)];
	if (PREFIXES.some((prefix) => run.startsWith(prefix))) return false;
	if (!afterFullLine) return run.length >= LONG_RUN && lower && upper && digit;
	return run.length >= 4 && (lower || upper) && (digit || /[a-z][A-Z]/.test(run));
}

/**
 * Whether a token may start here: not inside a word or a run of base64. The letter of an escape such as `\n` is no
 * part of a word.
 */
export function startsHere({ text, isBreak }: Lines, start: number): boolean {
	if (start === 0 || isBreak(start) || !isIn(ALNUM, text, start - 1)) return true;
	return text[start - 2] === "\\" && "nrtbf".includes(text[start - 1] ?? "");
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

/**
 * Where the token ends whose fixed beginning ends at `body`.
 *
 * It ends before the first character that is not of its alphabet, or with a line when it is long enough by then and the line
 * was not full. A run that is longer than the token may be is none.
 */
function tokenEnd(lines: Lines, kind: TokenKind, body: number, work: Work): number | null {
	let stop = body;
	let whole: number | null = null;
	for (let breaks = 0; breaks <= MOST_BREAKS; breaks += 1) {
		const edge = lines.nextBreak(stop);
		const next = endOfRun(kind.alphabet, lines.text, stop, Math.min(edge, body + kind.max + 1));
		work.characters += next - stop + 1;
		stop = next;
		const length = stop - body;
		if (length > kind.max) return whole;
		const isEnough = length >= kind.min;
		const isBroken = stop === edge && stop < lines.text.length;
		if (!isBroken) return isEnough ? stop : whole;
		if (isEnough && (length === kind.max || !goesOnAt(lines, kind.alphabet, stop))) return stop;
		if (isEnough) whole = stop;
	}
	return whole;
}

/** Digits before the colon of a Telegram bot's token. */
const DIGIT: Alphabet = alphabet("0-9");

/** Where the secret starts; null when what stands before it says that it is none. */
function secretStart(lines: Lines, kind: TokenKind, start: number, body: number): number | null {
	if (kind.rule !== "telegram") {
		if (!startsHere(lines, start)) return null;
		return kind.label === true ? body : start;
	}
	const id = startOfRun(DIGIT, lines.text, start, start - 11);
	return start - id >= 8 && start - id <= 10 && startsHere(lines, id) ? id : null;
}

/** The token of a kind whose prefix stands at `start`, also when line ends tore it. */
export function findToken(
	lines: Lines,
	start: number,
	{ kind, prefix }: { readonly kind: TokenKind; readonly prefix: string },
	work: Work,
): Finding | null {
	if (!lines.text.startsWith(prefix, start)) return null;
	const body = start + prefix.length;
	const from = secretStart(lines, kind, start, body);
	if (from === null) return null;
	const end = tokenEnd(lines, kind, body, work);
	if (end === null || !isRandomToken(lines.text.slice(body, end))) return null;
	return { start: from, end, rule: kind.rule, value: lines.text.slice(from, end) };
}

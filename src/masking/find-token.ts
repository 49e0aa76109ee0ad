import type { Lines } from "./joined-text.ts";
import { isRandomToken } from "./looks-secret.ts";
import type { SecretSpot } from "./scanning.ts";
import { at, endOf, startOfRun } from "./scanning.ts";
import { TOKEN_KINDS, type TokenKind } from "./token-kinds.ts";

const MOST_BREAKS = 24;

/** A line of at least this many characters may have been broken because it was full. */
const FULL_LINE = 60;

/** A run of at least this many random characters goes on with a token even after a short line. */
const LONG_RUN = 16;

const PREFIXES: readonly string[] = TOKEN_KINDS.filter(
	({ label, before, isAlone }) => !(label || before || isAlone),
)
	.flatMap(({ prefixes }) => prefixes)
	.concat("eyJ");

/**
 * Ends of what is written as letters and digits and stands for something else: escapes of programming languages, of
 * URLs, and of terminals, whose `ESC` may be missing or be written out itself.
 */
const ESCAPE =
	/(?:\\(?:[nrtbfvae]|u[\da-f]{4}|x[\da-f]{2}|[0-7]{1,3})|%[\da-f]{2}|\[[\d;:?]{0,20}[a-z])$/i;
const LONGEST_ESCAPE = 24;

const isAlnum = (character: string): boolean => /[A-Za-z0-9]/.test(character);

/** Not inside a word or a run of base64. An escape such as `\n`, `%3D` or `\x1b[31m` is no part of a word. */
function startsHere(lines: Lines, start: number): boolean {
	const { text } = lines;
	if (start === 0 || !isAlnum(text.charAt(start - 1))) return true;
	if (lines.lineStart(start) === start) return true;
	return ESCAPE.test(text.slice(Math.max(0, start - LONGEST_ESCAPE), start));
}

/** Letters and digits, or both cases; after a line that was not full all three, as in base64 and not in a hash. */
function goesOn(run: string, afterFullLine: boolean): boolean {
	const [lower, upper, digit] = [/[a-z]/.test(run), /[A-Z]/.test(run), /\d/.test(run)];
	if (PREFIXES.some((prefix) => run.startsWith(prefix))) return false;
	if (!afterFullLine) return run.length >= LONG_RUN && lower && upper && digit;
	return run.length >= 4 && (lower || upper) && (digit || /[a-z][A-Z]/.test(run));
}

interface TokenRun {
	readonly body: number;
	readonly end: number;
	/** Characters of the body from which on it can be whole. */
	readonly enough: number;
	/** Characters of the body from which on it is whole for sure. */
	readonly most: number;
	readonly breaks: number;
}

/**
 * The line ends within a run at which a token is long enough to be whole; the last of them, or the first where it ends.
 */
function lastBreak(lines: Lines, run: TokenRun): { whole: number | null; isEnd: boolean } {
	const { text } = lines;
	let whole: number | null = null;
	let edge = run.body;
	for (let breaks = 0; breaks < run.breaks; breaks += 1) {
		edge = lines.nextBreak(edge);
		if (edge >= run.end || edge > run.body + run.most) break;
		if (edge < run.body + run.enough) continue;
		whole = edge;
		const next = text.slice(edge, Math.min(run.end, lines.nextBreak(edge), edge + FULL_LINE));
		const isFull = edge - lines.lineStart(edge - 1) >= FULL_LINE;
		if (edge === run.body + run.most || !goesOn(next, isFull)) return { whole, isEnd: true };
	}
	return { whole, isEnd: false };
}

const ADDED: RegExp = at("[_.-](?:[a-z]{1,16}|\\d{1,4})?(?![A-Za-z0-9])");

/**
 * Finds the end of the token whose fixed beginning ends at `body`.
 *
 * It ends before the first character that is not of its alphabet, or with a line when it is long enough by then and the
 * line was not full. A run that is longer than the token may be is not a token, unless it continues with a word such as
 * `_ok`.
 */
function tokenEnd(lines: Lines, { run, min, max }: TokenKind, body: number): number | null {
	const end = endOf(run, lines.text, body);
	if (end - body < min) return null;
	const { whole, isEnd } = lastBreak(lines, {
		body,
		end,
		enough: min,
		most: max,
		breaks: MOST_BREAKS,
	});
	if (isEnd || end - body <= max) return isEnd ? whole : end;
	const longest = body + max;
	return whole ?? (endOf(ADDED, lines.text, longest) > longest ? longest : null);
}

function secretStart(lines: Lines, kind: TokenKind, start: number, body: number): number | null {
	const { text } = lines;
	if (kind.before !== undefined) {
		const { characters, min, max } = kind.before;
		const from = startOfRun(characters, text, start, max);
		const mayStart = startsHere(lines, from) || text.startsWith("/bot", from - 4);
		return start - from >= min && mayStart ? from : null;
	}
	if (!startsHere(lines, start)) return null;
	if (kind.isAlone === true && lines.lineStart(start) !== start) {
		if (/[_-]/.test(text.charAt(start - 1))) return null;
	}
	return kind.label === true ? body : start;
}

/** The token of a kind whose prefix stands at `start`, also when line ends tore it. */
export function findToken(
	lines: Lines,
	start: number,
	{ kind, prefix }: { readonly kind: TokenKind; readonly prefix: string },
): SecretSpot | null {
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

export const JWT_BEGINNINGS: readonly string[] = ["eyJ", "eyAi", "ewog", "ew0K"];

const HEADER: RegExp = at("[\\w-]{14,1000}(?=\\.)");

/** Claims, the signature, and two more parts of a token that is encrypted. A longer part is masked up to here. */
const PARTS: RegExp = at("\\.[\\w-]{8,8192}(?:\\.[\\w-]{0,8192}){0,3}");

/** A first member, within what the first characters of a header stand for. */
const FIRST_MEMBER = /^\{\s{0,8}"[\w#/:.-]{1,24}"\s{0,4}:/;
const FIRST_CHARACTERS = 56;

const SIGNED = 17;

const decoded = (part: string): string => Buffer.from(part, "base64url").toString("latin1");

/**
 * The JSON Web Token that begins at `start`, also one that line ends tore: three parts, or two and a cut, of which the
 * first is a header. It goes on in the next line while its signature is not there, or while lines are full.
 */
export function findJwt(lines: Lines, start: number): SecretSpot | null {
	const { text } = lines;
	if (!JWT_BEGINNINGS.some((each) => text.startsWith(each, start))) return null;
	if (!startsHere(lines, start)) return null;
	if (!FIRST_MEMBER.test(decoded(text.slice(start, start + FIRST_CHARACTERS)))) return null;
	const header = endOf(HEADER, text, start);
	if (!/"(?:alg|typ|kid|enc)"/.test(decoded(text.slice(start, header)))) return null;
	const end = endOf(PARTS, text, header);
	if (end === header) return null;
	const dot = text.indexOf(".", header + 1);
	const enough = dot < 0 || dot >= end ? end - start : dot + SIGNED - start;
	const run = { body: start, end, enough, most: end - start, breaks: 256 };
	const { whole, isEnd } = lastBreak(lines, run);
	const value = text.slice(start, isEnd && whole !== null ? whole : end).replace(/\.{1,3}$/, "");
	return { start, end: start + value.length, rule: "jwt", value };
}

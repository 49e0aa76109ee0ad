import type { ValueStanding } from "./looks-secret.ts";
import { at, COLOURS, endOf, GAP, QUOTE, SPACE } from "./scanning.ts";

export interface ValuePlace {
	readonly start: number;
	readonly end: number;
	readonly standing: ValueStanding;
}

/** Of a value in quotes, in characters. */
export const LONGEST_VALUE = 4_096;

/** Without quotes a longer run is data rather than a secret, and would be read again for every keyword in it. */
const LONGEST_BARE = 512;

const SCHEME = /(?:bearer|basic|token|apikey|digest)[ \t]{1,4}/iy;

const TYPE: RegExp = at("[A-Za-z0-9_.-]{1,40}[ \\t]{1,8}=(?!=)");

const GAPS: RegExp = at(GAP);
const NEXT_LINE: RegExp = at(`(?:\\r?\\n|(?:\\\\{1,4}r)?\\\\{1,4}n)[ \\t]{0,80}(?=${QUOTE})`);

/** A block of YAML: the value stands on the next line. */
const BLOCK: RegExp = at(`[|>][-+]?[ \\t]{0,8}(?:\\r?\\n|\\\\{1,4}n)[ \\t]{1,80}`);

/** A type such as `&'static str` or `string | null`, when text in quotes follows. */
const WIDE_TYPE: RegExp = at(
	`[A-Za-z_&*][\\w.&<>|[\\]'?*:, -]{0,60}=(?![=>~])[ \\t]{0,8}(?=\\\\{0,4}["'\`@]|Some\\()`,
);

/** Letters and calls that only make another kind of text, and Markdown's `**`. */
const PREFIX: RegExp = at(
	`${COLOURS}(?:(?:[bBrRfFuU]{1,2}|[@$]|String::from\\(|Some\\(|string\\(\\d{1,5}\\) )(?=${QUOTE})|<!\\[CDATA\\[|\\*\\*[ \\t]{1,4})`,
);

const DUMPED: RegExp = at(`${SPACE}string\\(\\d{1,5}\\) (?=")`);

const skipToValue = (text: string, from: number): number => {
	const here = endOf(GAPS, text, from);
	return endOf(NEXT_LINE, text, here);
};

export function startOfValue(text: string, from: number): number {
	const dumped = endOf(DUMPED, text, from);
	if (dumped > from) return dumped;
	const first = skipToValue(text, from);
	const block = endOf(BLOCK, text, first);
	if (block > first) return block;
	const type = endOf(TYPE, text, first);
	const start = type > first ? skipToValue(text, type) : endOf(WIDE_TYPE, text, first);
	return endOf(PREFIX, text, start);
}

const OPENING: RegExp = at(QUOTE);

const SPELLED: RegExp = at(`[^"<>\\n\\\\]{0,${LONGEST_VALUE + 1}}`);

function spelledPlace(text: string, start: number, quote: string): ValuePlace {
	const end = endOf(SPELLED, text, start);
	const closing = text.slice(start, end).indexOf(quote);
	return { start, end: closing < 0 ? end : start + closing, standing: "quoted" };
}

/**
 * A value in quotes, whose closing quote is as escaped as its opening one; up to the line's end when that is missing.
 *
 * A double quote ends every value, and a backslash all but those in plain double quotes: behind it another text of a JSON
 * document may begin, which has to stay JSON.
 */
function quotedPlace(text: string, from: number, opening: string): ValuePlace {
	const quote = opening.at(-1);
	// Three quotes in Python, of which the last opens.
	const start = text.startsWith(opening + opening, from) ? from + 2 * opening.length : from;
	const most = Math.min(text.length, start + LONGEST_VALUE + 1);
	const isPlain = opening === '"';
	let end = start;
	while (end < most && text[end] !== quote && text[end] !== '"' && text[end] !== "\n") {
		if (text[end] === "\\" && !isPlain) break;
		end += text[end] === "\\" ? 2 : 1;
	}
	return { start, end: Math.min(end, most), standing: "quoted" };
}

export function quotedAt(text: string, from: number): ValuePlace | null {
	const coloured = endOf(GAPS, text, from);
	const start = endOf(OPENING, text, coloured);
	if (start === coloured) return null;
	const opening = text.slice(coloured, start);
	return /["'`]$/.test(opening)
		? quotedPlace(text, start, opening)
		: spelledPlace(text, start, opening);
}

const BARE: RegExp = at(`[^ \\t\\n\\r\\v\\f"'\`,;()[\\]{}<>&|\\\\\\u001b]{0,${LONGEST_BARE + 1}}`);

/** Behind an escape of JSON or a language, which is no pattern, the value is over. */
const ESCAPED: RegExp = at(`\\\\{1,4}(?:[nrt"']|u00[0-9a-fA-F]{2}|x1[bB]|033|e\\[)`);

function isCode(text: string, end: number): boolean {
	if (text[end] === "\\") return endOf(ESCAPED, text, end) === end;
	if (text[end] === "<") return text[end + 1] !== "/";
	return "([{".includes(text[end] ?? " ");
}

function bareAt(text: string, from: number): ValuePlace | null {
	const end = endOf(BARE, text, from);
	if (end === from || end - from > LONGEST_BARE || isCode(text, end)) return null;
	return { start: from, end, standing: "bare" };
}

function trimmed(text: string, { start, end, standing }: ValuePlace): ValuePlace {
	const scheme = Math.min(endOf(SCHEME, text, start), end);
	const last = standing === "bare" && ".:!?".includes(text[end - 1] ?? " ") ? end - 1 : end;
	return { start: scheme, end: last, standing };
}

export function placeAt(text: string, from: number): ValuePlace | null {
	const quoted = quotedAt(text, from);
	if (quoted !== null) return trimmed(text, quoted);
	const start = endOf(GAPS, text, from);
	const bare = bareAt(text, endOf(SCHEME, text, start));
	return bare === null ? null : trimmed(text, bare);
}

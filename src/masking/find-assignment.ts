import { alphabet, BLANK, endOfRun, isIn, startOfRun } from "./alphabet.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { looksSecret, type Standing } from "./looks-secret.ts";

const NAME = alphabet("A-Za-z0-9_.-");
const LONGEST_TAIL = 40;
const LONGEST_VALUE = 4_096;

/** Without quotes a longer run is data rather than a secret, and would be read again for every keyword in it. */
const LONGEST_BARE = 512;

/** A name that ends so speaks of a secret without holding it. */
const HARMLESS =
	/(?:hash(?:es)?|sha\d*|digest|checksum|fingerprint|integrity|ids?|names?|types?|urls?|uris?|paths?|files?|arn|regexp?|patterns?|versions?|at|date|time|expiry|expires|endpoint|labels?|class(?:es)?|refs?|kinds?|izers?|isation|ization)$/i;

/** After `pass` only what makes it a word for a secret, so that `passed` and `passenger` are none. */
const PASS_TAIL = /^(?:word|wd|phrase|code|$|[_.-]|\d)/i;

const OPERATORS: readonly string[] = ["===", "!==", ":=", "=>", "==", "!=", "=", ":", ">"];
const SCHEMES = /^(?:bearer|basic|token|apikey|digest)[ \t]{1,4}/i;

const MOST_BLANKS = 8;
const MOST_INDENT = 80;

/** Length of a scheme such as `Bearer ` at a place; 0 if there is none. */
const schemeLength = (text: string, from: number): number =>
	SCHEMES.exec(text.slice(from, from + 16))?.[0].length ?? 0;

interface Place {
	readonly start: number;
	readonly end: number;
	readonly standing: Standing;
}

const skipBlanks = (text: string, from: number, most: number = MOST_BLANKS): number =>
	endOfRun(BLANK, text, from, from + most);

/** Past the backslashes and the quote that may close a name. */
function skipQuote(text: string, from: number): number {
	let index = from;
	while (index < from + 4 && text[index] === "\\") index += 1;
	if (isQuote(text[index])) return text[index + 1] === "]" ? index + 2 : index + 1;
	return from;
}

const isQuote = (character: string | undefined): boolean =>
	character === '"' || character === "'" || character === "`";

/** The operator that follows a name, and its end; null when none does. */
function operatorAfter(text: string, nameStart: number, nameEnd: number) {
	const from = skipBlanks(text, skipQuote(text, nameEnd));
	const operator = OPERATORS.find((each) => text.startsWith(each, from));
	if (operator !== undefined) return { operator, end: from + operator.length };
	// An option of a command line: its value follows after a blank.
	return from > nameEnd && text[nameStart] === "-" ? { operator: " ", end: from } : null;
}

/** What stands without quotes beside these is compared, and so a name. */
const COMPARING: readonly string[] = ["===", "!==", "==", "!="];

/** Where a value starts: on this line, or in quotes on the next. */
function skipToValue(text: string, from: number): number {
	const here = skipBlanks(text, from);
	const lineEnd = text.startsWith("\r\n", here) ? here + 2 : here + 1;
	if (text[lineEnd - 1] !== "\n") return here;
	const next = skipBlanks(text, lineEnd, MOST_INDENT);
	return isQuote(text[next]) ? next : here;
}

/** Past a type: `password: string = "..."`. */
function skipType(text: string, from: number): number {
	const type = endOfRun(NAME, text, from, from + LONGEST_TAIL);
	const after = skipBlanks(text, type);
	if (type === from || after === type || text[after] !== "=" || text[after + 1] === "=")
		return from;
	return skipToValue(text, after + 1);
}

const BARE_END = alphabet(" \t\n\r\v\f\"'`,;()[]{}<>&|\\");

/**
 * A value in quotes, whose closing quote is as escaped as its opening one; up to the line's end when that is missing.
 *
 * A double quote ends every value, and a backslash all but those in plain double quotes: behind it another text of a JSON
 * document may begin, which has to stay JSON.
 */
function quotedPlace(text: string, from: number, slashes: number): Place {
	const quote = text[from + slashes];
	const start = from + slashes + 1;
	const most = Math.min(text.length, start + LONGEST_VALUE + 1);
	const isPlain = quote === '"' && slashes === 0;
	let end = start;
	while (end < most && text[end] !== quote && text[end] !== '"' && text[end] !== "\n") {
		if (text[end] === "\\" && !isPlain) break;
		end += text[end] === "\\" ? 2 : 1;
	}
	return { start, end: Math.min(end, most), standing: "quoted" };
}

function placeAt(text: string, from: number): Place | null {
	let slashes = 0;
	while (slashes < 4 && text[from + slashes] === "\\") slashes += 1;
	if (isQuote(text[from + slashes])) return quotedPlace(text, from, slashes);
	return barePlace(text, from + schemeLength(text, from));
}

function barePlace(text: string, from: number): Place | null {
	const end = endOfBare(text, from);
	// What a bracket or a backslash follows is code; the end of an element is none.
	const isCode = "([{\\".includes(text[end] ?? " ") || (text[end] === "<" && text[end + 1] !== "/");
	return end === from || end - from > LONGEST_BARE || isCode
		? null
		: { start: from, end, standing: "bare" };
}

function endOfBare(text: string, from: number): number {
	const most = Math.min(text.length, from + LONGEST_BARE + 1);
	let end = from;
	while (end < most && !isIn(BARE_END, text, end)) end += 1;
	return end;
}

/** Without a scheme such as `Bearer`, and without what ends a sentence. */
function trimmed(text: string, { start, end, standing }: Place): Place {
	const scheme = Math.min(schemeLength(text, start), end - start);
	const last = standing === "bare" && ".:!?".includes(text[end - 1] ?? " ") ? end - 1 : end;
	return { start: start + scheme, end: last, standing };
}

function isName(tail: string, keyword: string): boolean {
	if (keyword === "pass" && !PASS_TAIL.test(tail)) return false;
	// npm's own name; `_AUTH_TYPE` and the like are no secrets.
	if (keyword === "_auth" && tail !== "") return false;
	return !HARMLESS.test(tail);
}

/**
 * The value that is assigned to a name with a telling word in it: `password = "..."`, `api_key: '...'`, `SECRET=...`,
 * `"clientSecret": "..."` (also with escaped quotes), `--token ...`, `<password>...</password>`, `?token=...`.
 *
 * @param start where the telling word starts
 */
export function findAssignment(
	text: string,
	start: number,
	keyword: string,
	work: Work,
): Finding | null {
	const tailStart = start + keyword.length;
	const nameEnd = endOfRun(NAME, text, tailStart, tailStart + LONGEST_TAIL);
	work.characters += nameEnd - tailStart + 1;
	if (!isName(text.slice(tailStart, nameEnd), keyword)) return null;
	const nameStart = startOfRun(NAME, text, start, start - LONGEST_TAIL);
	const after = operatorAfter(text, nameStart, nameEnd);
	if (after === null) return null;
	const place = placeAt(text, skipType(text, skipToValue(text, after.end)));
	work.characters += place === null ? 8 : place.end - tailStart;
	if (place === null || place.end - place.start > LONGEST_VALUE) return null;
	const { start: from, end, standing } = trimmed(text, place);
	if (standing === "bare" && COMPARING.includes(after.operator)) return null;
	const value = text.slice(from, end);
	return looksSecret(value, standing) ? { start: from, end, rule: CONTEXT_RULE, value } : null;
}

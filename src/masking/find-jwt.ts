import { alphabet, BASE64URL, endOfRun } from "./alphabet.ts";
import { goesOnAt, startsHere } from "./find-token.ts";
import type { Finding, Work } from "./finding.ts";
import type { Lines } from "./lines.ts";

/** A JSON Web Token: header, claims and signature in base64url, with dots between (RFC 7519). */
const TOKEN = alphabet("A-Za-z0-9_.-");

/** How a header begins in base64url: `{"`, `{ "`, and `{` with a line end. */
export const JWT_BEGINNINGS: readonly string[] = ["eyJ", "eyAi", "ewog", "ew0K"];

/** A longer token is masked up to here. In characters. */
const MOST = 16_384;
const MOST_BREAKS = 256;

/** From `{"alg":"x"}` up to one that holds a key. In characters. */
const SHORTEST_HEADER = 14;
const LONGEST_HEADER = 1_000;

const SHORTEST_CLAIMS = 8;

/** The rest of a signature of this length may have been cut off. */
const SIGNED = 16;

/** A first member, within what the first characters of a header stand for. */
const FIRST_MEMBER = /^\{\s{0,8}"[\w#/:.-]{1,24}"\s{0,4}:/;
const FIRST_CHARACTERS = 56;

const decoded = (part: string): string => Buffer.from(part, "base64url").toString("latin1");

function isHeader(text: string, start: number, end: number, work: Work): boolean {
	const length = end - start;
	if (length < SHORTEST_HEADER || length > LONGEST_HEADER) return false;
	work.characters += Math.min(length, FIRST_CHARACTERS);
	const first = decoded(text.slice(start, Math.min(end, start + FIRST_CHARACTERS)));
	if (!FIRST_MEMBER.test(first)) return false;
	work.characters += length;
	return /"(?:alg|typ|kid|enc)"/.test(decoded(text.slice(start, end)));
}

/**
 * Where the token ends whose header ends at `headerEnd`, also when line ends tore it.
 *
 * It goes on in the next line while its signature is not there, or while lines are full.
 */
function tokenEnd(lines: Lines, start: number, headerEnd: number, work: Work): number {
	const { text, nextBreak } = lines;
	const claimsEnd = endOfRun(BASE64URL, text, headerEnd + 1, start + MOST);
	const isSigned = (end: number): boolean => text[claimsEnd] === "." && end > claimsEnd + SIGNED;
	let end = headerEnd;
	for (let breaks = 0; breaks <= MOST_BREAKS; breaks += 1) {
		const edge = nextBreak(end);
		end = endOfRun(TOKEN, text, end, Math.min(edge, start + MOST));
		const broken = end === edge && end < text.length && end < start + MOST;
		if (!broken || (isSigned(end) && !goesOnAt(lines, TOKEN, end))) break;
	}
	work.characters += Math.max(end, claimsEnd) - start;
	return end;
}

/**
 * The JSON Web Tokens of a text, also those that line ends tore: three parts, or two and a cut, of which the first is a
 * header.
 *
 * Each character is read once as part of a header and once as part of a token, however many may begin there.
 *
 * @param starts where one may begin, in rising order
 */
export function findJwts(lines: Lines, starts: readonly number[], work: Work): Finding[] {
	const { text } = lines;
	const found: Finding[] = [];
	let done = 0;
	let runEnd = 0;
	for (const start of starts) {
		if (start < done || !JWT_BEGINNINGS.some((each) => text.startsWith(each, start))) continue;
		if (start >= runEnd) {
			runEnd = endOfRun(BASE64URL, text, start, text.length);
			work.characters += runEnd - start;
		}
		if (text[runEnd] !== "." || !startsHere(lines, start)) continue;
		if (!isHeader(text, start, runEnd, work)) continue;
		const claims = runEnd + 1;
		if (endOfRun(BASE64URL, text, claims, claims + SHORTEST_CLAIMS) < claims + SHORTEST_CLAIMS)
			continue;
		const value = text.slice(start, tokenEnd(lines, start, runEnd, work)).replace(/\.{1,3}$/, "");
		done = start + value.length;
		found.push({ start, end: done, rule: "jwt", value });
	}
	return found;
}

import { alphabet, endOfRun } from "./alphabet.ts";
import { goesOnAt, startsHere } from "./find-token.ts";
import type { Finding, Work } from "./finding.ts";
import type { Lines } from "./lines.ts";

/** A JSON Web Token: header, claims and signature in base64url, with dots between (RFC 7519). */
const TOKEN = alphabet("A-Za-z0-9_.-");

/** A longer token is masked up to here. In characters. */
const MOST = 4_096;
const MOST_BREAKS = 64;

const decoded = (part: string): string => Buffer.from(part, "base64url").toString("latin1");

/** Three parts, or two and a cut, of which the first is a header. */
function isToken(text: string): boolean {
	const [header = "", claims = ""] = text.split(".");
	if (claims.length < 8 || header.length > 1_000) return false;
	const start = decoded(header);
	return start.startsWith('{"') && /"(?:alg|typ|kid|enc)"/.test(start);
}

const isSigned = (text: string): boolean => (text.split(".")[2] ?? "").length >= 16;

/**
 * The JSON Web Token that starts at `start`, also when line ends tore it.
 *
 * It goes on in the next line while its signature is not there, or while lines are full.
 */
export function findJwt(lines: Lines, start: number, work: Work): Finding | null {
	const { text, nextBreak } = lines;
	if (!text.startsWith("eyJ", start) || !startsHere(lines, start)) return null;
	let end = start;
	for (let breaks = 0; breaks <= MOST_BREAKS; breaks += 1) {
		const from = end;
		const edge = nextBreak(from);
		end = endOfRun(TOKEN, text, from, Math.min(edge, start + MOST));
		work.characters += end - from + 1;
		const broken = end === edge && end < text.length && end < start + MOST;
		if (!broken || (isSigned(text.slice(start, end)) && !goesOnAt(lines, TOKEN, end))) break;
	}
	const value = text.slice(start, end).replace(/\.{1,3}$/, "");
	return isToken(value) ? { start, end: start + value.length, rule: "jwt", value } : null;
}

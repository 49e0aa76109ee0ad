import { alphabet, endOfRun } from "./alphabet.ts";
import { isBasic, isUrlPassword } from "./find-login.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { at, endOf } from "./spelled.ts";
import { quotedAt } from "./value-place.ts";

/** Characters before an option in which its command is looked for. */
const BEFORE = 120;
const COMMAND = /(?:^|[^a-z])(?:curl|wget|https?)[ \t][^\n]*$/;
const LOGIN: RegExp = at("[ \\t]{0,4}[\"']?([^\\s:\"'`\\\\$<>]{1,64}):(?=[^\\s])");
const PASSWORD = alphabet("!#%&*+./0-9:=?@A-Z^_a-z~,$-");

/** The password of `curl -u me:password`; elsewhere `-u` means a user and a group. */
export function findCommandLogin(
	text: string,
	start: number,
	keyword: string,
	work: Work,
): Finding | null {
	const after = start + keyword.length;
	const from = endOf(LOGIN, text, after);
	work.characters += 64;
	if (from === after || !COMMAND.test(text.slice(Math.max(0, start - BEFORE), start + 1))) {
		return null;
	}
	const end = endOfRun(PASSWORD, text, from, from + 256);
	work.characters += BEFORE + end - from;
	const value = text.slice(from, end);
	return isUrlPassword(value, text.slice(after, from - 1).trim())
		? { start: from, end, rule: CONTEXT_RULE, value }
		: null;
}

const ASSIGNED: RegExp = at('\\\\{0,4}"[ \\t]{0,4}:[ \\t]{0,4}');

/** `"auth": "..."` of Docker's configuration: a login in base64. */
export function findEncodedLogin(
	text: string,
	start: number,
	_keyword: string,
	work: Work,
): Finding | null {
	const from = endOf(ASSIGNED, text, start + 4);
	work.characters += 16;
	const place = from === start + 4 ? null : quotedAt(text, from);
	if (place === null) return null;
	work.characters += place.end - place.start;
	const value = text.slice(place.start, place.end);
	if (!/^[A-Za-z0-9+/_-]{8,1000}={0,2}$/.test(value) || !isBasic(value)) return null;
	return { start: place.start, end: place.end, rule: CONTEXT_RULE, value };
}

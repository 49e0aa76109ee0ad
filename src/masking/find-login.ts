import { alphabet, endOfRun, isIn } from "./alphabet.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { looksSecret } from "./looks-secret.ts";
import { entropyOf, isPlaceholder } from "./randomness.ts";

const SCHEME = alphabet("A-Za-z0-9+.-");
const LOGIN_END = alphabet(" \t\n\r\v\f/?#\"'`<>\\|,;(){}[]");
const LONGEST_LOGIN = 2_560;
const SHORTEST_PASSWORD = 5;

/** Passwords of local test databases and of examples. */
const COMMON =
	/^(?:p(?:ass|asswd|wd|w)?|password\d{0,3}|my-?password|secret|user(?:name)?|root|admin|guest|test\w{0,4}|token|hunter2|key|postgres|mysql|mongo|redis|x-oauth-basic|x-token-auth|oauth2?|s3cret|123\d*)$/i;

const LONG_LOGIN = 20;

/** Whether what stands as a password in a URL is one, rather than an example or the name of the user. */
export const isUrlPassword = (password: string, user: string): boolean =>
	password.length >= SHORTEST_PASSWORD &&
	password !== user &&
	!COMMON.test(password) &&
	!isPlaceholder(password) &&
	entropyOf(password) >= 2;

/** The password in a URL, whose `://` stands at `start`; a long login without a password is a token. */
export function findUrlPassword(text: string, start: number, work: Work): Finding | null {
	if (start === 0 || !isIn(SCHEME, text, start - 1)) return null;
	const from = start + 3;
	const most = Math.min(text.length, from + LONGEST_LOGIN);
	let end = from;
	let at = -1;
	while (end < most && !isIn(LOGIN_END, text, end)) {
		if (text[end] === "@") at = end;
		end += 1;
	}
	work.characters += end - from + 1;
	if (at < 0) return null;
	const login = text.slice(from, at);
	const colon = login.indexOf(":");
	const user = colon < 0 ? login : login.slice(0, colon);
	const password = colon < 0 ? "" : login.slice(colon + 1);
	// `https://TOKEN:x-oauth-basic@host` and `https://TOKEN@host` hold it in place of the name.
	if (user.length >= LONG_LOGIN && looksSecret(user, "bare")) {
		return { start: from, end: from + user.length, rule: CONTEXT_RULE, value: user };
	}
	if (!isUrlPassword(password, user)) return null;
	return { start: at - password.length, end: at, rule: CONTEXT_RULE, value: password };
}

const CREDENTIAL = alphabet("A-Za-z0-9._~+/=-");
const LONGEST_CREDENTIAL = 4_096;

/** Whether a text is `name:password` in base64 (RFC 7617): `"bWU6cGFzc3dvcmQ="` is. */
export function isBasic(value: string): boolean {
	const text = Buffer.from(value, "base64").toString("latin1");
	return /^[\x21-\x39\x3b-\x7e]{0,100}:[\x20-\x7e]{3,200}$/.test(text.slice(0, 200));
}

/** What follows `Bearer` or `Basic` in a header. */
export function findCredential(
	text: string,
	start: number,
	keyword: string,
	work: Work,
): Finding | null {
	const after = start + keyword.length;
	const from = endOfRun(alphabet(" \t"), text, after, after + 4);
	if (from === after) return null;
	const end = endOfRun(CREDENTIAL, text, from, from + LONGEST_CREDENTIAL);
	work.characters += end - after + 1;
	const value = text.slice(from, end).replace(/[.]{1,3}$/, "");
	if (value.length < 8 || isPlaceholder(value)) return null;
	const isSecret =
		keyword === "basic" ? isBasic(value) : value.length >= 12 && looksSecret(value, "bare");
	return isSecret ? { start: from, end: from + value.length, rule: CONTEXT_RULE, value } : null;
}

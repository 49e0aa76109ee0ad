import { entropyOf, isPlaceholder, looksSecret } from "./looks-secret.ts";
import { at, CONTEXT_RULE, endOf, type SecretSpot } from "./scanning.ts";
import { quotedAt } from "./value-place.ts";

/** Up to the last `@` before the host of an address. */
const LOGIN: RegExp = at("[^\\s/?#\"'`<>\\\\|,;(){}[\\]]{0,2560}@");

/** Passwords of databases hold brackets and commas too. */
const DATABASE_LOGIN: RegExp = at("[^\\s/:@]{0,100}:[^\\s/@\"'`<>\\\\]{1,200}@");
const DATABASE = /(?:mongodb|mongodb\+srv|mysqlx?|postgres(?:ql)?)$/i;
const SHORTEST_PASSWORD = 5;

const COMMON =
	/^(?:p(?:ass|asswd|wd|w)?|password\d{0,3}|my-?password|secret|user(?:name)?|root|admin|guest|test\w{0,4}|token|hunter2|key|postgres|mysql|mongo|redis|x-oauth-basic|x-token-auth|oauth2?|s3cret|123\d*)$/i;

const LONG_LOGIN = 20;

const isUrlPassword = (password: string, user: string): boolean =>
	password.length >= SHORTEST_PASSWORD &&
	password !== user &&
	!COMMON.test(password) &&
	!isPlaceholder(password) &&
	entropyOf(password) >= 2;

const spotOf = (start: number, value: string): SecretSpot => ({
	start,
	end: start + value.length,
	rule: CONTEXT_RULE,
	value,
});

/** The password in a URL, whose `://` stands at `start`; a long login without a password is a token. */
export function findUrlPassword(text: string, start: number): SecretSpot | null {
	const scheme = text.slice(Math.max(0, start - 12), start);
	if (!/[A-Za-z0-9+.-]$/.test(scheme)) return null;
	const from = start + 3;
	const usual = endOf(LOGIN, text, from);
	const end = usual === from && DATABASE.test(scheme) ? endOf(DATABASE_LOGIN, text, from) : usual;
	if (end === from) return null;
	const [user = "", ...more] = text.slice(from, end - 1).split(":");
	const password = more.join(":");
	// `https://TOKEN:x-oauth-basic@host` and `https://TOKEN@host` hold it in place of the name.
	if (user.length >= LONG_LOGIN && looksSecret(user, "bare")) return spotOf(from, user);
	return isUrlPassword(password, user) ? spotOf(end - 1 - password.length, password) : null;
}

const BLANK: RegExp = at("[ \\t]{1,4}");
const CREDENTIAL: RegExp = at("[A-Za-z0-9._~+/=-]{0,4096}");

function isBasic(value: string): boolean {
	const text = Buffer.from(value, "base64").toString("latin1");
	return /^[\x21-\x39\x3b-\x7e]{0,100}:[\x20-\x7e]{3,200}$/.test(text.slice(0, 200));
}

export function findCredential(text: string, start: number, keyword: string): SecretSpot | null {
	const after = start + keyword.length;
	const from = endOf(BLANK, text, after);
	if (from === after) return null;
	const value = text.slice(from, endOf(CREDENTIAL, text, from)).replace(/[.]{1,3}$/, "");
	if (value.length < 8 || isPlaceholder(value)) return null;
	const isSecret =
		keyword === "basic" ? isBasic(value) : value.length >= 12 && looksSecret(value, "bare");
	return isSecret ? spotOf(from, value) : null;
}

const BEFORE = 120;
const COMMAND = /(?:^|[^a-z])(?:curl|wget|https?)[ \t][^\n]*$/;
const USER: RegExp = at("[ \\t]{0,4}[\"']?([^\\s:\"'`\\\\$<>]{1,64}):(?=[^\\s])");
const PASSWORD: RegExp = at("[!#%&*+./0-9:=?@A-Z^_a-z~,$-]{0,256}");

/** The password of `curl -u me:password`; elsewhere `-u` means a user and a group. */
export function findCommandLogin(text: string, start: number, keyword: string): SecretSpot | null {
	const after = start + keyword.length;
	const from = endOf(USER, text, after);
	if (from === after || !COMMAND.test(text.slice(Math.max(0, start - BEFORE), start + 1))) {
		return null;
	}
	const value = text.slice(from, endOf(PASSWORD, text, from));
	return isUrlPassword(value, text.slice(after, from - 1).trim()) ? spotOf(from, value) : null;
}

const ASSIGNED: RegExp = at('\\\\{0,4}"[ \\t]{0,4}:[ \\t]{0,4}');

export function findEncodedLogin(text: string, start: number): SecretSpot | null {
	const from = endOf(ASSIGNED, text, start + 4);
	const place = from === start + 4 ? null : quotedAt(text, from);
	if (place === null) return null;
	const value = text.slice(place.start, place.end);
	const isEncoded = /^[A-Za-z0-9+/_-]{8,1000}={0,2}$/.test(value) && isBasic(value);
	return isEncoded ? spotOf(place.start, value) : null;
}

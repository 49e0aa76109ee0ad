import { hasEnough, isPlaceholder, isUuid, looksRandom, looksSecret } from "./looks-secret.ts";
import { at, endOf, PLACE_RULE, type SecretSpot, startOfRun } from "./scanning.ts";
import { isTellingName, TELLING } from "./telling-names.ts";

const spotOf = (start: number, value: string): SecretSpot => ({
	start,
	end: start + value.length,
	rule: PLACE_RULE,
	value,
});

/** A value in quotes, in characters; without quotes a longer run than the second is data rather than a secret. */
const LONGEST_VALUE = 4_096;
const LONGEST_BARE = 512;
const QUOTE: RegExp = at("\"\"\"|'''|[\"'`]");

/** What stands in a quote, also with quotes of another kind; behind a quote of JSON that such a sign follows no value begins. */
const inQuote = (quote: string, escapes: string): RegExp =>
	at(`(?![,:\\]}])(?:[^"\\n\\\\${quote}]${escapes}){0,${LONGEST_VALUE + 1}}`);

const QUOTED: ReadonlyMap<string, RegExp> = new Map(
	["'", "`", '"'].map((quote) => [quote, inQuote(quote, "")] as const),
);

/** In a text as it stands, where a quote behind a backslash is a part of the value. */
const ESCAPED: RegExp = inQuote('"', "|\\\\[^\\n]");

const BARE: RegExp = at(`[^\\s"'\`,;()[\\]{}<>&|\\\\]{0,${LONGEST_BARE + 1}}`);

/** Behind a value without quotes: here it was code. */
const IS_CODE: RegExp = at("[([{]|<(?!/)|\\\\(?![nrt\"'u])");

const SCHEME: RegExp = at("(?:bearer|basic|token|apikey|digest)[ \\t]{1,4}", "i");

interface Place {
	readonly value: string;
	readonly start: number;
	readonly isQuoted: boolean;
}

/** The value that begins at `from`; `isRaw` for a text as it stands, in which escapes are not read yet. */
function placeAt(text: string, from: number, isRaw: boolean): Place | null {
	const opened = endOf(QUOTE, text, from);
	const isQuoted = opened > from;
	const quote = text.charAt(from);
	const pattern = isQuoted ? (isRaw && quote === '"' ? ESCAPED : QUOTED.get(quote)) : BARE;
	if (pattern === undefined) return null;
	const start = endOf(SCHEME, text, opened);
	const end = endOf(pattern, text, start);
	if (isQuoted) {
		return end - start > LONGEST_VALUE ? null : { value: text.slice(start, end), start, isQuoted };
	}
	if (end - start > LONGEST_BARE || endOf(IS_CODE, text, end) > end) return null;
	// The end of a sentence.
	return { value: text.slice(start, end).replace(/[.:!?]$/, ""), start, isQuoted };
}

const CLOSED = "(?:\\[\\d{0,5}\\])?[\"'`]?[\\])]?\\??";
const BLANKS = "[ \\t]{0,8}";

/** On the same line, or in quotes on the next. */
const SPACE = `${BLANKS}(?:\\r?\\n[ \\t]{0,80}(?=["'\`]))?`;

/** A type, as in `apiKey: string =` and `const key: &str =`. */
const TYPE = `(?:[A-Za-z_&*][\\w.&<>|[\\]'?*:, -]{0,60}=(?![=>~])${SPACE}(?=["'\`@]))?`;

/** Letters before a quote, a block of YAML, a section of XML, Markdown's emphasis. */
const PREFIX =
	"(?:[bBrRfFuU@$]{1,2}(?=[\"'`])|[|>][-+]?[ \\t]{0,8}\\r?\\n[ \\t]{1,80}|<!\\[CDATA\\[|\\*\\*[ \\t]{1,4})?";

/** From a name to its value in quotes or without. */
const ASSIGNED: string = [
	// An operator; what is compared is in quotes.
	`${CLOSED}${BLANKS}(?:=(?!=)>?|:(?!:)=?|>)${SPACE}${TYPE}`,
	`${CLOSED}${BLANKS}[!=]==?${SPACE}(?=["'\`])`,
	// Another field, attribute or element holds it.
	`["'\`]?,?\\s{0,80}["'\`]?value["'\`]?${BLANKS}[:=]${SPACE}`,
	`["'\`]?${BLANKS}\\{\\s{0,80}default${BLANKS}=${SPACE}`,
	"</key>\\s{0,80}<string>",
].join("|");
const BEHIND_NAME: RegExp = at(`(?:${ASSIGNED})${PREFIX}`);
const BEHIND_OPTION: RegExp = at(`(?:${ASSIGNED}|[ \\t]{1,8})${PREFIX}`);

/** A default, an argument, a blank, a type of Go: then the value is in quotes, and random beyond doubt. */
const BESIDE = `${CLOSED}${BLANKS}(?:\\?\\?=?|\\|\\|=?|or(?=[ \\t]))${SPACE}|\\(|[ \\t]{1,8}(?:\\*?(?:string|\\[\\]byte)[ \\t]{1,4}=[ \\t]{0,4})?`;
const BESIDE_NAME: RegExp = at(`(?:${BESIDE})[bBrRfFuU@$]{0,2}(?=["'\`])`);

/** Also the next of a list or of arguments, behind a name in quotes that reads like one. */
const BESIDE_LISTED: RegExp = at(`(?:${BESIDE}|["'],\\s{0,80})[bBrRfFuU@$]{0,2}(?=["'\`])`);
const LISTED =
	/^(?:-{0,2}[a-z]{1,24}(?:[_-][a-z]{1,24}){0,4}|[A-Z]{1,24}(?:_[A-Z\d]{1,24}){0,5}|[A-Z][a-z]{1,16}(?:-[A-Z][a-z]{1,16}){0,3}|[a-z]{1,10}[A-Z][a-z]{1,10})$/;

const LONGEST_TAIL = 40;
const TAIL: RegExp = at(`[\\w.-]{0,${LONGEST_TAIL}}`);
const WORD: RegExp = at(TELLING.join("|").replaceAll(".", "\\."), "i");

interface Name {
	readonly keyword: string;
	readonly text: string;
	readonly end: number;
	/** It stands in quotes, and reads like a name. */
	readonly isListed: boolean;
}

/** The account in the name of a resource of AWS: `...:123456789012:secret:name` (an ARN). */
const RESOURCE = /:(?:\d{12}|\*):$/;

function nameAt(text: string, start: number): Name | null {
	const tail = endOf(WORD, text, start);
	if (tail === start) return null;
	const keyword = text.slice(start, tail).toLowerCase();
	const end = endOf(TAIL, text, tail);
	const from = startOfRun(/[\w.-]/, text, start, LONGEST_TAIL);
	if (!isTellingName(text.slice(from, start), keyword, text.slice(tail, end))) return null;
	if (RESOURCE.test(text.slice(Math.max(0, from - 14), from))) return null;
	const isListed = /["']/.test(text.charAt(from - 1)) && LISTED.test(text.slice(from, end));
	return { keyword, text: text.slice(from, end), end, isListed };
}

/** Cookies of sessions; what has such a name elsewhere is the number of a session. */
const COOKIE = /^sess(?:ion)?id$/;

const PLAIN = /(?:token|secret|password|passwd|api[-_]?key)$/i;

function isOrdinary(text: string, name: Name, { isQuoted }: Place): boolean {
	// The word of test runners: `--- PASS: TestX509`.
	if (name.text === "PASS" && !isQuoted && text.startsWith(": ", name.end)) return true;
	return COOKIE.test(name.keyword) && text.charAt(name.end) !== "=";
}

/** The value beside a name with a telling word that starts at `start`: `password = "..."`, `?token=...`, `--token ...`. */
export function findNamedValue(text: string, start: number, isRaw: boolean): SecretSpot | null {
	const name = nameAt(text, start);
	if (name === null) return null;
	const behind = endOf(name.text.startsWith("-") ? BEHIND_OPTION : BEHIND_NAME, text, name.end);
	const isSure = behind > name.end && name.keyword !== "_pat";
	const beside = name.isListed ? BESIDE_LISTED : BESIDE_NAME;
	const from = behind > name.end ? behind : endOf(beside, text, name.end);
	const place = from === name.end ? null : placeAt(text, from, isRaw);
	if (place === null || isOrdinary(text, name, place)) return null;
	// Registries give out tokens that are UUIDs.
	const isSecret = isUuid(place.value)
		? PLAIN.test(name.text) && text.slice(name.end, place.start) === "="
		: looksSecret(place.value, place.isQuoted ? "quoted" : "bare");
	return isSecret && (isSure || looksRandom(place.value)) ? spotOf(place.start, place.value) : null;
}

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
	hasEnough(password, "urlPassword");

/** The password in a URL, whose `://` stands at `start`; a long login without a password is a token. */
export function findUrlPassword(text: string, start: number): SecretSpot | null {
	if (!text.startsWith("://", start)) return null;
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

const CREDENTIAL: RegExp = at("[A-Za-z0-9._~+/=-]{0,4096}");

function isBasic(value: string): boolean {
	const text = Buffer.from(value, "base64").toString("latin1");
	return /^[\x21-\x39\x3b-\x7e]{0,100}:[\x20-\x7e]{3,200}$/.test(text.slice(0, 200));
}

const KIND: RegExp = at("bearer|basic", "i");
const BLANK: RegExp = at("[ \\t]{1,4}");

/** What follows `Bearer` or `Basic`. */
export function findCredential(text: string, start: number): SecretSpot | null {
	const after = endOf(KIND, text, start);
	const from = endOf(BLANK, text, after);
	if (after === start || from === after) return null;
	const value = text.slice(from, endOf(CREDENTIAL, text, from)).replace(/[.]{1,3}$/, "");
	if (value.length < 8 || isPlaceholder(value)) return null;
	const isSecret =
		after - start === "basic".length
			? isBasic(value)
			: value.length >= 12 && looksSecret(value, "bare");
	return isSecret ? spotOf(from, value) : null;
}

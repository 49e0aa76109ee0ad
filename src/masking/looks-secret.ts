const HEAD = 256;

/**
 * Shannon entropy in bits for each character (1948): `"aabb"` gives 1. Characters beyond ASCII share its 128 classes,
 * which is close enough here.
 */
export function entropyOf(text: string): number {
	// A map takes five times as long, and bad texts ask for this at every keyword.
	const counts = new Uint32Array(128);
	for (let index = 0; index < text.length; index += 1) {
		const kind = text.charCodeAt(index) & 127;
		counts[kind] = Number(counts[kind]) + 1;
	}
	let bits = 0;
	for (const count of counts) {
		if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
	}
	return bits;
}

const PLACEHOLDER =
	/example|change[-_ ]?(?:me|it)|your|placeholder|dummy|sample|fake|redacted|replace|insert|masked|todo|fixme|lorem|foobar|not[-_ ]?(?:a|the|real)|xxxx|\*\*\*|\.\.\./i;

/** `$NAME`, `${name}`, `$(command)`, `{{ name }}`, `{name}`, `<name>`, `%NAME%`, `%s`. */
const REFERENCE =
	/^\$\w{1,60}$|\$[({]|\{\{|\{[a-zA-Z_]{1,40}\}|<[A-Za-z/ _-]{1,40}>|^%[\w]{1,60}%?$|#\{/;

export function isPlaceholder(text: string): boolean {
	const head = text.slice(0, HEAD);
	return PLACEHOLDER.test(head) || REFERENCE.test(head);
}

/** Words that a random token of a known form has by chance only once in millions. */
const EXAMPLE = /example|placeholder|your[-_]/i;

/** Letters and digits that a person would not type: enough different ones, and not all of one kind. */
const TOKEN_BITS = 2.5;

export function isRandomToken(body: string): boolean {
	const head = body.slice(0, HEAD);
	const mixed = /\d/.test(head) || (/[a-z]/.test(head) && /[A-Z]/.test(head));
	return mixed && entropyOf(head) >= TOKEN_BITS && !EXAMPLE.test(head);
}

export type ValueStanding = "quoted" | "bare";

/** Values of fewer characters are left alone: they are names more often than secrets. */
const SHORTEST: Readonly<Record<ValueStanding, number>> = { quoted: 8, bare: 10 };

/** Bits for each character, found by measuring real source; `hunter2hunter2` has 2.8. */
const ENOUGH_BITS: Readonly<Record<ValueStanding, number>> = { quoted: 2.7, bare: 2.8 };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Digests that name their kind, addresses, names of resources, and times (ISO 8601). */
const NAMED = /^sha\d{1,3}[-:]|:\/\/|^arn:|^\d{4}-\d\d-\d\d(?:[T ]|$)/i;

/** A place: absolute or relative, with a second slash or an extension. */
const PATH = /^(?:\.{1,2}|~)\/|^\/[^/.]{1,100}[/.]/;

/** Names of hosts, with or without what stands there. */
const HOST =
	/^(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|app|internal|local|localhost|example|test)(?:[:/]|$)/;

/** Numbers, colours, and addresses of 20 bytes: keys of blockchains have 32. */
const NUMBER =
	/^[-+]?[\d.]+(?:e[-+]?\d+)?$|^#[0-9a-f]{3,8}$|^0x(?:[0-9a-f]{1,16}[ul]{0,3}|[0-9a-f]{40})$/i;

/** Between two texts of a JSON document, when the first quote is the end of one. */
const BETWEEN = /^[,:\]}](?:[\s\d.eE+,:[\]{}-]|true|false|null)*$/;

/** A password hardly holds these; patterns, templates, types and calls do. */
const CODE =
	/\s|=>|\\[dwsbn.]|^[&*!@]{1,2}[A-Za-z_]\w{0,60}$|^[A-Za-z_$][\w$.]{0,60}[(<].{0,120}[)>];?$|\[\^?\w-\w|[\])]\{\d|%\(\w{1,40}\)s/;

/** Without quotes a pair of brackets is always code. */
const BRACKETS = /[[({<].{0,40}[\])}>]/;

const JOINED =
	/^(?:[a-z]{1,12}\d{0,2}|[a-z]\d[a-z])(?:[_-](?:[a-z]{1,12}\d{0,2}|[a-z]{1,4}\d{3,5}|\d{1,4}[a-z]{0,2})){1,12}$|^[A-Z]{1,12}(?:_[A-Z]{1,12}){1,12}$/;

const NAMED_OTHERWISE =
	/^[\w-]{1,60}\.(?:json|ya?ml|pem|key|crt|txt|py|[cm]?[jt]s|sh|env|toml|html?|md|go|rs|java)$|^(?:\\x[0-9a-f]{2}){3}|abcdefghijkl|ABCDEFGHIJKL|^\$[a-z_]\w{0,60}[.[]/;

/** A word behind or before symbols: `#ansigreen`, `really!`. */
const MARKED = /^[#!$%^*~@.]{0,2}([A-Za-z]{1,40})[!?*~.]{0,2}$/;

const MEMBER = /^[A-Za-z_$][\w$]{0,60}(?:\.[#A-Za-z_$][\w$]{0,60}){1,8}$/;

/**
 * Letters in the case of a word or an abbreviation, perhaps with a number after them: `Token2`, `HTTP`; or a number.
 */
const WORD = /^(?:[A-Z]?[a-z]{0,40}|[A-Z]{1,40}s?)\d{0,4}$|^\d{1,8}$/;

/** Six consonants in a row, or three at the start that begin no word. */
const UNPRONOUNCEABLE = /[^aeiouy\d]{6}|^(?!s[chlpt]|[cpst]hr)[^aeiouy\d]{3}/i;

const ABBREVIATION =
	/^(?:[A-Z]{1,5}|https?|html|xml|css|sql|ctx|mgr|ptr|btn|msg|cfg|tmp|src|rgb|tcp|sftp|ssh|tls|ssl|jwt|gpt|llm|mcp|sdk|cli|pkg|npm|grpc|rpc|yml)\d{0,4}$/;

function isWord(text: string): boolean {
	const isShort = ABBREVIATION.test(text) || ABBREVIATION.test(text.toLowerCase());
	return WORD.test(text) && (isShort || !UNPRONOUNCEABLE.test(text));
}

/** In random passwords often, in names hardly; without quotes also in code. */
const SYMBOL = /[!#$%^*~]/;

const SYMBOLS = /([!#$%^*~])[^!#$%^*~].{0,60}(?!\1)[!#$%^*~]/;

function isScattered(words: readonly string[]): boolean {
	const tiny = words.filter((word) => word.length < 3).length;
	const numbered = words.filter((word) => /\d/.test(word)).length;
	return tiny > 2 || numbered > 2;
}

function isWords(value: string, standing: ValueStanding): boolean {
	const marked = MARKED.exec(value)?.[1];
	if (marked !== undefined && marked !== value) return isWord(marked);
	if (standing === "quoted" ? SYMBOL.test(value) : SYMBOLS.test(value)) return false;
	const words = value
		.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
		.replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.split(/[^A-Za-z0-9]/)
		.filter((word) => word !== "");
	if (/^[A-Za-z0-9]{16,}$/.test(value) && isScattered(words)) return false;
	return words.every(isWord) && words.length * 3 <= value.length;
}

function isOther(head: string, standing: ValueStanding): boolean {
	const others = [UUID, NAMED, PATH, HOST, NUMBER, BETWEEN, CODE, JOINED, NAMED_OTHERWISE];
	return others.some((each) => each.test(head)) || (standing === "bare" && isBareCode(head));
}

const isBareCode = (head: string): boolean => BRACKETS.test(head) || MEMBER.test(head);

/**
 * Tells a random value from a word, a reference, a place or code: it has letters beside digits or symbols, is no
 * words, and its entropy is enough.
 */
export function looksSecret(value: string, standing: ValueStanding): boolean {
	if (value.length < SHORTEST[standing]) return false;
	const head = value.slice(0, HEAD);
	if (!/[A-Za-z]/.test(head) || !/[^A-Za-z]/.test(head)) return isMixed(head, standing);
	if (isOther(head, standing) || isPlaceholder(head) || isWords(head, standing)) return false;
	return entropyOf(head) >= ENOUGH_BITS[standing];
}

/** Letters of both cases without order, as in base64 that happens to have no digit. */
function isMixed(head: string, standing: ValueStanding): boolean {
	if (head.length < 12 || !/[a-z]/.test(head) || !/[A-Z]/.test(head)) return false;
	return (
		!isWords(head, standing) &&
		!isPlaceholder(head) &&
		entropyOf(head) >= ENOUGH_BITS[standing] + 0.3
	);
}

const LETTERS = /[a-z]{4,}/g;

/**
 * Random beyond doubt, for places that hardly name it a secret: words make up less than 60 % of it.
 * `"xchacha20poly_init"` is not, `"Zx9cv8Kq7mQ4"` is.
 */
export function looksRandom(value: string): boolean {
	const head = value.slice(0, HEAD);
	const inWords = (head.match(LETTERS) ?? []).join("").length;
	return (
		/[\d!#$%^*~]/.test(head) && !/^\w{1,60}=[A-Za-z]/.test(head) && inWords < 0.6 * head.length
	);
}

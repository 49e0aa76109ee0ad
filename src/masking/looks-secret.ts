import { entropyOf, isPlaceholder } from "./randomness.ts";

/** How a value stands in a text: in quotes, or without. */
export type Standing = "quoted" | "bare";

/** Values of fewer characters are left alone: they are names more often than secrets. */
const SHORTEST: Readonly<Record<Standing, number>> = { quoted: 8, bare: 10 };

/** Bits for each character, found by measuring real source; `hunter2hunter2` has 2.8. */
const ENOUGH_BITS: Readonly<Record<Standing, number>> = { quoted: 2.7, bare: 2.8 };

/** Characters of which a random value would show its nature. */
const HEAD = 256;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Digests that name their kind, and addresses. */
const NAMED = /^sha\d{1,3}[-:]|:\/\//i;

/** A place: absolute or relative, with a second slash or an extension. */
const PATH = /^(?:\.{0,2}|~)\/[^/.]{1,100}[/.]/;

/** What a password hardly holds, but patterns, templates, types and calls do. */
const CODE = /\s|[[({<].{0,40}[\])}>]|=>|\\[dwsbn.]|^[&*!@]{1,2}[A-Za-z_]\w{0,60}$/;

/** Names with dots between, as code has them: `config.auth2.token`. */
const MEMBER = /^[A-Za-z_$][\w$]{0,60}(?:\.[#A-Za-z_$][\w$]{0,60}){1,8}$/;

/** Letters in the case of a word or an abbreviation, perhaps with a number after them: `Token2`, `HTTP`; or a number. */
const WORD = /^(?:[A-Z]?[a-z]{0,40}|[A-Z]{1,40}s?)\d{0,4}$|^\d{1,8}$/;

/** Six consonants in a row, or three at the start that begin no word. */
const UNPRONOUNCEABLE = /[^aeiouy\d]{6}|^(?!s[chlpt]|[cpst]hr)[^aeiouy\d]{3}/i;

const ABBREVIATION =
	/^(?:[A-Z]{1,5}|https?|html|xml|css|sql|ctx|mgr|ptr|btn|msg|cfg|tmp|src|rgb|tcp|sftp|ssh|tls|ssl|jwt|gpt|llm|mcp|sdk|cli|pkg|npm|grpc|rpc|yml)\d{0,4}$/;

function isWord(text: string): boolean {
	const isShort = ABBREVIATION.test(text) || ABBREVIATION.test(text.toLowerCase());
	return WORD.test(text) && (isShort || !UNPRONOUNCEABLE.test(text));
}

/** What stands in random passwords, and in names hardly; without quotes also in code. */
const SYMBOL = /[!#$%^*~]/;

/** Words in any spelling: `accessToken`, `my-app-2`, `JSONValue`. Random letters fall into many short ones. */
function isWords(value: string, standing: Standing): boolean {
	if (standing === "quoted" && SYMBOL.test(value)) return false;
	const words = value
		.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
		.replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
		.split(/[^A-Za-z0-9]/)
		.filter((word) => word !== "");
	return words.every(isWord) && words.length * 3 <= value.length;
}

/**
 * Whether a value that is named a secret looks like one, rather than like a word, a reference, a place or code.
 *
 * It has letters beside digits or symbols, is no words, and its entropy is at least 2.7 bits for each character in quotes and 3
 * without. `"hunter2hunter2"` is one, `"changeme"` and `"accessToken"` are none.
 */
export function looksSecret(value: string, standing: Standing): boolean {
	if (value.length < SHORTEST[standing]) return false;
	const head = value.slice(0, HEAD);
	if (!/[A-Za-z]/.test(head) || !/[^A-Za-z]/.test(head)) return isMixed(head, standing);
	if (UUID.test(head) || NAMED.test(head) || PATH.test(head) || CODE.test(head)) return false;
	if (isPlaceholder(head) || isWords(head, standing) || (standing === "bare" && MEMBER.test(head)))
		return false;
	return entropyOf(head) >= ENOUGH_BITS[standing];
}

/** Letters of both cases without order, as in base64 that happens to have no digit. */
function isMixed(head: string, standing: Standing): boolean {
	if (head.length < 12 || !/[a-z]/.test(head) || !/[A-Z]/.test(head)) return false;
	return (
		!isWords(head, standing) &&
		!isPlaceholder(head) &&
		entropyOf(head) >= ENOUGH_BITS[standing] + 0.3
	);
}

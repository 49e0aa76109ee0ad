import { joinLines } from "./joined-text.ts";

/**
 * Where a value can begin within three bytes of base64, and how many characters then depend on what stands before it.
 */
const ALIGNMENTS = [
	{ shift: 0, start: 0 },
	{ shift: 1, start: 2 },
	{ shift: 2, start: 3 },
] as const;

function base64Spellings(value: string): string[] {
	return ALIGNMENTS.map(({ shift, start }) => {
		const encoded = Buffer.from(`${"\0".repeat(shift)}${value}`).toString("base64");
		// The last characters depend on what follows the value.
		const spare = (Buffer.byteLength(value) + shift) % 3;
		const end = spare === 0 ? encoded.length : encoded.length - (spare === 1 ? 3 : 2);
		return encoded.slice(start, end);
	});
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);

const escapedAs = (character: string): string =>
	`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON as other languages write it: Go escapes `<>&`, Python what is not ASCII, PHP slashes. */
function jsonSpellings(value: string): string[] {
	const json = inJson(value);
	return [
		json,
		inJson(json),
		json.replaceAll(/[<>&]/g, escapedAs),
		json.replaceAll(/[^\0-\x7f]/g, escapedAs),
		json.replaceAll("/", "\\/"),
	];
}

const lowerCodes = (text: string): string =>
	text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Percent codes as JavaScript, strict encoders and forms write them, with digits of either case. */
function urlSpellings(value: string): string[] {
	// A lone surrogate has no percent code.
	const plain = encodeURIComponent(value.toWellFormed());
	const strict = plain.replaceAll(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	const all = [plain, strict, strict.replaceAll("%20", "+")];
	return [...all, ...all.map(lowerCodes)];
}

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
};

/** As reports in XML have it; the apostrophe is escaped by some writers only, in one of two ways. */
function xmlSpellings(value: string): string[] {
	const text = value.replaceAll(/[&<>"]/g, (character) => String(ENTITIES[character]));
	return [
		text,
		text.replaceAll("&quot;", '"'),
		text.replaceAll("'", "&#39;"),
		text.replaceAll("'", "&apos;"),
	];
}

/**
 * The spellings in which a value travels: as it is, escaped for JSON and XML, percent-encoded, and as base64 and base64url in
 * all three alignments.
 *
 * Each also without the line ends in it, for a search in joined text.
 *
 * @param shortest spellings of fewer characters are left out
 * @returns without repetition, the value itself first
 */
export function spellingsOf(value: string, shortest: number): string[] {
	const base64 = base64Spellings(value);
	const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
	const all = [
		value,
		...jsonSpellings(value),
		...urlSpellings(value),
		...xmlSpellings(value),
		...base64,
		...urlSafe,
	];
	const joined = all.map((text) => joinLines(text)?.text ?? text);
	return [...new Set([...all, ...joined])].filter(({ length }) => length >= shortest);
}

import { joinPieces, joinQuoted } from "./joined-text.ts";

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

/** Changes some characters of a text, or none. */
type Rewrite = (text: string) => string;

const asIs: Rewrite = (text) => text;

/** Each text as each of the rewrites makes it, without repetition: most values hold nothing that is ever escaped. */
const each = (texts: readonly string[], ...rewrites: readonly Rewrite[]): string[] => [
	...new Set(texts.flatMap((text) => rewrites.map((rewrite) => rewrite(text)))),
];

const replacing =
	(pattern: RegExp, written: string | ((found: string) => string)): Rewrite =>
	(text) =>
		text.replaceAll(pattern, (found) => (typeof written === "string" ? written : written(found)));

const NOT_ASCII = /[^\0-\x7f]/g;

const hexOf = (character: string, digits: number): string =>
	character.charCodeAt(0).toString(16).padStart(digits, "0");

const escaped: Rewrite = (character) => `\\u${hexOf(character, 4)}`;
const escapedUpper: Rewrite = (character) => `\\u${hexOf(character, 4).toUpperCase()}`;

const inJson: Rewrite = (value) => JSON.stringify(value).slice(1, -1);

/**
 * JSON as other languages write it, in any mixture: Go escapes `<>&`, others apostrophes too, Python what is not ASCII, PHP
 * slashes, with digits of either case; and JSON inside JSON, three deep.
 */
function jsonSpellings(value: string): string[] {
	const plain = each([inJson(value)], asIs, replacing(/\//g, "\\/"));
	const marked = each(
		plain,
		asIs,
		...[/[<>&]/g, /[<>&']/g].flatMap((pattern) => [
			replacing(pattern, escaped),
			replacing(pattern, escapedUpper),
		]),
	);
	const once = each(
		marked,
		asIs,
		replacing(NOT_ASCII, escaped),
		replacing(NOT_ASCII, escapedUpper),
	);
	const twice = each(once, inJson);
	return [...once, ...twice, ...each(twice, inJson)];
}

const CONTROL: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** As Python's `repr` and Node's `inspect` show a text, whichever quotes they put around it. */
function reprSpellings(value: string): string[] {
	const hex = (character: string): string => CONTROL[character] ?? `\\x${hexOf(character, 2)}`;
	const upper = (character: string): string =>
		CONTROL[character] ?? `\\x${hexOf(character, 2).toUpperCase()}`;
	const controls = /\p{Cc}/gu;
	const shown = each(
		[value.replaceAll("\\", "\\\\")],
		replacing(controls, hex),
		replacing(controls, upper),
	);
	return each(shown, asIs, replacing(/'/g, "\\'"), replacing(/"/g, '\\"'), replacing(/`/g, "\\`"));
}

/** A path as git shows it, and the text with its accents apart or in one with their letters. */
const otherSpellings = (value: string): string[] => [
	value
		.replaceAll(/["\\]/g, "\\$&")
		.replaceAll(/[^\0-\x7f]+/g, (found) =>
			[...Buffer.from(found)].map((byte) => `\\${byte.toString(8)}`).join(""),
		),
	value.normalize("NFD"),
	value.normalize("NFC"),
];

/** Within quotes of a shell, behind its backslashes (`printf %q`), in SQL and in CSV. */
const quotedSpellings = (value: string): string[] =>
	each(
		[value],
		replacing(/'/g, "'\\''"),
		replacing(/'/g, `'"'"'`),
		replacing(/[^\w%+/@:.=~#\-\u0080-\uffff]/g, (found) => `\\${found}`),
		replacing(/'/g, "''"),
		replacing(/"/g, '""'),
	);

const lowerCodes: Rewrite = replacing(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Percent codes as JavaScript, strict encoders, forms and addresses write them, with digits of either case. */
function urlSpellings(value: string): string[] {
	// A lone surrogate has no percent code.
	const formed = value.toWellFormed();
	const plain = encodeURIComponent(formed);
	const strict = plain.replaceAll(/[!'()*]/g, (found) => `%${hexOf(found, 2).toUpperCase()}`);
	const login = formed.replaceAll(/[^!$%&'()*+,\-.\w~]/gu, (found) => encodeURIComponent(found));
	const form = strict.replaceAll("%20", "+");
	// Forms leave the asterisk alone.
	const all = [plain, strict, form, form.replaceAll("%2A", "*"), encodeURI(formed), login];
	return each(all, asIs, lowerCodes);
}

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
};

const named: Rewrite = (character) => String(ENTITIES[character]);
const decimal: Rewrite = (character) => `&#${character.codePointAt(0)};`;
const hexadecimal: Rewrite = (character) => `&#x${character.codePointAt(0)?.toString(16)};`;
const hexadecimalUpper: Rewrite = (character) =>
	`&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`;

/** As reports in XML and HTML have it: quotes are escaped by some writers only, each in a way of its own. */
function xmlSpellings(value: string): string[] {
	const texts = each([value], replacing(/[&<>]/g, named), replacing(/[&<]/g, named));
	const quotes = each(
		texts,
		asIs,
		...["&quot;", "&#34;", "&#x22;"].map((entity) => replacing(/"/g, entity)),
	);
	const apostrophes = each(
		quotes,
		asIs,
		...["&apos;", "&#39;", "&#x27;"].map((entity) => replacing(/'/g, entity)),
	);
	const numeric = [decimal, hexadecimal, hexadecimalUpper];
	return [
		...each(apostrophes, asIs, ...numeric.map((code) => replacing(/[^\0-\x7f]/gu, code))),
		...each(
			[value],
			...numeric.flatMap((code) => [
				replacing(/[&<]/g, code),
				replacing(/[&<>]/g, code),
				replacing(/[&<>"]/g, code),
				replacing(/[&<>"']/g, code),
				replacing(/[&<>"']|[^\0-\x7f]/gu, code),
			]),
		),
	];
}

/**
 * The spellings in which a value travels: as it is, escaped for JSON, XML, shells, SQL and CSV and as programs show
 * texts, percent-encoded, and as base64 and base64url in all three alignments.
 *
 * Each also without what a search in joined text takes out of it.
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
		...reprSpellings(value),
		...quotedSpellings(value),
		...otherSpellings(value),
		...urlSpellings(value),
		...xmlSpellings(value),
		...base64,
		...urlSafe,
	];
	const joined = all.flatMap((text) =>
		[joinPieces, joinQuoted].map((join) => join(text)?.text ?? text),
	);
	return [...new Set([...all, ...joined])].filter(({ length }) => length >= shortest);
}

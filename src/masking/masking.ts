import { type JoinedText, joinPieces, joinQuoted } from "./joined-text.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { betweenMarks, markOf } from "./mark.ts";

/** Places of a value within three bytes of base64, and how many characters then depend on what stands before it. */
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

type Rewrite = (text: string) => string;

const asIs: Rewrite = (text) => text;

// Most values hold nothing that is ever escaped.
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

/** The spellings of a value, itself first, each also as a search in joined text sees it. */
function spellingsOf(value: string, shortest: number): string[] {
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

/** A credential that Sparring holds, and the rule that made it known, such as `"env"` or `"url"`. */
export interface KnownSecret {
	readonly value: string;
	readonly rule: string;
}

/** Replaces secrets in text. The one implementation is given to every rim. */
export interface Masker {
	/**
	 * The text with each secret replaced by `[MASKED:rule:hash4]`; equal secrets give equal marks.
	 *
	 * Marks stay as they are, so that masking twice changes nothing more.
	 */
	mask(text: string): string;
	/** Length in characters of the longest text that is masked; a cut closer than this may split one. */
	readonly longest: number;
}

/** Shorter values would mask ordinary words. In characters. */
const SHORTEST_SECRET = 8;

/** Characters of a spelling that are searched for; the rest is compared where they stand. */
const SEARCHED = 12;

/** Masks nothing: for tests and for readers of text that was masked when it was written. */
export const noMasker: Masker = { mask: (text) => text, longest: 0 };

export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly mark: string;
}

/**
 * The text with replacements made. One that lies in another is left out; of one that reaches beyond another the rest
 * is replaced too, so that nothing of it stays.
 */
export function replaceAllAt(text: string, replacements: readonly Replacement[]): string {
	const ordered = replacements.toSorted((a, b) => a.start - b.start || b.end - a.end);
	let done = 0;
	let replaced = "";
	for (const { start, end, mark } of ordered) {
		if (end <= done) continue;
		replaced += text.slice(done, Math.max(done, start)) + mark;
		done = end;
	}
	return replaced + text.slice(done);
}

const spread = (length: number): number => 2 * length + 64;

interface Spelling {
	readonly text: string;
	/** Made when it is first needed: hashing is the slowest part of a start, and most texts hold no secret. */
	readonly mark: () => string;
}

function byBeginning(marks: ReadonlyMap<string, () => string>): Map<string, Spelling[]> {
	const groups = new Map<string, Spelling[]>();
	for (const [text, mark] of [...marks].sort(([a], [b]) => b.length - a.length)) {
		// The finder knows no case: what it finds is compared.
		const beginning = text
			.slice(0, SEARCHED)
			.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
		const group = groups.get(beginning) ?? [];
		group.push({ text, mark });
		groups.set(beginning, group);
	}
	return groups;
}

function once(make: () => string): () => string {
	let made: string | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

class KnownMasker implements Masker {
	readonly longest: number;
	readonly #finder: LiteralFinder;
	readonly #groups: readonly (readonly Spelling[])[];

	constructor(marks: ReadonlyMap<string, () => string>) {
		const groups = byBeginning(marks);
		this.#finder = new LiteralFinder([...groups.keys()]);
		this.#groups = [...groups.values()];
		this.longest = spread(Math.max(...[...marks.keys()].map(({ length }) => length)));
	}

	mask(text: string): string {
		return betweenMarks(text, (part) =>
			replaceAllAt(part, [
				...this.#whole(part),
				...this.#broken(joinPieces(part)),
				...this.#broken(joinQuoted(part)),
			]),
		);
	}

	#whole(text: string): Replacement[] {
		const found: Replacement[] = [];
		this.#finder.find(text, (group, start) => {
			const spelling = this.#groups[group]?.find((each) => text.startsWith(each.text, start));
			if (spelling === undefined) return;
			found.push({ start, end: start + spelling.text.length, mark: spelling.mark() });
		});
		return found;
	}

	#broken(joined: JoinedText | undefined): Replacement[] {
		if (joined === undefined) return [];
		return this.#whole(joined.text).flatMap(({ start: from, end: to, mark }) => {
			const start = joined.at(from);
			const end = joined.at(to - 1) + 1;
			return end - start <= spread(to - from) ? [{ start, end, mark }] : [];
		});
	}
}

/**
 * A masker for values that are known beforehand, of 8 characters or more: shorter ones would tear ordinary text apart.
 * Finds all spellings of a value, also with line ends anywhere in them, as in a diff or a quotation. Of two rules for
 * one value the first names it.
 */
export function maskerFor(secrets: readonly KnownSecret[]): Masker {
	const marks = new Map<string, () => string>();
	for (const { value, rule } of secrets) {
		if (value.length < SHORTEST_SECRET) continue;
		const mark = once(() => markOf(rule, value));
		for (const spelling of spellingsOf(value, SHORTEST_SECRET)) {
			if (!marks.has(spelling)) marks.set(spelling, mark);
		}
	}
	return marks.size === 0 ? noMasker : new KnownMasker(marks);
}

/** The value with every string inside it masked; keys of objects too. */
export function maskDeep<T>(masker: Masker, value: T): T;
export function maskDeep(masker: Masker, value: unknown): unknown {
	if (typeof value === "string") return masker.mask(value);
	if (Array.isArray(value)) return value.map((inner: unknown) => maskDeep(masker, inner));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]) => [
			masker.mask(key),
			maskDeep(masker, inner as unknown),
		]),
	);
}

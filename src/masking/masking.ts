import { Beginnings } from "./beginnings.ts";
import { betweenMarks, markOf } from "./mark.ts";
import { allViews, unbroken } from "./text-view.ts";

/** Shorter values would mask ordinary words. In characters. */
const SHORTEST_SECRET = 8;

/** The value in base64 at each place within three bytes, without the characters that also depend on what stands beside it. */
const base64Spellings = (value: string): string[] =>
	[0, 1, 2].map((shift) => {
		const encoded = Buffer.from(`${"\0".repeat(shift)}${value}`).toString("base64");
		const spare = (Buffer.byteLength(value) + shift) % 3;
		const end = encoded.length - Number([0, 3, 2][spare]);
		return encoded.slice(shift === 0 ? 0 : shift + 1, end);
	});

/**
 * The value as it is, in forms that write a blank as a plus, in base64 at each alignment, in hexadecimal; each also as it
 * is where line ends are left out. What JSON and percent codes make of it is read by the views of a text.
 */
function spellingsOf(value: string): string[] {
	const base64 = base64Spellings(value);
	const hex = Buffer.from(value).toString("hex");
	const plain = [value, value.toWellFormed(), value.replaceAll(" ", "+"), hex, hex.toUpperCase()];
	const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
	const all = [...plain, ...base64, ...urlSafe];
	return [...new Set([...all, ...all.flatMap(unbroken)])].filter(
		({ length }) => length >= SHORTEST_SECRET,
	);
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

/** What a spelling takes at most where JSON inside JSON, percent codes or line ends widen it. In characters. */
const spread = (length: number): number => 9 * length + 64;

interface Spelling {
	readonly text: string;
	/** Made when it is needed: hashing is the slowest part of a start, and most texts hold no secret. */
	readonly mark: () => string;
}

class KnownMasker implements Masker {
	readonly longest: number;
	readonly #beginnings: Beginnings<Spelling>;

	constructor(spellings: readonly Spelling[], longest: number) {
		this.#beginnings = new Beginnings(spellings.map((each) => [each.text, each]));
		this.longest = spread(longest);
	}

	mask(text: string): string {
		return betweenMarks(text, (part) => replaceAllAt(part, this.#found(part)));
	}

	#found(text: string): Replacement[] {
		const found: Replacement[] = [];
		for (const view of allViews(text)) {
			this.#beginnings.find(view.text, (spelling, from) => {
				if (!view.text.startsWith(spelling.text, from)) return;
				const { length } = spelling.text;
				const [start, end] = [view.begin(from), view.end(from + length)];
				// What is scattered over a page is no value that was broken.
				if (end - start <= spread(length)) found.push({ start, end, mark: spelling.mark() });
			});
		}
		return found;
	}
}

/**
 * A masker for values that are known beforehand, of 8 characters or more: shorter ones would tear ordinary text apart.
 * Of two rules for one value the first names it.
 */
export function maskerFor(secrets: readonly KnownSecret[]): Masker {
	const spellings = new Map<string, Spelling>();
	for (const { value, rule } of secrets) {
		if (value.length < SHORTEST_SECRET) continue;
		const mark = (): string => markOf(rule, value);
		for (const text of spellingsOf(value)) {
			if (!spellings.has(text)) spellings.set(text, { text, mark });
		}
	}
	const longest = Math.max(...secrets.map(({ value }) => value.length));
	return spellings.size === 0 ? noMasker : new KnownMasker([...spellings.values()], longest);
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

import { type JoinedText, joinPieces, joinQuoted } from "./joined-text.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { betweenMarks, markOf } from "./mark.ts";
import { spellingsOf } from "./secret-spellings.ts";

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

/** What is to be replaced: characters from `start` up to `end`. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly mark: string;
}

/**
 * The text with replacements made.
 *
 * Of those that start at one place the longest counts. One that lies in another is left out; of one that reaches beyond
 * another the rest is replaced too, so that nothing of it stays.
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

/** How far a spelling of this length may be spread over lines: each character on its own, and an indentation. */
const spread = (length: number): number => 2 * length + 64;

interface Spelling {
	readonly text: string;
	/** Made when it is first needed: hashing is the slowest part of a start, and most texts hold no secret. */
	readonly mark: () => string;
}

/** Spellings by the beginning that they share, the longest first. */
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

	/** @param marks by spelling */
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

	/** Values that line ends tore, as terminals and `base64` do. */
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
 * A masker for values that are known beforehand.
 *
 * Found are the value itself, its spellings in JSON, XML, URLs, base64, shells, SQL and CSV, and each of these with line
 * ends anywhere in it, also where the next line begins as in a diff or a quotation.
 * Values of fewer than 8 characters are left out: masking them would tear ordinary text apart.
 *
 * @param secrets of two rules for one value the first names it
 * @example `maskerFor([{ value: "hunter2hunter2", rule: "env" }]).mask("pw=hunter2hunter2")`
 * is `"pw=[MASKED:env:" + four digits + "]"`
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

import { sha256 } from "./json.ts";

/** A credential that Sparring holds, and the rule that made it known, such as `"env"` or `"url"`. */
export interface KnownSecret {
	readonly value: string;
	readonly rule: string;
}

/** Replaces secrets in text. The one implementation is given to every rim. */
export interface Masker {
	/** The text with each secret replaced by `[MASKED:rule:hash4]`; equal secrets give equal marks. */
	mask(text: string): string;
	/** Length in characters of the longest text that is masked; a cut closer than this may split one. */
	readonly longest: number;
}

/** Shorter values would mask ordinary words. In characters. */
const SHORTEST_SECRET = 8;

/** Masks nothing: for tests and for readers of text that was masked when it was written. */
export const noMasker: Masker = { mask: (text) => text, longest: 0 };

const escapeForRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Where a value can begin within three bytes of base64, and how many characters then depend on what stands before it.
 */
const ALIGNMENTS = [
	{ shift: 0, start: 0 },
	{ shift: 1, start: 2 },
	{ shift: 2, start: 3 },
] as const;

/** The spellings in which a value travels: as it is, JSON-escaped, URL-encoded, and in the three alignments of base64. */
function spellings(value: string): string[] {
	const base64 = ALIGNMENTS.map(({ shift, start }) => {
		const encoded = Buffer.from(`${"\0".repeat(shift)}${value}`).toString("base64");
		// The last characters depend on what follows the value.
		const spare = (Buffer.byteLength(value) + shift) % 3;
		const end = spare === 0 ? encoded.length : encoded.length - (spare === 1 ? 3 : 2);
		return encoded.slice(start, end);
	});
	const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
	const json = JSON.stringify(value).slice(1, -1);
	const all = [value, json, encodeURIComponent(value), ...base64, ...urlSafe];
	return all.filter((text) => text.length >= SHORTEST_SECRET);
}

/**
 * A masker for values that are known beforehand.
 *
 * Values of fewer than 8 characters are left out: masking them would tear ordinary text apart.
 * The mark carries four hexadecimal digits of the value's SHA-256, so that equal secrets stay comparable.
 *
 * @example `maskerFor([{ value: "hunter2hunter2", rule: "env" }]).mask("pw=hunter2hunter2")`
 * is `"pw=[MASKED:env:" + four digits + "]"`
 */
export function maskerFor(secrets: readonly KnownSecret[]): Masker {
	const marks = new Map<string, string>();
	for (const { value, rule } of secrets) {
		if (value.length < SHORTEST_SECRET) continue;
		const mark = `[MASKED:${rule}:${sha256(value).slice(0, 4)}]`;
		for (const spelling of spellings(value)) if (!marks.has(spelling)) marks.set(spelling, mark);
	}
	if (marks.size === 0) return noMasker;
	// Longest first: a secret that contains another is masked as a whole.
	const ordered = [...marks.keys()].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(ordered.map(escapeForRegExp).join("|"), "g");
	return {
		mask: (text) => text.replace(pattern, (found) => String(marks.get(found))),
		longest: Math.max(...ordered.map((spelling) => spelling.length)),
	};
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

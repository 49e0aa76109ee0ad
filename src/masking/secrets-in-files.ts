import type { KnownSecret } from "./masking.ts";
import { secretsByPattern } from "./secret-masker.ts";
import { secretsOf } from "./secrets.ts";

/** Shorter values stand everywhere. In characters. */
const SHORTEST = 8;

const LARGEST = 65_536;

/** With the name before it, a quoted text, or what follows an equals sign or a colon up to a comment. */
const VALUE =
	/(?:["']?([\w.-]+)["']?[ \t]*[:=][ \t]*)?(?:"([^"\n]{8,})"|'([^'\n]{8,})')(?![ \t]*:)|([\w.-]+)[ \t]*[:=][ \t]*([^\s"'][^\n"]*?)(?=,?[ \t]*(?:[ \t]#.*)?$)/gm;

/** A quoted text of several lines after an equals sign. */
const LINES = /=[ \t]*(["'])([^"']*\n[^"']*)\1/g;

/** A word, a number, a version, a place or an address would be masked all over. */
const HARMLESS =
	/^(?:[A-Za-z]+|[\d.,:T+-]+Z?|v?\d+\.[\w.-]+|(?:\.{0,2}|~)\/[\w./-]*|[\w.-]+:\d+|[a-z][\w+.-]*:\/\/.*)$/;

/**
 * The values of copied files that must not be printed: what is a secret by its name or form, as elsewhere; each other value of 8
 * characters or more that is no plain word, number or place; of a file of one line that line.
 *
 * @example `.env` with `CURRENCY=EUR` and `LICENCE=blue-heron-42` gives the second value
 */
export function secretsInFile(text: string): KnownSecret[] {
	if (text.length > LARGEST || text.includes("\0")) return [];
	const line = text.trim();
	const more = [...text.matchAll(LINES)].flatMap(([, , lines = ""]) => lines.split("\n"));
	const named = [...text.matchAll(VALUE)].map(([, quoted, double, single, bare, value]) => ({
		name: quoted ?? bare ?? "",
		value: double ?? single ?? value ?? "",
	}));
	const alone = named.length > 0 || line.includes("\n") ? [] : [line];
	const values = [...named, ...[...alone, ...more].map((value) => ({ name: "", value }))];
	return [
		...secretsByPattern([text]),
		...values.flatMap(({ name, value }) => [
			...secretsOf({ [name]: value }, []),
			...(value.length < SHORTEST || HARMLESS.test(value) ? [] : [{ value, rule: "config" }]),
		]),
	];
}

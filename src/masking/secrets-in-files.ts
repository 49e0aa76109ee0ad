import { basename } from "node:path";
import type { KnownSecret } from "../kernel/masking.ts";
import { secretsByPattern } from "./secret-masker.ts";
import { secretsOf } from "./secrets.ts";

/** Files of settings; in others, such as fixtures, only what looks like a secret is one. */
const SETTINGS = /^\.env|\.(?:env|envrc|json5?|ya?ml|toml|ini|conf|cfg|properties)$|^\.envrc$/i;

/** Larger files hold data. In characters. */
const LARGEST = 65_536;

/** With the name before it, a quoted text, or what follows an equals sign or a colon up to a comment. */
const VALUE =
	/(?:["']?([\w.-]+)["']?[ \t]*[:=][ \t]*)?(?:"([^"\n]{8,})"|'([^'\n]{8,})')(?![ \t]*:)|([\w.-]+)[ \t]*[:=][ \t]*([^\s"'][^\n"']*?)(?=,?[ \t]*(?:[ \t]#.*)?$)/gm;

/** What would be masked all over without being anybody's secret: a word, a number, a version, a place, an address. */
const HARMLESS =
	/^(?:[A-Za-z]+|[\d.,:T+-]+Z?|v?\d+\.[\w.-]+|(?:\.{0,2}|~)\/[\w./-]*|[\w.-]+:\d+|[a-z][\w+.-]*:\/\/.*)$/;

/**
 * The values of copied files that must not be printed: what is a secret by its name or form, as elsewhere; in files of settings
 * each other value of 8 characters or more that is no plain word, number or place; of other small files their one line.
 *
 * @example `.env` with `CURRENCY=EUR` and `LICENCE=blue-heron-42` gives the second value
 */
export function secretsInFile(path: string, text: string): KnownSecret[] {
	if (text.length > LARGEST || text.includes("\0")) return [];
	const line = text.trim();
	const alone = line.includes("\n") ? [] : [{ name: "", value: line }];
	const values = SETTINGS.test(basename(path))
		? [...text.matchAll(VALUE)].map(([, quoted, double, single, bare, value]) => ({
				name: quoted ?? bare ?? "",
				value: double ?? single ?? value ?? "",
			}))
		: alone;
	return [
		...secretsByPattern([text]),
		...values.flatMap(({ name, value }) => [
			...secretsOf({ [name]: value }, []),
			...(value === "" || HARMLESS.test(value) ? [] : [{ value, rule: "config" }]),
		]),
	];
}

import { basename } from "node:path";
import type { KnownSecret } from "../kernel/masking.ts";
import { secretsInText, secretsOf } from "./secrets.ts";

/** Files of settings; in others, such as fixtures, only what looks like a secret is one. */
const SETTINGS = /^\.env|\.(?:env|envrc|json5?|ya?ml|toml|ini|conf|cfg|properties)$|^\.envrc$/i;

/** Larger files hold data. In characters. */
const LARGEST = 65_536;

const LINE = /^\s*(?:export\s+|-\s+)?["']?([\w.-]+)["']?\s*[:=]\s*(.*?),?\s*$/;

/** What would be masked all over without being anybody's secret: a word, a number, a version, a place. */
const HARMLESS =
	/^(?:[A-Za-z]+|[\d.,:T+-]+Z?|v?\d+\.[\w.-]+|(?:\.{0,2}|~)\/[\w./-]*|[\w-]+(?:\.[\w-]+)*:\d+|localhost.*)$/;

interface Setting {
	readonly name: string;
	readonly value: string;
}

/**
 * The values of copied files that must not be printed: in files of settings each value of 8 characters or more that is no
 * plain word, number or place, and whatever its name calls a secret; of other small files the one line that they consist of.
 *
 * @example `.env` with `CURRENCY=EUR` and `DATABASE_PASSWORD=hunter2hunter2` gives the second value
 */
export function secretsInFile(path: string, text: string): KnownSecret[] {
	if (text.length > LARGEST || text.includes("\0")) return [];
	const line = text.trim();
	const isSettings = SETTINGS.test(basename(path));
	if (!isSettings)
		return line.includes("\n") ? secretsInText([text]) : secretsFrom([{ name: "", value: line }]);
	return secretsFrom(settingsIn(text));
}

function secretsFrom(settings: readonly Setting[]): KnownSecret[] {
	return settings.flatMap(({ name, value }) => {
		const named = secretsOf({ [name]: value }, []);
		// Of an address only its login is secret.
		const isPlain = HARMLESS.test(value) || /^[a-z][\w+.-]*:\/\//i.test(value);
		return isPlain ? named : [...named, { value, rule: "copy" }];
	});
}

function settingsIn(text: string): Setting[] {
	try {
		return leavesOf("", JSON.parse(text));
	} catch {
		return text.split("\n").flatMap((line) => {
			const [, name = "", rest = ""] = LINE.exec(line) ?? [];
			const [, quoted, double, single] =
				/^(["'`])?(?:(?<=["'`])(.*?)\1|(.*?))(?:\s+#.*)?$/.exec(rest) ?? [];
			const value = (quoted === undefined ? single : double) ?? rest;
			return name === "" || value === "" ? [] : [{ name, value }];
		});
	}
}

function leavesOf(name: string, value: unknown): Setting[] {
	if (typeof value === "string") return value === "" ? [] : [{ name, value }];
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
		leavesOf(Array.isArray(value) ? name : key, inner),
	);
}

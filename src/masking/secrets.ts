import { attempt } from "../kernel/attempt.ts";
import type { KnownSecret } from "./masking.ts";
import { isTellingVariable } from "./telling-names.ts";

const WEAK = /^(?:auth|private|cookie|cookies|session|sk|salt|hmac)$/;

/** A long address that only its owner knows. */
const HOOK = /^https:\/\/[^/\s]{1,200}\/\S{16,}$/;

const PLACE = /^(?:path|file|dir|sock|socket|home|folder)$/;

const SHORT_ID = 12;
const LONG_VALUE = 20;

function wordsOf(name: string): string[] {
	return name
		.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word !== "");
}

const isPath = (value: string): boolean => /^(?:\.{0,2}\/|~|[A-Za-z]:\\)/.test(value);

/** Words that also stand for places and ways, as in `BUILD_PWD=/work`. */
const isShort = (word: string): boolean => /^(?:pass|pwd|pw|pat)$/.test(word);

// `PWD` is none; `SSH_AUTH_SOCK` names a place.
function isCredential(name: string, value: string): boolean {
	const words = wordsOf(name);
	const last = words.at(-1) ?? "";
	// A secret in base64 may start with a slash: only a name that says so makes it a path.
	if (PLACE.test(last) && (isPath(value) || value.includes(":/"))) return false;
	if (last === "id" && value.length <= SHORT_ID) return false;
	if (words.some((word) => /^(?:web)?hooks?$/.test(word)) && HOOK.test(value)) return true;
	if (isTellingVariable(words)) return !words.some(isShort) || !isPath(value);
	const telling = value.length >= LONG_VALUE || /\d/.test(value);
	return telling && !isPath(value) && words.some((word) => WEAK.test(word));
}

/** Lines this long of a value with several, such as a private key, are secrets of their own. */
const SECRET_LINE = 16;

function spellOut(value: string, rule: string): KnownSecret[] {
	const trimmed = value.trim();
	const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
	const telling = lines.length < 2 ? [] : lines.filter((line) => line.length >= SECRET_LINE);
	const values = [...new Set([value, trimmed, ...telling])];
	return values
		.filter((text) => text !== "" && !text.startsWith("-----"))
		.map((text) => ({ value: text, rule }));
}

const decoded = (text: string): string => attempt(() => decodeURIComponent(text), text);

const URL_LOGIN = /[a-z][a-z0-9+.-]{0,30}:\/\/([^\s/?#:@"'`]{0,512})(?::([^\s/?#"'`]{0,2000}))?@/gi;

/** Passwords in URLs, as they stand and decoded; a login of 20 characters or more without a password is a token. */
function urlSecrets(text: string): KnownSecret[] {
	if (!text.includes("://")) return [];
	return [...text.matchAll(URL_LOGIN)].flatMap(([, user = "", password]) => {
		// `postgres:postgres` of a local test database is a name, which would be masked all over.
		if (password === user) return [];
		const value = password ?? (user.length >= LONG_VALUE ? user : "");
		return [...spellOut(value, "url"), ...spellOut(decoded(value), "url")];
	});
}

const QUERY =
	/[?&#;](?:[a-z_-]{0,20}(?:token|key|secret|password|passwd|credential)|sig|signature|auth|code)=([^\s&#"'`<>;]{8,2000})/gi;

function addressSecrets(text: string): KnownSecret[] {
	if (!text.includes("://") && !text.includes("=")) return [];
	const queries = [...text.matchAll(QUERY)].flatMap(([, value = ""]) =>
		isReference(value) || !/\d|.{20}/.test(value)
			? []
			: [...spellOut(value, "url"), ...spellOut(decoded(value), "url")],
	);
	const hooks = [...text.matchAll(HOOKS)].flatMap(([, path = ""]) => spellOut(path, "url"));
	return [...queries, ...hooks];
}

const HOOKS =
	/https:\/\/(?:hooks\.slack\.com|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api|[a-z0-9-]{1,63}\.webhook\.office\.com|chat\.googleapis\.com)(\/[^\s"'`<>?#]{16,500})/gi;

function unique(secrets: readonly KnownSecret[]): KnownSecret[] {
	const byValue = new Map(secrets.toReversed().map((secret) => [secret.value, secret]));
	return [...byValue.values()].toReversed();
}

/**
 * The credentials in an environment: variables that the workflow hands to agents (`names`), those whose name says so,
 * and passwords in URLs. Names of sessions, of authentication or of something private count only for values that look
 * random, and not for places: `SSH_AUTH_SOCK` is none.
 */
export function secretsOf(
	source: Readonly<Record<string, string | undefined>>,
	names: readonly string[],
): KnownSecret[] {
	const named = new Set(names);
	return unique(
		Object.entries(source).flatMap(([name, value]) => {
			if (value === undefined || value === "") return [];
			const whole = named.has(name) || isCredential(name, value);
			return [
				...(whole ? spellOut(value, "env") : []),
				...urlSecrets(value),
				...addressSecrets(value),
			];
		}),
	);
}

const QUOTED = `"([^"]{1,2000})"|'([^']{1,2000})'|([^\\s"'\`;&|<>]{1,2000})`;
const OPTION = new RegExp(`(?<![\\w-])--?([A-Za-z][\\w-]{0,80})(?:=|[ \\t]+)(?:${QUOTED})`, "g");
const ASSIGNMENT = new RegExp(`(?<![\\w-])([A-Za-z_]\\w{0,80})=(?:${QUOTED})`, "g");
const BEARER = /\b(?:bearer|basic)[ \t]+([A-Za-z0-9._~+/=-]{8,2000})/gi;

/** `$TOKEN` and `$(cat token)` name a secret but are not one; an option's value may be left out. */
const isReference = (value: string): boolean => /^[-$%]/.test(value);

function namedSecrets(text: string, pattern: RegExp): KnownSecret[] {
	return [...text.matchAll(pattern)].flatMap(([, name = "", double, single, bare]) => {
		const value = double ?? single ?? bare ?? "";
		const credential = isCredential(name, value) && !isReference(value) && !isPath(value);
		return credential ? spellOut(value, "config") : [];
	});
}

/**
 * The credentials in configuration texts: passwords in URLs, `--token=...`, `MY_TOKEN=...`, and what follows `Bearer`
 * or `Basic`. References such as `$MY_TOKEN` and paths are none.
 */
export function secretsInText(texts: readonly string[]): KnownSecret[] {
	return unique(
		texts.flatMap((text) => [
			...urlSecrets(text),
			...addressSecrets(text),
			...namedSecrets(text, OPTION),
			...namedSecrets(text, ASSIGNMENT),
			...[...text.matchAll(BEARER)].flatMap(([, value = ""]) => spellOut(value, "config")),
		]),
	);
}

import { alphabet, endOfRun, startOfRun } from "./alphabet.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { BEFORE, type Following, following } from "./following.ts";
import { isUuid, looksRandom, looksSecret, type Standing } from "./looks-secret.ts";
import { isTellingName } from "./telling-names.ts";
import { LONGEST_VALUE, type Place, placeAt, quotedAt, startOfValue } from "./value-place.ts";

const NAME = alphabet("A-Za-z0-9_.-");
const LONGEST_TAIL = 40;

/** What stands without quotes beside these is compared, and so a name. */
const COMPARING = /[!=]=$/;

function placeAfter(text: string, { end, isQuoted }: Following): Place | null {
	const start = startOfValue(text, end);
	return isQuoted && quotedAt(text, start) === null ? null : placeAt(text, start);
}

/** Short names that also stand for patterns and passes. */
const WEAK_NAME = /^(?:_pat|pw)$/;

/** Whether the place alone hardly says that a value is a secret. */
const isDoubtful = (keyword: string, { operator, isQuoted }: Following): boolean =>
	WEAK_NAME.test(keyword) || operator === "|" || (isQuoted && ", (??".includes(operator));

/** Cookies of sessions: `sessionid=...`; what has such a name elsewhere is the number of a session. */
const COOKIE = /^sess(?:ion)?id$/;

const isFollowing = (keyword: string, { operator }: Following): boolean =>
	!COOKIE.test(keyword) || operator === "=";

/** The account in the name of a resource of AWS: `...:123456789012:secret:name` (an ARN). */
const RESOURCE = /:(?:\d{12}|\*):$/;

/** A name that says plainly that its value is a secret, whatever it looks like. */
const PLAIN = /(?:token|secret|password|passwd|api[-_]?key)$/i;

function isSecret(name: string, after: Following, value: string, standing: Standing): boolean {
	if (standing === "quoted") return looksSecret(value, standing);
	if (COMPARING.test(after.operator)) return false;
	// Registries give out tokens that are UUIDs.
	if (after.operator === "=" && isUuid(value)) return PLAIN.test(name);
	return looksSecret(value, standing);
}

/**
 * The value that is assigned to a name with a telling word in it: `password = "..."`, `api_key: '...'`, `SECRET=...`,
 * `"clientSecret": "..."` (also with escaped quotes), `--token ...`, `<password>...</password>`, `?token=...`; also what
 * follows such a name in a list or a call, or has a field of its own (`name: DB_PASSWORD`, `value: ...`).
 *
 * Colours of a terminal may stand between, and all of it may be spelled for JSON or XML.
 *
 * @param start where the telling word starts
 */
export function findAssignment(
	text: string,
	start: number,
	keyword: string,
	work: Work,
): Finding | null {
	const tailStart = start + keyword.length;
	const nameEnd = endOfRun(NAME, text, tailStart, tailStart + LONGEST_TAIL);
	const nameStart = startOfRun(NAME, text, start, start - LONGEST_TAIL);
	work.characters += nameEnd - nameStart + 1;
	const before = text.slice(nameStart, start);
	if (RESOURCE.test(text.slice(Math.max(0, nameStart - 14), nameStart))) return null;
	if (!isTellingName(before, keyword, text.slice(tailStart, nameEnd))) return null;
	const after = following(text, nameStart, nameEnd);
	if (after === null || !isFollowing(keyword, after)) return null;
	const place = placeAfter(text, after);
	work.characters += place === null ? BEFORE : place.end - tailStart;
	if (place === null || place.end - place.start > LONGEST_VALUE) return null;
	const { start: from, end, standing } = place;
	const value = text.slice(from, end);
	if (isDoubtful(keyword, after) && !looksRandom(value)) return null;
	return isSecret(text.slice(nameStart, nameEnd), after, value, standing)
		? { start: from, end, rule: CONTEXT_RULE, value }
		: null;
}

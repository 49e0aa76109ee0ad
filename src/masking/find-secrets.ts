import {
	findCommandLogin,
	findCredential,
	findEncodedLogin,
	findUrlPassword,
} from "./find-login.ts";
import { findKeyRest, findPrivateKey, findPuttyKey } from "./find-private-key.ts";
import { findJwt, findToken, JWT_BEGINNINGS } from "./find-token.ts";
import { asItStands, joinLines, type Lines } from "./joined-text.ts";
import { LiteralFinder } from "./literal-finder.ts";
import { isUuid, looksRandom, looksSecret, type ValueStanding } from "./looks-secret.ts";
import {
	at,
	COLOURS,
	CONTEXT_RULE,
	endOf,
	GAP,
	QUOTE,
	type SecretSpot,
	SPACE,
	startOfRun,
} from "./scanning.ts";
import { isTellingName, TELLING } from "./telling-names.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";
import { LONGEST_VALUE, placeAt, quotedAt, startOfValue, type ValuePlace } from "./value-place.ts";

const CLOSING: RegExp = at(
	`${COLOURS}(?:\\[\\d{0,5}\\])?(?:${QUOTE})?[\\])]?(?:\\?(?=:))?${COLOURS}`,
);

/** Also as JSON, XML and URLs spell `=` and `>`. */
const OPERATOR: RegExp = at(
	`${GAP}(?:===|!==|:=|=>|==|!=|=|:|>|\\\\{1,4}u003[dDeE]|&gt;|&#6[12];|%3[dD])`,
);

const GO_TYPE: RegExp = at("[ \\t]{1,4}\\*?(?:string|\\[\\]byte)[ \\t]{1,4}=[ \\t]{0,4}");

/** A default, which is in quotes. */
const DEFAULT: RegExp = at(`${GAP}(?:\\?\\?=?|\\|\\|=?|or(?=[ \\t]))`);

/** The next of a list; a name in quotes stands before it. */
const NEXT: RegExp = at(`,${SPACE}(?:[bBrRfFuU@](?=["']))?`);
const ARGUMENT: RegExp = at(`\\((?=${QUOTE})`);
const BLANKS: RegExp = at("[ \\t]{1,8}(?=\\\\{0,4}[\"'])");

const LISTED =
	/^(?:-{0,2}[a-z]{1,24}(?:[_-][a-z]{1,24}){0,4}|[A-Z]{1,24}(?:_[A-Z\d]{1,24}){0,5}|[A-Z][a-z]{1,16}(?:-[A-Z][a-z]{1,16}){0,3}|[a-z]{1,10}[A-Z][a-z]{1,10})$/;

const BEFORE_ANY: readonly RegExp[] = [
	at(`,?${SPACE}(?:${QUOTE})?value(?:${QUOTE})?[ \\t]{0,8}[:=]`),
	at(`[ \\t]{0,8}\\{${SPACE}default[ \\t]{0,8}=`),
	at(`</key>${SPACE}<string>`),
];
const CELL: RegExp = at("[ \\t]{1,8}\\|[ \\t]{1,8}(?=[^ \\t|]{8,512}[ \\t]{1,40}\\|)");
const ROW = /(?:^|\n|\\n|")[ \t]{0,8}\|[ \t]{0,40}$/;
const PASSWORD_OPTION: RegExp = at("[ \\t]{1,8}-p[ \\t]{0,8}");

const BLANK: RegExp = at("[ \\t]{1,8}");

/** Words before a name that a value follows after a blank: Docker, fish, Windows. */
const DECLARED =
	/(?:^|[\s"'nm])(?:ENV|ARG|setx?(?:[ \t]{1,4}-[a-zA-Z]{1,4}){0,2}|setenv)[ \t]{1,8}$/;

const NETRC = /(?:^|\s)login[ \t]{1,8}[^\s"]{1,48}\s{1,8}$/;

const BEFORE = 72;

interface Following {
	readonly operator: string;
	readonly end: number;
	readonly isQuoted: boolean;
}

function afterBlank(text: string, nameStart: number, nameEnd: number): number {
	const name = text.slice(nameStart, nameEnd);
	const blank = endOf(BLANK, text, nameEnd);
	if (/sshpass$/i.test(name)) return endOf(PASSWORD_OPTION, text, nameEnd);
	// An option of a command line; the letter and digits before it end a colour.
	const isOption = /^(?:\d{0,3}m)?-/.test(name);
	const before = text.slice(Math.max(0, nameStart - BEFORE), nameStart);
	const isDeclared = DECLARED.test(before) || (name === "password" && NETRC.test(before));
	return isOption || isDeclared ? blank : nameEnd;
}

function beforeQuoted(
	text: string,
	nameStart: number,
	nameEnd: number,
	closed: number,
): Following | null {
	const quoted = (end: number, operator: string): Following => ({ operator, end, isQuoted: true });
	const or = endOf(DEFAULT, text, closed);
	if (or > closed) return quoted(or, "??");
	const next = endOf(NEXT, text, closed);
	const isListed = closed > nameEnd && LISTED.test(text.slice(nameStart, nameEnd));
	if (next > closed && isListed && /["';]/.test(text[nameStart - 1] ?? ""))
		return quoted(next, ",");
	const argument = endOf(ARGUMENT, text, nameEnd);
	if (argument > nameEnd) return quoted(argument, "(");
	const blank = endOf(BLANKS, text, nameEnd);
	return blank > nameEnd ? quoted(blank, " ") : null;
}

/** Text between a name and its value: an operator, or what else a value follows; null when none does. */
function following(text: string, nameStart: number, nameEnd: number): Following | null {
	const typed = endOf(GO_TYPE, text, nameEnd);
	if (typed > nameEnd) return { operator: "=", end: typed, isQuoted: true };
	const closed = endOf(CLOSING, text, nameEnd);
	const any = (end: number, operator: string): Following => ({ operator, end, isQuoted: false });
	const assigned = endOf(OPERATOR, text, closed);
	if (assigned > closed) return any(assigned, text.slice(closed, assigned));
	for (const pattern of BEFORE_ANY) {
		for (const from of new Set([closed, nameEnd])) {
			const end = endOf(pattern, text, from);
			if (end > from) return any(end, "");
		}
	}
	const blank = afterBlank(text, nameStart, nameEnd);
	if (blank > nameEnd) return any(blank, " ");
	const cell = endOf(CELL, text, nameEnd);
	const before = text.slice(Math.max(0, nameStart - BEFORE), nameStart);
	if (cell > nameEnd && ROW.test(before)) return any(cell, "|");
	return beforeQuoted(text, nameStart, nameEnd, closed);
}

const NAME = "A-Za-z0-9_.-";
const LONGEST_TAIL = 40;
const TAIL: RegExp = at(`[${NAME}]{0,${LONGEST_TAIL}}`);

/** Signs of a comparison: what stands beside them without quotes is a name. */
const COMPARING = /[!=]=$/;

function placeAfter(text: string, { end, isQuoted }: Following): ValuePlace | null {
	const start = startOfValue(text, end);
	return isQuoted && quotedAt(text, start) === null ? null : placeAt(text, start);
}

/** Short names that also stand for patterns and passes. */
const WEAK_NAME = /^(?:_pat|pw)$/;

const isDoubtful = (keyword: string, { operator, isQuoted }: Following): boolean =>
	WEAK_NAME.test(keyword) || operator === "|" || (isQuoted && ", (??".includes(operator));

/** Cookies of sessions: `sessionid=...`; what has such a name elsewhere is the number of a session. */
const COOKIE = /^sess(?:ion)?id$/;

const isFollowing = (keyword: string, { operator }: Following): boolean =>
	!COOKIE.test(keyword) || operator === "=";

/** The account in the name of a resource of AWS: `...:123456789012:secret:name` (an ARN). */
const RESOURCE = /:(?:\d{12}|\*):$/;

const PLAIN = /(?:token|secret|password|passwd|api[-_]?key)$/i;

function isSecret(name: string, after: Following, value: string, standing: ValueStanding): boolean {
	if (standing === "quoted") return looksSecret(value, standing);
	if (COMPARING.test(after.operator)) return false;
	// Registries give out tokens that are UUIDs.
	if (after.operator === "=" && isUuid(value)) return PLAIN.test(name);
	return looksSecret(value, standing);
}

/**
 * The value that is assigned to a name with a telling word: `password = "..."`, `--token ...`,
 * `<password>...</password>`, `?token=...`; also what follows such a name in a list or a call, or has a field of its
 * own. Colours may stand between, and all of it may be spelled for JSON or XML.
 */
function findAssignment(text: string, start: number, keyword: string): SecretSpot | null {
	const tailStart = start + keyword.length;
	const nameEnd = endOf(TAIL, text, tailStart);
	const nameStart = startOfRun(NAME, text, start, LONGEST_TAIL);
	const before = text.slice(nameStart, start);
	if (RESOURCE.test(text.slice(Math.max(0, nameStart - 14), nameStart))) return null;
	if (!isTellingName(before, keyword, text.slice(tailStart, nameEnd))) return null;
	const after = following(text, nameStart, nameEnd);
	if (after === null || !isFollowing(keyword, after)) return null;
	const place = placeAfter(text, after);
	if (place === null || place.end - place.start > LONGEST_VALUE) return null;
	const { start: from, end, standing } = place;
	const value = text.slice(from, end);
	if (isDoubtful(keyword, after) && !looksRandom(value)) return null;
	return isSecret(text.slice(nameStart, nameEnd), after, value, standing)
		? { start: from, end, rule: CONTEXT_RULE, value }
		: null;
}

type FindInText = (text: string, start: number, keyword: string) => SecretSpot | null;
interface Steps {
	readonly inText: FindInText[];
	readonly inLines: ((lines: Lines, start: number) => SecretSpot | null)[];
}

const IN_TEXT: readonly (readonly [find: FindInText, keywords: readonly string[]])[] = [
	[findAssignment, TELLING],
	[findCredential, ["bearer", "basic"]],
	[findUrlPassword, ["://"]],
	[findCommandLogin, [" -u", "--user "]],
	[findEncodedLogin, ['auth"', 'auth\\"']],
	[findPrivateKey, ["-----begin "]],
	[findKeyRest, ["-----end "]],
	[findPuttyKey, ["private-lines: "]],
];

function stepsByKeyword(): Map<string, Steps> {
	const steps = new Map<string, Steps>();
	const stepsAt = (keyword: string): Steps => {
		const here = steps.get(keyword) ?? { inText: [], inLines: [] };
		steps.set(keyword, here);
		return here;
	};
	for (const [find, words] of IN_TEXT) for (const word of words) stepsAt(word).inText.push(find);
	for (const beginning of JWT_BEGINNINGS) stepsAt(beginning.toLowerCase()).inLines.push(findJwt);
	for (const kind of TOKEN_KINDS) {
		for (const prefix of kind.prefixes) {
			stepsAt(prefix.toLowerCase()).inLines.push((lines, start) =>
				findToken(lines, start, { kind, prefix }),
			);
		}
	}
	return steps;
}

const steps: ReadonlyMap<string, Steps> = stepsByKeyword();

export const keywords: readonly string[] = [...steps.keys()];
const finder: LiteralFinder = new LiteralFinder(keywords);

function spotsIn(lines: Lines, isWhole: boolean): SecretSpot[] {
	const found: SecretSpot[] = [];
	const keep = (spot: SecretSpot | null): void => {
		if (spot !== null) found.push(spot);
	};
	finder.find(lines.text, (index, start) => {
		const keyword = keywords[index] ?? "";
		const here = steps.get(keyword);
		for (const find of here?.inLines ?? []) keep(find(lines, start));
		if (!isWhole) return;
		for (const find of here?.inText ?? []) keep(find(lines.text, start, keyword));
	});
	return found;
}

function acrossLines(text: string): SecretSpot[] {
	const joined = joinLines(text);
	if (joined === undefined) return [];
	return spotsIn(joined, false).map((spot) => ({
		...spot,
		start: joined.at(spot.start),
		end: joined.at(spot.end - 1) + 1,
	}));
}

/** Tells which of two that overlap names both: form before place, then the longer, or of two by place the inner. */
function isBetter(a: SecretSpot, b: SecretSpot): boolean {
	const [byPlace, otherByPlace] = [a.rule === CONTEXT_RULE, b.rule === CONTEXT_RULE];
	if (byPlace !== otherByPlace) return otherByPlace;
	if (byPlace && a.start !== b.start) return a.start > b.start;
	return a.end - a.start > b.end - b.start;
}

/** Makes one spot of those that overlap, up to the farthest end: a password with a token in it leaves nothing. */
function withoutOverlaps(spots: readonly SecretSpot[]): SecretSpot[] {
	const kept: SecretSpot[] = [];
	/** The one of those that overlap that names them all, as it was found. */
	let best: SecretSpot | undefined;
	for (const spot of spots.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
		const last = kept.at(-1);
		if (last === undefined || best === undefined || last.end <= spot.start) {
			kept.push(spot);
			best = spot;
			continue;
		}
		if (isBetter(spot, best)) best = spot;
		kept[kept.length - 1] = { ...best, start: last.start, end: Math.max(last.end, spot.end) };
	}
	return kept;
}

/** The secrets in a text that show by their form or place; none overlaps another, in the order of the text. */
export function findSecrets(text: string): SecretSpot[] {
	return withoutOverlaps([...spotsIn(asItStands(text), true), ...acrossLines(text)]);
}

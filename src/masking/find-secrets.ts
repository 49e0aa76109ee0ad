import { Beginnings } from "./beginnings.ts";
import { isTellingName, TELLING_NAME, TELLING_WORDS } from "./telling-names.ts";
import { readViews, type View } from "./text-view.ts";
import { TOKEN_KINDS, type TokenKind } from "./token-kinds.ts";

export interface SecretSpot {
	readonly start: number;
	readonly end: number;
	readonly rule: string;
	/** Source of its mark: the same for every way in which the secret is written. */
	readonly value: string;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Finds a secret from where one of its beginnings stands. Each part of the pattern is bounded, so that no text makes it hang. */
interface Pattern {
	readonly rule: string;
	/** In the text, without regard to case. */
	readonly beginnings: readonly string[];
	/** Its group `value` is the secret, else all of it; `before` is what belongs to the secret before its beginning. */
	readonly pattern: RegExp;
	/** The source of the mark; null when it is none. */
	readonly secretOf: (found: string, groups: Groups) => string | null;
}

const PLACE_RULE = "secret";

/** Behind what is no part of a word: another character, an order to a terminal, a percent code, the word in a bot's address. */
const START = "(?:^|[^A-Za-z0-9]|\\[[\\d;]{0,16}[A-Za-z]|%[\\da-fA-F]{2}|/bot)";
const ALONE = "(?:^|[^A-Za-z0-9_-])";
const END = "(?![A-Za-z0-9])";

const PLACEHOLDER =
	/example|change[-_ ]?(?:me|it)|your|placeholder|dummy|sample|fake|redacted|replace|insert|masked|todo|fixme|lorem|foobar|not[-_ ]?(?:a|the|real)|xxxx|\*\*\*|\.\.\./i;

const EXAMPLE = /example|placeholder|your[-_]/i;
const LEAST_CHARACTERS = 8;

/** Tells a token from `xxxxxxxx` and the like: it has a digit or both cases, and eight different characters. */
function isToken(body: string): boolean {
	const mixed = /\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));
	return mixed && new Set(body).size >= LEAST_CHARACTERS && !EXAMPLE.test(body);
}

const literally = (text: string): string => text.replaceAll(/[.+?*|/]/g, "\\$&");

function ofToken({ rule, beginnings, body, isLabel, isAlone, before = "" }: TokenKind): Pattern {
	const start = `(?<=${isAlone ? ALONE : START}(?<before>${before}))`;
	const prefix = `(?:${beginnings.map(literally).join("|")})`;
	const value = isLabel ? `${prefix}(?<value>${body})` : `${prefix}(?<body>${body})`;
	return {
		rule,
		beginnings,
		pattern: new RegExp(start + value + END, "dy"),
		secretOf: (found, groups) => {
			const secret = groups["value"] ?? (groups["before"] ?? "") + found;
			return isToken(before === "" ? (groups["body"] ?? secret) : secret) ? secret : null;
		},
	};
}

const JWT: Pattern = {
	rule: "jwt",
	beginnings: ["eyJ", "eyAi", "ewog", "ew0K"],
	pattern: new RegExp(`(?<=${START})e[yw][\\w-]{14,1000}(?:\\.{1,2}[\\w-]{1,8192}){1,4}`, "dy"),
	secretOf: (found) => {
		const header = Buffer.from(found.slice(0, found.indexOf(".")), "base64url").toString("latin1");
		return /^\{\s{0,8}"/.test(header) && /"(?:alg|typ|kid|enc)"/.test(header) ? found : null;
	},
};

/** Between lines of base64: also what diffs and quotations put before them. */
const GAP = "[\\s>|+-]{0,80}";
const LINE = "[A-Za-z0-9+/=]{16,16384}";
const HEADER = "[A-Z][A-Za-z-]{2,20}: [^\\n]{1,100}\\n";
const REST = "[A-Za-z0-9+/=]{1,15}";
const linesOf = (line: string): string =>
	`(?<lines>(?:${GAP}(?:${line})){1,400}(?:${GAP}${REST}(?=[\\s>|+]{0,80}(?:-----|["'\`]|$)))?)`;
const fence = (word: string): string => `-----${word} [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`;

/** One mark however its lines are written. */
function keyOf(lines: string): string | null {
	const base64 = lines.match(/[A-Za-z0-9+/=]{32,}/g) ?? [];
	return base64.some(isMixed) ? lines.replaceAll(/[^A-Za-z0-9/=]/g, "") : null;
}

/** Whole, or what is there of it when its end or its beginning was cut off. */
const PRIVATE_KEYS: readonly Pattern[] = [
	{
		beginnings: ["-----BEGIN "],
		pattern: new RegExp(
			`${fence("BEGIN")}${linesOf(`${LINE}|${HEADER}`)}(?:${GAP}${fence("END")})?`,
			"dy",
		),
	},
	{
		beginnings: ["-----END "],
		pattern: new RegExp(
			`(?<=(?<before>(?<lines>(?:${LINE}${GAP}){1,400}(?:${REST}${GAP})?)))${fence("END")}`,
			"dy",
		),
	},
	// PuTTY's.
	{
		beginnings: ["Private-Lines: "],
		pattern: new RegExp(`Private-Lines: \\d{1,3}\\s{1,80}(?<value>${linesOf(LINE)})`, "dy"),
	},
].map((each) => ({
	...each,
	rule: "private-key",
	secretOf: (_, { lines = "" }) => keyOf(lines),
}));

/** A reference, a digest that names its kind, a UUID, an address, a time, a place, a number. */
const OTHER =
	/^\$\w|\$[({]|\{\{|\{[a-zA-Z_]{1,40}\}|<[A-Za-z/ _-]{1,40}>|^%\w{1,60}%?$|#\{|^sha\d{1,3}[-:]|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|:\/\/|^arn:|^\d{4}-\d\d-\d\d|^(?:\.{1,2}|~)?\/|^0x[0-9a-f]{40}$|^[-+\d.]+(?:e[-+]?\d+)?$/i;

/** A host or a group of resources, with what stands there: `k8s.io/api/v1beta1`. */
const HOSTED = /^[a-z\d.-]{1,64}\/[a-z\d./-]*$/;

const LEAST_CHANGES = 3;

/** Letters and digits that change at least three times: no word with a number behind it, such as `Token2`, does. */
function isMixed(text: string): boolean {
	return (text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length >= LEAST_CHANGES;
}

const isPlaced = (value: string): boolean =>
	isMixed(value) && !HOSTED.test(value) && !OTHER.test(value) && !PLACEHOLDER.test(value);

const COMMON =
	/^(?:pass|pw|secret|user|root|admin|guest|test|token|hunter2|key|postgres|mysql|mongo|redis|123)/i;

const isPassword = (value: string): boolean =>
	/[A-Za-z]/.test(value) &&
	/\d/.test(value) &&
	!COMMON.test(value) &&
	!OTHER.test(value) &&
	!PLACEHOLDER.test(value);

const ofName = (pattern: string): Pattern => ({
	rule: PLACE_RULE,
	beginnings: TELLING_WORDS,
	pattern: new RegExp(`(?<=(?<name>.{0,16}))${TELLING_NAME}${pattern}`, "diy"),
	secretOf: (_, { name = "", word = "", tail = "", value = "" }) =>
		isTellingName(name, word.toLowerCase(), tail) && isPlaced(value) ? value : null,
});

const ofPlace = (
	beginnings: readonly string[],
	pattern: string,
	is: (value: string, groups: Groups) => boolean,
): Pattern => ({
	rule: PLACE_RULE,
	beginnings,
	pattern: new RegExp(pattern, "diy"),
	secretOf: (_, groups) => (is(groups["value"] ?? "", groups) ? (groups["value"] ?? "") : null),
});

/** What stands between a name and its quoted value: signs and quotes, perhaps with a type as in `apiKey: string =`. */
const BESIDE = "(?:[\"'\\]?)]{0,2}[: \\t]{1,2}[\\w.&<>|[\\] ]{1,40}=)?[\\s:=>|?()[\\]\"'`*]{1,60}?";

const PLACES: readonly Pattern[] = [
	// JSON stays JSON: what follows a quote there, and begins with such a sign, stands between two texts.
	ofName(
		`${BESIDE}[bBrRfFuU@$]?(?<quote>["'\`])(?![,:\\]}])(?<value>[^"'\`\\s\\\\]{8,4096})(?:\\k<quote>|\\s|$)`,
	),
	// Lines of settings and headers, options of a command line, queries, elements.
	ofName(
		"[\"']?(?:\\]?[ \\t]?=>?[ \\t]?|:[ \\t]{1,8}|>|(?<=\\s--?[\\w-]{1,40})[ \\t])(?<value>[\\w.~+/=!@#%^*-]{10,512})(?=[\"'`\\s\\\\&;,<)]|$)",
	),
	ofPlace(
		["bearer", "basic"],
		"(?:bearer|basic)[ \\t]{1,4}(?<value>[\\w.~+/=-]{12,4096})",
		isPlaced,
	),
	ofPlace(
		["://"],
		"(?<=[a-z\\d+.-])://(?<user>[^\\s/:@\"'`<>]{0,100}):(?<value>[^\\s/@\"'`<>\\\\]{5,200})@",
		(value, { user }) => value !== user && isPassword(value),
	),
	ofPlace(["://"], "://(?<value>[\\w-]{20,200})(?::x-oauth-basic|:x-token-auth)?@", isPlaced),
];

const PATTERNS: readonly Pattern[] = [...TOKEN_KINDS.map(ofToken), JWT, ...PRIVATE_KEYS, ...PLACES];

export const keywords: readonly string[] = PATTERNS.flatMap(({ beginnings }) => beginnings);

const BEGINNINGS: Beginnings<Pattern> = new Beginnings(
	PATTERNS.flatMap((pattern) =>
		// Each once, also where two of its beginnings look alike.
		[...new Set(pattern.beginnings.map((text) => text.slice(0, 3).toLowerCase()))].map(
			(text) => [text, pattern] as const,
		),
	),
);

function spotAt(
	{ rule, pattern, secretOf }: Pattern,
	view: View,
	start: number,
): SecretSpot | null {
	pattern.lastIndex = start;
	const match = pattern.exec(view.text);
	if (match === null) return null;
	const { groups = {}, indices } = match;
	const value = secretOf(match[0], groups);
	if (value === null) return null;
	const [from, to] = indices?.groups?.["value"] ?? [
		start - (groups["before"] ?? "").length,
		start + match[0].length,
	];
	return { start: view.begin(from), end: view.end(to), rule, value };
}

/** Tells which of two that overlap names both: form before place, then the longer, or of two by place the inner. */
function isBetter(a: SecretSpot, b: SecretSpot): boolean {
	const [byPlace, otherByPlace] = [a.rule === PLACE_RULE, b.rule === PLACE_RULE];
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
	const found: SecretSpot[] = [];
	for (const view of readViews(text)) {
		BEGINNINGS.find(view.text, (pattern, start) => {
			const spot = spotAt(pattern, view, start);
			if (spot !== null) found.push(spot);
		});
	}
	return withoutOverlaps(found);
}

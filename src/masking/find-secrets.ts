import { Beginnings } from "./beginnings.ts";
import { findKeyRest, findPrivateKey, findPuttyKey } from "./find-private-key.ts";
import { findCredential, findNamedValue, findUrlPassword } from "./find-value.ts";
import { isRandomToken } from "./looks-secret.ts";
import { PLACE_RULE, type SecretSpot } from "./scanning.ts";
import { TELLING } from "./telling-names.ts";
import { readViews } from "./text-view.ts";
import { TOKEN_KINDS, type TokenKind } from "./token-kinds.ts";

/** The secret in a text from where one of its beginnings may stand; `isRaw` for a text in which no escapes are read. */
type Find = (text: string, start: number, isRaw: boolean) => SecretSpot | null;

/** Behind what is no part of a word: another character, an escape of a language or a terminal, a percent code. */
const START =
	"(?:^|[^A-Za-z0-9]|\\[[\\d;:?]{0,20}[A-Za-z]|%[\\da-fA-F]{2}|\\\\(?:[nrtbfvae]|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|[0-7]{1,3}))";
const ALONE = "(?:^|[^A-Za-z0-9_-])";

const literally = (text: string): string => text.replaceAll(/[.+?*|/]/g, "\\$&");

function ofToken({ rule, beginnings, body, isLabel, isAlone, before }: TokenKind): Find {
	const prefix = `(?:${beginnings.map(literally).join("|")})`;
	const start = isAlone ? ALONE : before === "" ? START : `(?:/bot|${START})`;
	// The beginning first, which is hardly ever there.
	const pattern = new RegExp(
		`(?=${prefix})(?<=${start}(?<ahead>${before}))${prefix}(?<rest>${body})(?![A-Za-z0-9])`,
		"y",
	);
	return (text, index) => {
		pattern.lastIndex = index;
		const { 0: found, groups } = pattern.exec(text) ?? { 0: "" };
		const { ahead = "", rest = "" } = groups ?? {};
		const value = isLabel ? rest : ahead + found;
		if (!isRandomToken(before === "" ? rest : value)) return null;
		const end = index + found.length;
		return { start: end - value.length, end, rule, value };
	};
}

const JWT_BEGINNINGS: readonly string[] = ["eyJ", "eyAi", "ewog", "ew0K"];

/** A header, claims, the signature, and two more parts of a token that is encrypted. A longer part is masked up to here. */
const JWT = new RegExp(
	`(?=${JWT_BEGINNINGS.join("|")})(?<=${START})(?<header>[\\w-]{14,1000})\\.[\\w-]{8,8192}(?:\\.[\\w-]{0,8192}){0,3}`,
	"y",
);

/** Three parts, or two and a cut, of which the first is a header. */
const findJwt: Find = (text, start) => {
	JWT.lastIndex = start;
	const { 0: found, groups } = JWT.exec(text) ?? { 0: "" };
	const header = Buffer.from(groups?.["header"] ?? "", "base64url").toString("latin1");
	if (!/^\{\s{0,8}(?=").*"(?:alg|typ|kid|enc)"/s.test(header)) return null;
	const value = found.replace(/\.{1,3}$/, "");
	return { start, end: start + value.length, rule: "jwt", value };
};

const FINDS: readonly (readonly [beginnings: readonly string[], find: Find])[] = [
	...TOKEN_KINDS.map((kind) => [kind.beginnings, ofToken(kind)] as const),
	[JWT_BEGINNINGS, findJwt],
	[["-----BEGIN "], findPrivateKey],
	[["-----END "], findKeyRest],
	[["Private-Lines: "], findPuttyKey],
	[TELLING, findNamedValue],
	[["bearer", "basic"], findCredential],
	[["://"], findUrlPassword],
];

export const keywords: readonly string[] = FINDS.flatMap(([beginnings]) => beginnings);

const BEGINNINGS: Beginnings<Find> = new Beginnings(
	FINDS.flatMap(([beginnings, find]) =>
		// Each once, also where two of its beginnings look alike.
		[...new Set(beginnings.map((text) => text.slice(0, 3).toLowerCase()))].map(
			(text) => [text, find] as const,
		),
	),
);

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
	for (const [index, view] of readViews(text).entries()) {
		BEGINNINGS.find(view.text, (find, start) => {
			const spot = find(view.text, start, index === 0);
			if (spot === null) return;
			found.push({ ...spot, start: view.begin(spot.start), end: view.end(spot.end) });
		});
	}
	return withoutOverlaps(found);
}

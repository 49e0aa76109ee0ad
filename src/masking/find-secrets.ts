import { asItStands, joinLines, type Lines } from "../kernel/joined-text.ts";
import { LiteralFinder } from "../kernel/literal-finder.ts";
import { findAssignment } from "./find-assignment.ts";
import {
	findCommandLogin,
	findCredential,
	findEncodedLogin,
	findUrlPassword,
} from "./find-login.ts";
import { findKeyRest, findPrivateKey, findPuttyKey } from "./find-private-key.ts";
import { findJwt, findToken, JWT_BEGINNINGS } from "./find-token.ts";
import { CONTEXT_RULE, type SecretSpot } from "./scanning.ts";
import { TELLING } from "./telling-names.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";

type FindInText = (text: string, start: number, keyword: string) => SecretSpot | null;
type FindInLines = (lines: Lines, start: number) => SecretSpot | null;

/** What to do where a keyword stands: in the text, and in the text without its line ends too. */
interface Steps {
	readonly inText: FindInText[];
	readonly inLines: FindInLines[];
}

/** What finds secrets by their place, and private keys, and at which keywords. */
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

/** Every text at which a search for secrets stops, in lower case. */
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

/** Tokens that line ends tore. */
function acrossLines(text: string): SecretSpot[] {
	const joined = joinLines(text);
	if (joined === undefined) return [];
	return spotsIn(joined, false).map((spot) => ({
		...spot,
		start: joined.at(spot.start),
		end: joined.at(spot.end - 1) + 1,
	}));
}

/** Whether one of two that overlap names both: form before place, then the longer, or of two by place the inner. */
function isBetter(a: SecretSpot, b: SecretSpot): boolean {
	const [byPlace, otherByPlace] = [a.rule === CONTEXT_RULE, b.rule === CONTEXT_RULE];
	if (byPlace !== otherByPlace) return otherByPlace;
	if (byPlace && a.start !== b.start) return a.start > b.start;
	return a.end - a.start > b.end - b.start;
}

/**
 * Spots none of which overlaps another. Of those that do one is made, as far as any of them reaches: a password with a
 * token in it leaves nothing of itself beside the token's mark.
 */
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

/**
 * The secrets in a text that show by their form or their place: tokens of vendors, private keys, values that are
 * assigned to telling names, passwords in URLs, credentials in headers.
 *
 * @returns none overlaps another; in the order of the text
 */
export function findSecrets(text: string): SecretSpot[] {
	return withoutOverlaps([...spotsIn(asItStands(text), true), ...acrossLines(text)]);
}

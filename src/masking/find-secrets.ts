import { joinLines } from "../kernel/joined-text.ts";
import { LiteralFinder } from "../kernel/literal-finder.ts";
import { CONTEXT_KEYWORDS } from "./context-keywords.ts";
import { findJwts, JWT_BEGINNINGS } from "./find-jwt.ts";
import { findKeyRest, findPrivateKey, findPuttyKey } from "./find-private-key.ts";
import { findToken } from "./find-token.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { asItStands, type Lines } from "./lines.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";
import { type TokenText, tokenText } from "./token-text.ts";
import { findByVendorRule, REACHES } from "./vendor-rules.ts";

type FindInText = (text: string, start: number, keyword: string, work: Work) => Finding | null;
type FindInLines = (lines: TokenText, start: number) => Finding | null;

/** What to do where a keyword stands. */
interface Steps {
	readonly inText: FindInText[];
	readonly inLines: FindInLines[];
	readonly reaches: number[];
	/** A JSON Web Token may start there. */
	isJwt: boolean;
}

function stepsByKeyword(): Map<string, Steps> {
	const steps = new Map<string, Steps>();
	const at = (keyword: string): Steps => {
		const here = steps.get(keyword) ?? { inText: [], inLines: [], reaches: [], isJwt: false };
		steps.set(keyword, here);
		return here;
	};
	for (const [keyword, find] of CONTEXT_KEYWORDS) at(keyword).inText.push(find);
	at("-----begin ").inText.push((text, start, _, work) => findPrivateKey(text, start, work));
	at("-----end ").inText.push((text, start, _, work) => findKeyRest(text, start, work));
	at("private-lines: ").inText.push((text, start, _, work) => findPuttyKey(text, start, work));
	for (const beginning of JWT_BEGINNINGS) at(beginning.toLowerCase()).isJwt = true;
	for (const kind of TOKEN_KINDS) {
		for (const prefix of kind.prefixes) {
			at(prefix.toLowerCase()).inLines.push((lines, start) =>
				findToken(lines, start, { kind, prefix }),
			);
		}
	}
	for (const [index, { keywords }] of REACHES.entries()) {
		for (const keyword of keywords) at(keyword).reaches.push(index);
	}
	return steps;
}

const steps: ReadonlyMap<string, Steps> = stepsByKeyword();

/** Every text at which a search for secrets stops, in lower case. */
export const keywords: readonly string[] = [...steps.keys()];
const finder: LiteralFinder = new LiteralFinder(keywords);

/** What the rules find that need nothing but their keyword's place, and that look at a token with its line ends taken out. */
function inLines(
	lines: Lines,
	work: Work,
	also: (here: Steps, start: number, keyword: string) => void = () => undefined,
): Finding[] {
	const found: Finding[] = [];
	const jwts: number[] = [];
	const tokens = tokenText(lines, work);
	finder.find(lines.text, (index, start) => {
		const keyword = keywords[index] ?? "";
		const here = steps.get(keyword);
		if (here === undefined) return;
		for (const find of here.inLines) {
			const finding = find(tokens, start);
			if (finding !== null) found.push(finding);
		}
		if (here.isJwt) jwts.push(start);
		also(here, start, keyword);
	});
	// Keywords are told by their ends, and differ in length.
	for (const finding of findJwts(
		lines,
		jwts.sort((a, b) => a - b),
		work,
	)) {
		found.push(finding);
	}
	return found;
}

function inText(text: string, work: Work): Finding[] {
	const found: Finding[] = [];
	const places = new Map<number, number[]>();
	const tokens = inLines(asItStands(text), work, (here, start, keyword) => {
		for (const find of here.inText) {
			const finding = find(text, start, keyword, work);
			if (finding !== null) found.push(finding);
		}
		for (const rule of here.reaches) {
			const starts = places.get(rule) ?? [];
			starts.push(start);
			places.set(rule, starts);
		}
	});
	for (const [rule, starts] of places) {
		const reach = REACHES[rule];
		starts.sort((a, b) => a - b);
		if (reach === undefined) continue;
		// One by one: a call takes no more than some ten thousand arguments.
		for (const finding of findByVendorRule(text, reach, starts, work)) found.push(finding);
	}
	return [...found, ...tokens];
}

/** Tokens that line ends tore. */
function acrossLines(text: string, work: Work): Finding[] {
	const joined = joinLines(text);
	if (joined === undefined) return [];
	return inLines(joined, work).map(({ start, end, rule, value }) => ({
		...{ start: joined.at(start), end: joined.at(end - 1) + 1 },
		...{ rule, value },
	}));
}

/** Whether one of two that overlap names both: form before place, then the longer, or of two by place the inner. */
function isBetter(a: Finding, b: Finding): boolean {
	const [byPlace, otherByPlace] = [a.rule === CONTEXT_RULE, b.rule === CONTEXT_RULE];
	if (byPlace !== otherByPlace) return otherByPlace;
	if (byPlace && a.start !== b.start) return a.start > b.start;
	return a.end - a.start > b.end - b.start;
}

/**
 * Findings none of which overlaps another. Of those that do one is made, as far as any of them reaches: a password with a
 * token in it leaves nothing of itself beside the token's mark.
 */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
	const kept: Finding[] = [];
	/** The one of those that overlap that names them all, as it was found. */
	let best: Finding | undefined;
	for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
		const last = kept.at(-1);
		if (last === undefined || best === undefined || last.end <= finding.start) {
			kept.push(finding);
			best = finding;
			continue;
		}
		if (isBetter(finding, best)) best = finding;
		const end = Math.max(last.end, finding.end);
		kept[kept.length - 1] = { ...best, start: last.start, end };
	}
	return kept;
}

/**
 * The secrets in a text that show by their form or their place: tokens of vendors, private keys, values that are
 * assigned to telling names, passwords in URLs, credentials in headers.
 *
 * @param work is counted up
 * @returns none overlaps another; in the order of the text
 */
export function findSecrets(text: string, work: Work = { characters: 0, windows: 0 }): Finding[] {
	const found = inText(text, work);
	return withoutOverlaps([...found, ...acrossLines(text, work)]);
}

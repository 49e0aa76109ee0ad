import { joinLines } from "../kernel/joined-text.ts";
import { LiteralFinder } from "../kernel/literal-finder.ts";
import { findAssignment } from "./find-assignment.ts";
import { findJwt } from "./find-jwt.ts";
import { findCredential, findUrlPassword } from "./find-login.ts";
import { findKeyRest, findPrivateKey } from "./find-private-key.ts";
import { findToken } from "./find-token.ts";
import { CONTEXT_RULE, type Finding, type Work } from "./finding.ts";
import { asItStands, type Lines } from "./lines.ts";
import { TOKEN_KINDS } from "./token-kinds.ts";
import { findByVendorRule, REACHES } from "./vendor-rules.ts";

/** Words whose value is a secret, in lower case. */
const TELLING =
	"pass pwd secret token credential authorization _auth apikey api_key api-key api.key accesskey access_key access-key privatekey private_key private-key authkey auth_key auth-key signingkey signing_key signing-key encryptionkey encryption_key encryption-key masterkey master_key accountkey account_key sharedkey shared_key".split(
		" ",
	);

type FindInText = (text: string, start: number, keyword: string, work: Work) => Finding | null;
type FindInLines = (lines: Lines, start: number, work: Work) => Finding | null;

/** What to do where a keyword stands. */
interface Steps {
	readonly inText: FindInText[];
	readonly inLines: FindInLines[];
	readonly reaches: number[];
}

function stepsByKeyword(): Map<string, Steps> {
	const steps = new Map<string, Steps>();
	const at = (keyword: string): Steps => {
		const here = steps.get(keyword) ?? { inText: [], inLines: [], reaches: [] };
		steps.set(keyword, here);
		return here;
	};
	for (const keyword of TELLING) at(keyword).inText.push(findAssignment);
	for (const keyword of ["bearer", "basic"]) at(keyword).inText.push(findCredential);
	at("://").inText.push((text, start, _, work) => findUrlPassword(text, start, work));
	at("-----begin ").inText.push((text, start, _, work) => findPrivateKey(text, start, work));
	at("-----end ").inText.push((text, start, _, work) => findKeyRest(text, start, work));
	at("eyj").inLines.push(findJwt);
	for (const kind of TOKEN_KINDS) {
		for (const prefix of kind.prefixes) {
			at(prefix.toLowerCase()).inLines.push((lines, start, work) =>
				findToken(lines, start, { kind, prefix }, work),
			);
		}
	}
	for (const [index, { keywords }] of REACHES.entries()) {
		for (const keyword of keywords) at(keyword).reaches.push(index);
	}
	return steps;
}

const steps: ReadonlyMap<string, Steps> = stepsByKeyword();
const keywords: readonly string[] = [...steps.keys()];
const finder: LiteralFinder = new LiteralFinder(keywords);
function inText(text: string, work: Work): Finding[] {
	const found: Finding[] = [];
	const keep = (finding: Finding | null): void => {
		if (finding !== null) found.push(finding);
	};
	const lines = asItStands(text);
	const places = new Map<number, number[]>();
	finder.find(text, (index, start) => {
		const keyword = keywords[index] ?? "";
		const here = steps.get(keyword);
		for (const find of here?.inText ?? []) keep(find(text, start, keyword, work));
		for (const find of here?.inLines ?? []) keep(find(lines, start, work));
		for (const rule of here?.reaches ?? []) {
			const starts = places.get(rule) ?? [];
			starts.push(start);
			places.set(rule, starts);
		}
	});
	for (const [rule, starts] of places) {
		const reach = REACHES[rule];
		// Keywords are told by their ends, and a rule's keywords differ in length.
		starts.sort((a, b) => a - b);
		if (reach === undefined) continue;
		// One by one: a call takes no more than some ten thousand arguments.
		for (const finding of findByVendorRule(text, reach, starts, work)) found.push(finding);
	}
	return found;
}

/** Tokens that line ends tore. */
function acrossLines(text: string, work: Work): Finding[] {
	const joined = joinLines(text);
	if (joined === undefined) return [];
	const found: Finding[] = [];
	finder.find(joined.text, (index, start) => {
		for (const find of steps.get(keywords[index] ?? "")?.inLines ?? []) {
			const finding = find(joined, start, work);
			if (finding === null) continue;
			const { start: from, end } = finding;
			found.push({ ...finding, start: joined.at(from), end: joined.at(end - 1) + 1 });
		}
	});
	return found;
}

/** Whether one of two that overlap is the one to keep: form before place, then the longer, or of two by place the inner. */
function isBetter(a: Finding, b: Finding): boolean {
	const [byPlace, otherByPlace] = [a.rule === CONTEXT_RULE, b.rule === CONTEXT_RULE];
	if (byPlace !== otherByPlace) return otherByPlace;
	if (byPlace && a.start !== b.start) return a.start > b.start;
	return a.end - a.start > b.end - b.start;
}

/** Findings none of which overlaps another. What two better ones push out between them is found when these are marks. */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
	const kept: Finding[] = [];
	for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
		const last = kept.at(-1);
		if (last === undefined || last.end <= finding.start) kept.push(finding);
		else if (isBetter(finding, last)) kept[kept.length - 1] = finding;
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

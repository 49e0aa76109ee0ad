import { distance } from "fastest-levenshtein";
import { quote } from "./quote.ts";

/** Longer words are not typing mistakes, and comparing them takes time. In characters. */
const LONGEST_WORD = 64;
const MOST_CANDIDATES = 200;

/**
 * The candidate that was probably meant, such as `"agent"` for `"agnet"`: at most two of five letters differ, capitals
 * aside. The first of equally near ones; undefined when none is near.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	if (word.length > LONGEST_WORD) return undefined;
	const lower = word.toLowerCase();
	const limit = Math.min(word.length - 1, Math.ceil(word.length * 0.4));
	const [best] = candidates
		.slice(0, MOST_CANDIDATES)
		.map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
		.filter(({ far }) => far <= limit)
		.sort((a, b) => a.far - b.far);
	return best?.candidate;
}

const MOST_LISTED = 12;

/** `did you mean "x"?`, else the list of candidates; undefined when there are none. */
export function suggestion(word: string, candidates: readonly string[]): string | undefined {
	const near = nearest(word, candidates);
	if (near !== undefined) return `did you mean ${quote(near)}?`;
	if (candidates.length === 0) return undefined;
	const listed = candidates.slice(0, MOST_LISTED).map((each) => quote(each).slice(1, -1));
	const rest = candidates.length > MOST_LISTED ? ", ..." : "";
	return `expected one of: ${listed.join(", ")}${rest}`;
}

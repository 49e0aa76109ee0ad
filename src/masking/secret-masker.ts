import { findSecrets } from "./find-secrets.ts";
import { betweenMarks, markOf } from "./mark.ts";
import { type KnownSecret, type Masker, maskerFor, replaceAllAt } from "./masking.ts";
import type { SecretSpot } from "./scanning.ts";

/** Of secrets that are not known beforehand. In characters; keys are found from either of their ends. */
const LONGEST = 4_096;

/** A mark is a new boundary, behind which something may come to stand alone: so masking goes on until nothing changes. */
const MOST_ROUNDS = 10;

/** A long text of nothing but such chains would be read ten times: it gets two rounds. In characters. */
const LONG_TEXT = 100_000;

function maskFound(text: string): string {
	const marks = new Map<string, string>();
	const markFor = ({ rule, value }: SecretSpot): string => {
		const key = `${rule}:${value}`;
		const mark = marks.get(key) ?? markOf(rule, value);
		marks.set(key, mark);
		return mark;
	};
	return betweenMarks(text, (part) => {
		const replacements = findSecrets(part).map((spot) => ({
			start: spot.start,
			end: spot.end,
			mark: markFor(spot),
		}));
		return replacements.length === 0 ? part : replaceAllAt(part, replacements);
	});
}

/**
 * The masker of a run: replaces what is known to be a secret, then what looks like one.
 *
 * A known value comes before a vendor's token, and that before what is a secret by its place. Everything that is
 * a secret by its place alone has one rule, so that a value has one mark wherever it stands.
 */
export class SecretMasker implements Masker {
	readonly longest: number;
	readonly #known: Masker;

	constructor(known: readonly KnownSecret[]) {
		this.#known = maskerFor(known);
		this.longest = Math.max(this.#known.longest, LONGEST);
	}

	mask(text: string): string {
		let masked = this.#known.mask(text);
		const rounds = text.length > LONG_TEXT ? 2 : MOST_ROUNDS;
		for (let round = 0; round < rounds; round += 1) {
			const again = maskFound(masked);
			if (again === masked) break;
			masked = again;
		}
		return masked;
	}
}

/**
 * The secrets that show by their form or place, each as it stands in the text, line ends in it too: so it can be put
 * back.
 */
export function secretsByPattern(texts: readonly string[]): KnownSecret[] {
	return texts.flatMap((text) =>
		findSecrets(text).map(({ rule, start, end }) => ({ rule, value: text.slice(start, end) })),
	);
}

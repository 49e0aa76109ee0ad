import { findSecrets } from "./find-secrets.ts";
import { betweenMarks, markOf } from "./mark.ts";
import { type KnownSecret, type Masker, maskerFor, replaceAllAt } from "./masking.ts";

/** Of secrets that are not known beforehand. In characters; keys are found from either of their ends. */
const LONGEST = 4_096;

/** A mark is a new boundary, behind which something may come to stand alone: so masking goes on until nothing changes. */
const MOST_ROUNDS = 4;

const maskFound = (text: string): string =>
	betweenMarks(text, (part) =>
		replaceAllAt(
			part,
			findSecrets(part).map(({ start, end, rule, value }) => ({
				start,
				end,
				mark: markOf(rule, value),
			})),
		),
	);

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
		for (let round = 0; round < MOST_ROUNDS; round += 1) {
			const before = masked;
			masked = maskFound(before);
			if (masked === before) break;
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

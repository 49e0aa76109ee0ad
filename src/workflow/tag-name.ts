import { nameProblem } from "./safe-name.ts";
import { UNTAGGED } from "./tags-of.ts";

/**
 * Why a word cannot be a tag, of an agent or of a machine; undefined when it can.
 *
 * @example `tagProblem("any")` is `"is the name for work that any machine can do"`
 */
export function tagProblem(tag: string): string | undefined {
	return nameProblem(tag) ?? (tag === UNTAGGED ? RESERVED : undefined);
}

const RESERVED = "is the name for work that any machine can do";

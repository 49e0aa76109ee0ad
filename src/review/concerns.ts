import type { PlayerReport } from "../agents/report.ts";
import { excerpt } from "./excerpt.ts";

const MAX_CONCERNS = 50;
const MAX_TEXT = 500;

/**
 * What the player says that it is unsure of, for people: at most 50, on one line of at most 500 characters each, blank
 * and repeated ones left out.
 *
 * The coach never sees them: it is to find weak points by itself, and a list of the author's own doubts tells it where
 * not to look.
 *
 * @example `["is the\nclock monotonic?", " "]` gives `["is the clock monotonic?"]`
 */
export function concernsOf({ concerns }: Pick<PlayerReport, "concerns">): string[] {
	const lines = concerns.map((concern) => excerpt(concern, MAX_TEXT));
	return [...new Set(lines)].filter((line) => line !== "").slice(0, MAX_CONCERNS);
}

import type { PlayerReport } from "../agents/report.ts";
import { excerpt } from "./excerpt.ts";

const MAX_CONCERNS = 50;
const MAX_TEXT = 500;

/**
 * Doubts of the player, for people: at most 50, each on one line of at most 500 characters, without blank and
 * repeated ones. The coach never sees them: it is to find weak points by itself, and the author's own doubts tell it
 * where not to look.
 */
export function concernsOf({ concerns }: Pick<PlayerReport, "concerns">): string[] {
	const lines = concerns.map((concern) => excerpt(concern, MAX_TEXT));
	return [...new Set(lines)].filter((line) => line !== "").slice(0, MAX_CONCERNS);
}

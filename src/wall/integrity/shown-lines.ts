import type { Line } from "./vanished.ts";

const SHOWN = 6;
const LONGEST = 160;

/** Lines of a suspicion, the first six of them, each behind a mark. */
export function shownLines(mark: "-" | "+", lines: readonly Pick<Line, "text">[]): string[] {
	const shown = lines.slice(0, SHOWN).map(({ text }) => `${mark} ${text.slice(0, LONGEST)}`);
	const more = lines.length - shown.length;
	return more > 0 ? [...shown, `${mark} ... ${more} more`] : shown;
}

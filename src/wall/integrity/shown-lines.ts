import { counted } from "../../kernel/counted.ts";
import type { Line } from "./vanished.ts";

const SHOWN = 6;
const LONGEST = 160;

/** Lines of a suspicion, the first six of them, each behind a mark; of what is no text their number. */
export function shownLines(mark: "-" | "+", lines: readonly Pick<Line, "text">[]): string[] {
	if (isBinary(lines.map(({ text }) => text).join("\n")))
		return [`${mark} (binary: ${counted(lines.length, "line")}, not shown)`];
	const shown = lines.slice(0, SHOWN).map(({ text }) => `${mark} ${text.slice(0, LONGEST)}`);
	const more = lines.length - shown.length;
	return more > 0 ? [...shown, `${mark} ... ${more} more`] : shown;
}

// Decoded, where a byte that is no UTF-8 is U+FFFD: a text in Latin-1 has these too, but no control characters.
const isBinary = (text: string): boolean =>
	text.includes("\0") || (text.includes("\ufffd") && /(?![\s\u007f-\u009f])\p{Cc}/u.test(text));

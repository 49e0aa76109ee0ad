import { counted } from "../../kernel/counted.ts";
import { sha256 } from "../../kernel/json.ts";
import type { Suspicion } from "../suspicion.ts";
import type { Line } from "./vanished.ts";

const SHOWN = 6;
const LONGEST = 160;

/**
 * Lines of a suspicion, the first six of them, each behind a mark; of what is no text their number. Where something is not
 * shown its digest is: an answer holds for all of it.
 */
export function shownLines(mark: "-" | "+", lines: readonly Pick<Line, "text">[]): string[] {
	const texts = lines.map(({ text }) => text);
	const all = texts.join("\n");
	const digest = sha256(all).slice(0, 8);
	if (isBinary(all))
		return [`${mark} (binary: ${counted(lines.length, "line")}, not shown, ${digest})`];
	const shown = texts.slice(0, SHOWN).map((text) => `${mark} ${text.slice(0, LONGEST)}`);
	const more = lines.length - shown.length;
	if (more > 0) return [...shown, `${mark} ... ${more} more (${digest})`];
	return texts.some(({ length }) => length > LONGEST)
		? [...shown, `${mark} ... (${digest})`]
		: shown;
}

/** Place and text of a suspicion about lines that went and came. */
export function aboutLines(
	gone: readonly Line[],
	fresh: readonly Line[],
): Pick<Suspicion, "line" | "text"> {
	return {
		line: fresh[0]?.number ?? gone[0]?.number ?? null,
		text: [...shownLines("-", gone), ...shownLines("+", fresh)].join("\n"),
	};
}

// Decoded, where a byte that is no UTF-8 is U+FFFD: a text in Latin-1 has these too, but no control characters.
const isBinary = (text: string): boolean =>
	text.includes("\0") || (text.includes("\ufffd") && /(?![\s\u007f-\u009f])\p{Cc}/u.test(text));

import type { JoinedText } from "../kernel/joined-text.ts";

/** A text, and where line ends were taken out of it. */
export type Lines = Pick<JoinedText, "text" | "nextBreak" | "isBreak">;

/** A text as it stands: no line ends were taken out. */
export function asItStands(text: string): Lines {
	return { text, nextBreak: () => text.length, isBreak: () => false };
}

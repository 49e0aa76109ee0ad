import { visibleText } from "../../kernel/visible-text.ts";
import type { Paint, PaintTone } from "./paint.ts";

// The first that fits counts.
const TONES: readonly (readonly [beginning: RegExp, tone: PaintTone])[] = [
	[/^(?:diff |index |(?:new|deleted|old) |rename |copy |similarity |Binary )/, "strong"],
	[/^(?:\+\+\+ |--- )/, "strong"],
	[/^@@/, "quiet"],
	[/^\+/, "good"],
	[/^-/, "bad"],
];

export function renderDiff(diff: string, paint: Paint): string {
	return visibleText(diff)
		.split("\n")
		.map((line) => {
			const tone = TONES.find(([beginning]) => beginning.test(line))?.[1];
			return tone === undefined ? line : paint(tone, line);
		})
		.join("\n");
}

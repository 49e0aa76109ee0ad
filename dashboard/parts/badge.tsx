import type { JSX } from "preact";
import { plain, type Tone, toneOf } from "../../src/words/states.ts";

interface BadgeProps {
	/** The stored word; its tone follows from it. */
	readonly word: string;
	/** What is shown, where that is another word. */
	readonly text?: string;
	readonly tone?: Tone;
}

/** A state in a word, with its colour. */
export function Badge({ word, text = plain(word), tone = toneOf(word) }: BadgeProps): JSX.Element {
	return <span class={`badge ${tone}`}>{text}</span>;
}

import type { JSX } from "preact";
import type { Standing } from "../../src/words/standing.ts";
import { plain, type Tone, toneOf } from "../../src/words/states.ts";

interface BadgeProps {
	/** The stored word; its tone follows from it. */
	readonly word: string;
	readonly text?: string;
	readonly tone?: Tone;
}

export function StandingBadge({
	of: { word, remark, tone },
	isRow = false,
}: {
	readonly of: Standing;
	readonly isRow?: boolean;
}): JSX.Element {
	return (
		<span title={remark ?? undefined}>
			<Badge word={word} tone={tone} />
			{remark !== null && (!isRow || tone === "live") && <span class="dim"> {remark}</span>}
		</span>
	);
}

export function Badge({ word, text = plain(word), tone = toneOf(word) }: BadgeProps): JSX.Element {
	return <span class={`badge ${tone}`}>{text}</span>;
}

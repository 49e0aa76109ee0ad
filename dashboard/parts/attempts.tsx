import type { JSX } from "preact";
import type { TurnView } from "../../src/web/protocol.ts";

/** List of what a coach tried in order to break the work; nothing where it names nothing. */
export function Attempts({
	attempts,
}: {
	readonly attempts: Readonly<NonNullable<TurnView["attempts"]>>;
}): JSX.Element | null {
	if (attempts.length === 0) return null;
	return (
		<details>
			<summary>What it tried ({attempts.length})</summary>
			<ul>
				{attempts.map(({ what, command, outcome }, index) => (
					<li key={index} class="words">
						{what} <code>{command}</code>: {outcome}
					</li>
				))}
			</ul>
		</details>
	);
}

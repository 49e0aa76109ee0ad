import type { JSX } from "preact";
import type { ItemDetail } from "../../src/web/protocol.ts";
import { Badge } from "../parts/badge.tsx";
import { Words } from "../parts/words.tsx";

/** The turns of a pair so far, each with what either side came to. */
export function PairHistory({
	pair,
}: {
	readonly pair: ItemDetail["context"]["pair"];
}): JSX.Element | null {
	if (pair === null || pair.history.length === 0) return null;
	return (
		<details class="part">
			<summary>
				<h2>The turns so far ({pair.history.length})</h2>
			</summary>
			<ol class="cards">
				{pair.history.map((entry) => (
					<li key={entry.iteration} class="card">
						<p>
							<strong>Turn {entry.turn}</strong>{" "}
							<Badge word={entry.challenger_approved ? "approve" : "feedback"} />{" "}
							<span class="dim">player {entry.driver_agent}</span>
						</p>
						<Words from="player" text={entry.driver_output_summary} />
						<Words from="coach" text={entry.challenger_critique} />
						{entry.findings.map(({ id, severity, state, issue }) => (
							<Words key={id} from={`${id} ${severity} ${state}`} text={issue} />
						))}
					</li>
				))}
			</ol>
		</details>
	);
}

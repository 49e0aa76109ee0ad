import type { JSX } from "preact";
import type { TaskView } from "../../src/web/protocol.ts";
import { findingLife } from "../../src/words/finding-life.ts";
import { findingNote } from "../../src/words/item-outline.ts";
import { toneOf } from "../../src/words/states.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { NoteView } from "../parts/notes.tsx";
import { Words } from "../parts/words.tsx";

type Finding = TaskView["findings"][number];

function Life({ finding }: { readonly finding: Finding }): JSX.Element {
	const life = findingLife(finding);
	if (life.length === 0) return <p class="dim">Raised in turn {finding.raised_turn}</p>;
	return (
		<details>
			<summary>
				Its life ({life.length}), raised in turn {finding.raised_turn}
			</summary>
			<ol class="life">
				{life.map(({ when, state, what, text, evidence, timestamp }, index) => (
					<li key={index}>
						<Badge word={state} text={what} />{" "}
						<span class="dim">
							{when}
							<Ago time={timestamp} />
						</span>
						<Words text={text} />
						<Words from="evidence" text={evidence} />
					</li>
				))}
			</ol>
		</details>
	);
}

/** @param newest turn, whose lines are those of the whole diff */
function FindingCard({
	finding,
	newest,
}: {
	readonly finding: Finding;
	readonly newest: number;
}): JSX.Element {
	const { severity, state, blocking, late, file, line, raised_turn: turn } = finding;
	// The line is one of the turn in which it was said.
	const place = { file, line, ...(turn === newest ? {} : { turn, since: 0 }) };
	const marks = [...(blocking ? ["blocking"] : []), ...(late ? ["late"] : [])];
	return (
		<li class={`card edge ${blocking ? toneOf(severity) : "quiet"}`}>
			<NoteView
				note={{
					...findingNote(finding),
					words: [severity, state, ...marks],
					place,
					tone: undefined,
				}}
			/>
			<Life finding={finding} />
		</li>
	);
}

export function FindingsPart({ task }: { readonly task: TaskView }): JSX.Element {
	const { findings, turns } = task;
	const newest = turns.findLast(({ commit }) => commit !== null)?.turn ?? 0;
	if (findings.length === 0) return <p class="dim">The coach has raised nothing so far.</p>;
	const ordered = findings.toSorted((one, other) => Number(other.blocking) - Number(one.blocking));
	return (
		<ul class="cards">
			{ordered.map((finding) => (
				<FindingCard key={finding.id} finding={finding} newest={newest} />
			))}
		</ul>
	);
}

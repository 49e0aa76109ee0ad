import type { JSX } from "preact";
import type { TaskDetail } from "../../src/web/protocol.ts";
import { findingNote } from "../../src/words/item-outline.ts";
import { plain, toneOf } from "../../src/words/states.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { NoteView } from "../parts/notes.tsx";
import { Words } from "../parts/words.tsx";

type Finding = TaskDetail["findings"][number];

function Life({ finding }: { readonly finding: Finding }): JSX.Element {
	return (
		<details>
			<summary>
				Its life ({finding.history.length}), raised in turn {finding.raised_turn}
			</summary>
			<ol class="life">
				{finding.history.map(({ turn, state, by, text, evidence, timestamp }, index) => (
					<li key={index}>
						<Badge word={state} />{" "}
						<span class="dim">
							{turn !== null && `turn ${turn}, `}
							{by !== null && `${plain(by)}, `}
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

function FindingCard({ finding }: { readonly finding: Finding }): JSX.Element {
	const { severity, state, blocking, late } = finding;
	const marks = [...(blocking ? ["blocking"] : []), ...(late ? ["late"] : [])];
	return (
		<li class={`card edge ${blocking ? toneOf(severity) : "quiet"}`}>
			<NoteView
				note={{ ...findingNote(finding), words: [severity, state, ...marks], tone: undefined }}
			/>
			<Life finding={finding} />
		</li>
	);
}

export function FindingsPart({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
	if (findings.length === 0) return <p class="dim">The coach has raised nothing so far.</p>;
	const ordered = findings.toSorted((one, other) => Number(other.blocking) - Number(one.blocking));
	return (
		<ul class="cards">
			{ordered.map((finding) => (
				<FindingCard key={finding.id} finding={finding} />
			))}
		</ul>
	);
}

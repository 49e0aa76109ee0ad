import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TaskDetail, TurnView as Turn } from "../../src/web/protocol.ts";
import { plain, toneOf } from "../../src/words/states.ts";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { OutputOf } from "./output-of.tsx";
import { ScoreChart } from "./score-chart.tsx";
import type { TaskStory } from "./task-story.ts";
import { TurnView } from "./turn-view.tsx";

function cameTo({ route, effective, commit }: Turn): string {
	return plain(route ?? effective ?? (commit === null ? "player" : "judging"));
}

function Stepper({
	turns,
	shown,
	choose,
}: {
	readonly turns: readonly Turn[];
	readonly shown: number;
	readonly choose: (turn: number) => void;
}): JSX.Element {
	return (
		<ol class="stepper" aria-label="Turns">
			{turns.map((turn) => (
				<li key={turn.turn}>
					<button
						type="button"
						aria-pressed={turn.turn === shown}
						class={toneOf(turn.route ?? turn.effective ?? "")}
						onClick={() => choose(turn.turn)}
					>
						<strong>Turn {turn.turn}</strong>
						<span>{cameTo(turn)}</span>
					</button>
				</li>
			))}
		</ol>
	);
}

export function TurnsPart({
	task,
	story,
}: {
	readonly task: TaskDetail;
	readonly story: TaskStory;
}): JSX.Element {
	const [chosen, setChosen] = useState<number | null>(null);
	const place = { run: task.run_id, task: task.id };
	const turn = task.turn_views.find((one) => one.turn === chosen) ?? task.turn_views.at(-1);
	return (
		<>
			<ScoreChart turns={task.turn_views} />
			{turn === undefined ? (
				<p class="dim">No turn has begun.</p>
			) : (
				<>
					<Stepper turns={task.turn_views} shown={turn.turn} choose={setChosen} />
					<TurnView key={turn.turn} turn={turn} place={place} story={story} />
				</>
			)}
			{task.baseline.length > 0 && (
				<details class="part">
					<summary>
						<h3>Baseline: the checks on the start commit</h3>
					</summary>
					<EvidenceTable
						label="Baseline"
						evidence={task.baseline}
						more={({ log }) => log !== null && <OutputOf place={{ ...place, path: log }} />}
					/>
				</details>
			)}
		</>
	);
}

import type { JSX } from "preact";
import type { TaskDetail, TurnView as Turn } from "../../src/web/protocol.ts";
import { plain, toneOf } from "../../src/words/states.ts";
import { share } from "../format/numbers.ts";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { Part } from "../parts/part.tsx";
import { useShownInside } from "../parts/use-shown-inside.ts";
import { link } from "../route.ts";
import { OutputOf } from "./log-view.tsx";
import type { TaskStory } from "./task-story.ts";
import { TurnView } from "./turn-view.tsx";

const HEIGHT = 120;
const LEFT = 34;
const STEP = 56;
const TOP = 10;
const BOTTOM = 22;

const yOf = (score: number): number => TOP + (1 - score) * (HEIGHT - TOP - BOTTOM);

function ScoreChart({ turns }: { readonly turns: readonly Turn[] }): JSX.Element | null {
	const scored = turns.flatMap(({ turn, score }) => (score === null ? [] : [{ turn, ...score }]));
	const threshold = scored.at(-1)?.threshold;
	if (threshold === undefined) return null;
	const width = LEFT + scored.length * STEP + 60;
	const xOf = (index: number): number => LEFT + STEP / 2 + index * STEP;
	const points = scored.map(({ score }, index) => `${xOf(index)},${yOf(score)}`).join(" ");
	const words = scored.map(({ turn, score }) => `turn ${turn}: ${share(score)}`).join(", ");
	return (
		<section class="scroll drawing" aria-label="Chart of the scores" tabIndex={0}>
			<svg
				width={width}
				height={HEIGHT}
				viewBox={`0 0 ${width} ${HEIGHT}`}
				role="img"
				aria-label={`Scores, threshold ${share(threshold)}: ${words}`}
			>
				{[0, 0.5, 1].map((mark) => (
					<g key={mark} class="axis">
						<path d={`M${LEFT} ${yOf(mark)}H${width - 60}`} />
						<text x={LEFT - 6} y={yOf(mark) + 4} text-anchor="end">
							{mark.toFixed(1)}
						</text>
					</g>
				))}
				<path class="threshold" d={`M${LEFT} ${yOf(threshold)}H${width - 60}`} />
				<text class="threshold-name" x={width - 56} y={yOf(threshold) + 4}>
					≥ {share(threshold)}
				</text>
				<polyline class="score-line" points={points} />
				{scored.map(({ turn, score }, index) => (
					<g key={turn} class={score >= threshold ? "score good" : "score"}>
						<circle cx={xOf(index)} cy={yOf(score)} r={3.5} />
						<text x={xOf(index)} y={yOf(score) - 8} text-anchor="middle">
							{share(score)}
						</text>
						<text class="turn" x={xOf(index)} y={HEIGHT - 5} text-anchor="middle">
							turn {turn}
						</text>
					</g>
				))}
			</svg>
		</section>
	);
}

function cameTo({ route, effective, commit }: Turn): string {
	return plain(route ?? effective ?? (commit === null ? "player" : "judging"));
}

function Stepper({
	run: { run_id: run },
	task: { id, turns },
	shown,
}: TaskDetail & { readonly shown: number }): JSX.Element {
	const list = useShownInside<HTMLOListElement>([shown, turns.length]);
	return (
		<ol class="stepper" aria-label="Turns" ref={list}>
			{turns.map((turn) => (
				<li key={turn.turn}>
					<a
						class={`button ${toneOf(turn.route ?? turn.effective ?? "")}`}
						href={`${link("runs", run, "tasks", id)}?turn=${turn.turn}`}
						aria-current={turn.turn === shown ? "step" : undefined}
					>
						<strong>Turn {turn.turn}</strong>
						<span>{cameTo(turn)}</span>
					</a>
				</li>
			))}
		</ol>
	);
}

export function TurnsPart({
	story,
	shown,
	...detail
}: TaskDetail & {
	readonly story: TaskStory;
	/** Turn that the address names. */
	readonly shown: number | null;
}): JSX.Element {
	const { run, task } = detail;
	const place = { run: run.run_id, task: task.id };
	const turn = task.turns.find((one) => one.turn === shown) ?? task.turns.at(-1);
	return (
		<>
			<ScoreChart turns={task.turns} />
			{turn === undefined ? (
				<p class="dim">No turn has begun.</p>
			) : (
				<>
					<Stepper {...detail} shown={turn.turn} />
					<TurnView key={turn.turn} turn={turn} place={place} story={story} />
				</>
			)}
			{task.baseline.length > 0 && (
				<Part title="Baseline: the checks on the start commit" heading="h3" isFolded={true}>
					<EvidenceTable
						label="Baseline"
						evidence={task.baseline}
						more={({ log }) => log !== null && <OutputOf place={{ ...place, path: log }} />}
					/>
				</Part>
			)}
		</>
	);
}

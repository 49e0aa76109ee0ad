import type { JSX } from "preact";
import type { TurnView } from "../../src/web/protocol.ts";
import { share } from "../format/numbers.ts";

const HEIGHT = 120;
const LEFT = 34;
const STEP = 56;
const TOP = 10;
const BOTTOM = 22;

const yOf = (score: number): number => TOP + (1 - score) * (HEIGHT - TOP - BOTTOM);

export function ScoreChart({ turns }: { readonly turns: readonly TurnView[] }): JSX.Element | null {
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

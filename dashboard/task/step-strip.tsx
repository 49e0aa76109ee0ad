import type { JSX } from "preact";
import { formatDuration } from "../../src/kernel/duration.ts";
import { plain } from "../../src/words/states.ts";
import { STATE_NODES } from "../graph/state-layout.ts";
import type { TaskStory } from "./task-story.ts";

const labelOf = (node: string): string =>
	STATE_NODES.find(({ name }) => name === node)?.label ?? plain(node);

function TurnSteps({
	story,
	turn,
}: {
	readonly story: TaskStory;
	readonly turn: number;
}): JSX.Element {
	const steps = story.steps(turn);
	const worked = steps.filter(({ passed }) => passed === null);
	const passed = steps.filter((step) => step.passed !== null);
	return (
		<li class="steps-line">
			<span class="dim number">{turn === 0 ? "start" : `turn ${turn}`}</span>
			<ol class="steps">
				{worked.map(({ node, ms }, index) => (
					<li key={index} class={ms === null ? "live" : ""} data-node={node}>
						{labelOf(node)}{" "}
						<span class="dim number">{ms === null ? "now" : formatDuration(ms)}</span>
					</li>
				))}
			</ol>
			{passed.length > 0 && (
				<details>
					<summary class="dim">{passed.length} passed through</summary>
					<ul class="plain">
						{passed.map(({ node, passed: why }, index) => (
							<li key={index}>
								{labelOf(node)}: <span class="dim">{why}</span>
							</li>
						))}
					</ul>
				</details>
			)}
		</li>
	);
}

/** Turns whose steps are shown at once. */
const SHOWN = 3;

/** The steps that a task has taken, by turn, with their times. */
export function StepStrip({ story }: { readonly story: TaskStory }): JSX.Element | null {
	const turns = story.turns();
	const earlier = turns.slice(0, -SHOWN);
	const list = (some: readonly number[]): JSX.Element => (
		<ol class="strip" aria-label="Steps taken">
			{some.map((turn) => (
				<TurnSteps key={turn} story={story} turn={turn} />
			))}
		</ol>
	);
	if (turns.length === 0) return null;
	return (
		<div>
			{earlier.length > 0 && (
				<details>
					<summary class="dim">{earlier.length} earlier</summary>
					{list(earlier)}
				</details>
			)}
			{list(turns.slice(-SHOWN))}
		</div>
	);
}

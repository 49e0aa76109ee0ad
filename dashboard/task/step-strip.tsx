import type { JSX } from "preact";
import { formatDuration } from "../../src/kernel/duration.ts";
import { plain } from "../../src/words/states.ts";
import { STATE_NODES } from "../graph/state-layout.ts";
import { useShownInside } from "../parts/use-shown-inside.ts";
import type { TaskStory } from "./task-story.ts";

const labelOf = (node: string): string =>
	STATE_NODES.find(({ name }) => name === node)?.label ?? plain(node);

function TurnSteps({
	story,
	turn,
	isShown,
}: {
	readonly story: TaskStory;
	readonly turn: number;
	readonly isShown: boolean;
}): JSX.Element {
	const steps = story.steps(turn);
	const worked = steps.filter(({ passed }) => passed === null);
	const passed = steps.filter((step) => step.passed !== null);
	return (
		<li class="steps-line" aria-current={isShown ? "step" : undefined}>
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

/** The steps that a task has taken, by turn, with their times; it is scrolled to the turn that is shown. */
export function StepStrip({
	story,
	shown,
}: {
	readonly story: TaskStory;
	readonly shown: number;
}): JSX.Element | null {
	const turns = story.turns();
	const box = useShownInside<HTMLElement>([shown, turns.length]);
	if (turns.length === 0) return null;
	return (
		<section class="strip" ref={box} aria-label="Steps taken" tabIndex={0}>
			<ol>
				{turns.map((turn) => (
					<TurnSteps key={turn} story={story} turn={turn} isShown={turn === shown} />
				))}
			</ol>
		</section>
	);
}

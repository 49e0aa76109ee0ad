import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { plain } from "../../src/words/states.ts";
import {
	NODE_HEIGHT,
	NODE_WIDTH,
	STATE_HEIGHT,
	STATE_NODES,
	STATE_POINTS,
	STATE_RAILS,
	STATE_WIDTH,
	type StateRail,
} from "./state-layout.ts";

/** Only a line of its own tells which way was taken: a rail is shared by several. */
function isTaken({ from, to }: StateRail, way: ReadonlySet<string>): boolean {
	return from.length === 1 && to.length === 1 && way.has(`${from[0]}>${to[0]}`);
}

export function StateGraph({
	node,
	passed,
	way,
}: {
	/** The stored name of the node; null: in none. */
	readonly node: string | null;
	/** Nodes that were passed through in this turn, because what they do is off. */
	readonly passed: ReadonlySet<string>;
	/** Each step that was taken, as `FROM>TO`. */
	readonly way: ReadonlySet<string>;
}): JSX.Element {
	const reached = new Set([...way].map((step) => step.slice(step.indexOf(">") + 1)));
	const here = STATE_NODES.find(({ name }) => name === node);
	const words =
		here === undefined ? "The task is in none of the nodes." : `The task is in: ${here.label}.`;
	const box = useRef<HTMLElement>(null);
	const x = here?.x;
	// In a narrow window the drawing is wider than its box.
	useEffect(() => {
		const element = box.current;
		if (element !== null && x !== undefined) element.scrollLeft = x - element.clientWidth / 2;
	}, [x]);
	return (
		<section ref={box} class="scroll drawing" aria-label="State graph" tabIndex={0}>
			<svg
				width={STATE_WIDTH}
				height={STATE_HEIGHT}
				viewBox={`0 0 ${STATE_WIDTH} ${STATE_HEIGHT}`}
				role="img"
				aria-label={words}
			>
				{STATE_RAILS.map((rail, index) => (
					<path
						key={index}
						class={`rail ${rail.kind}${isTaken(rail, way) ? " taken" : ""}`}
						d={rail.path}
					/>
				))}
				{STATE_POINTS.map(({ x, y }) => (
					<circle key={`${x} ${y}`} class="point" cx={x} cy={y} r={4} />
				))}
				{STATE_NODES.map(({ name, label, x, y }) => (
					<g
						key={name}
						class={`state${name === node ? " here" : ""}${passed.has(name) ? " passed" : ""}${reached.has(name) ? " taken" : ""}`}
						data-node={name}
					>
						<title>
							{plain(name)}
							{passed.has(name) ? " (passed through)" : ""}
						</title>
						<rect
							x={x - NODE_WIDTH / 2}
							y={y - NODE_HEIGHT / 2}
							width={NODE_WIDTH}
							height={NODE_HEIGHT}
							rx={5}
						/>
						<text x={x} y={y + 4}>
							{label}
						</text>
					</g>
				))}
			</svg>
		</section>
	);
}

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { TaskHead } from "../../src/web/protocol.ts";
import { type Standing, taskStanding } from "../../src/words/standing.ts";
import { PHASE_WORDS } from "../../src/words/states.ts";
import { link } from "../route.ts";
import { layoutTasks, type PlacedTask } from "./task-layout.ts";

const WIDTH = 168;
const HEIGHT = 40;
const GAP_X = 56;
const GAP_Y = 14;
/** Names are cut where the box ends. */
const MOST_LETTERS = 21;
/** A drawing of more would help nobody; the list has them all. */
const MOST_TASKS = 80;

const leftOf = ({ column }: PlacedTask): number => 4 + column * (WIDTH + GAP_X);
const topOf = ({ row }: PlacedTask): number => 4 + row * (HEIGHT + GAP_Y);

function edgePath(from: PlacedTask, to: PlacedTask): string {
	const startX = leftOf(from) + WIDTH;
	const startY = topOf(from) + HEIGHT / 2;
	const endX = leftOf(to);
	const endY = topOf(to) + HEIGHT / 2;
	const bend = Math.max(GAP_X / 2, (endX - startX) / 2);
	return `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
}

export function doing({ report }: Pick<TaskHead, "report">): Standing {
	const { status, phase } = report;
	const standing = taskStanding(report);
	const isAtWork = status === "running" || status === "needs_rework";
	return isAtWork ? { ...standing, word: PHASE_WORDS[phase] } : standing;
}

const cut = (name: string): string =>
	name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;

function Box({
	run,
	task,
	at,
}: {
	readonly run: string;
	readonly task: TaskHead;
	readonly at: PlacedTask;
}): JSX.Element {
	const x = leftOf(at);
	const y = topOf(at);
	return (
		<a href={link("runs", run, "tasks", task.id)} class={`task-box ${doing(task).tone}`}>
			<title>{task.id}</title>
			<rect x={x} y={y} width={WIDTH} height={HEIGHT} rx={5} />
			<rect class="bar" x={x} y={y} width={4} height={HEIGHT} rx={2} />
			<text class="name" x={x + 13} y={y + 17}>
				{cut(task.id)}
			</text>
			<text class="doing" x={x + 13} y={y + 32}>
				{doing(task).word}
				{task.report.turns > 0 && `, turn ${task.report.turns} of ${task.bound}`}
			</text>
		</a>
	);
}

export function TaskGraph({
	run,
	tasks,
}: {
	readonly run: string;
	readonly tasks: readonly TaskHead[];
}): JSX.Element | null {
	const shape = tasks.map(({ id, depends_on: before }) => `${id}<${before.join(",")}`).join(";");
	const layout = useMemo(() => layoutTasks(tasks), [shape]);
	if (layout.edges.length === 0 || tasks.length > MOST_TASKS) return null;
	const width = layout.columns * (WIDTH + GAP_X) - GAP_X + 8;
	const height = layout.rows * (HEIGHT + GAP_Y) - GAP_Y + 8;
	return (
		<section class="scroll drawing" aria-label="Graph of the tasks" tabIndex={0}>
			<svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
				<title>What each task depends on</title>
				{layout.edges.map(({ from, to }) => (
					<path key={`${from.id} ${to.id}`} class="edge-line" d={edgePath(from, to)} />
				))}
				{tasks.map((task) => {
					const at = layout.placed.get(task.id);
					return at && <Box key={task.id} run={run} task={task} at={at} />;
				})}
			</svg>
		</section>
	);
}

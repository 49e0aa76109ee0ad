import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { InboxItem, LastWords, TaskHead } from "../../src/web/protocol.ts";
import { flagWords } from "../../src/words/states.ts";
import { isFound } from "../format/is-found.ts";
import { money, share } from "../format/numbers.ts";
import { doing } from "../graph/task-graph.tsx";
import { Badge, StandingBadge } from "../parts/badge.tsx";
import { Search } from "../parts/search.tsx";
import { link } from "../route.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";

const ROW_HEIGHT = 58;

function lastWord(
	{ id, report: task }: TaskHead,
	items: readonly InboxItem[],
	said: LastWords,
): string {
	const question = items.find((item) => item.id === task.human_item);
	if (task.status === "paused_for_human" && question !== undefined) return question.reason;
	if (task.failure_reason !== null) return task.failure_reason;
	if (task.blocked_by !== null) return `blocked by ${task.blocked_by.task}`;
	return said[id]?.line ?? task.flags.map(flagWords).join(", ");
}

function TaskLine({
	run,
	task,
	said,
}: {
	readonly run: string;
	readonly task: TaskHead;
	readonly said: string;
}): JSX.Element {
	const { report } = task;
	const { gate } = report;
	return (
		<a class="task-row" href={link("runs", run, "tasks", task.id)}>
			<span class="run-name">
				<strong class="cut">{task.id}</strong>
				<span class="dim cut">{task.title}</span>
			</span>
			<span class="task-state">
				<StandingBadge of={doing(task)} isRow={true} />
				{report.merged && <span class="dim"> merged</span>}
			</span>
			<span class="number">
				{report.turns}
				<span class="dim"> / {task.bound}</span>
			</span>
			<span class="number">{report.open_findings === 0 ? "–" : report.open_findings}</span>
			<span>
				{gate === null ? (
					<span class="dim">–</span>
				) : (
					<Badge word={gate.verdict} text={`${gate.risk_tier} ${gate.verdict}`} />
				)}
			</span>
			<span class="number">{share(report.confidence_score)}</span>
			<span class="number">{money(report.usage.cost_usd)}</span>
			<span class="cut dim" title={said}>
				{said}
			</span>
		</a>
	);
}

export function TaskList({
	run,
	tasks,
	items,
	said,
}: {
	readonly run: string;
	readonly tasks: readonly TaskHead[];
	/** The run's open questions. */
	readonly items: readonly InboxItem[];
	readonly said: LastWords;
}): JSX.Element {
	const [wanted, setWanted] = useState("");
	const found = tasks.filter((task) =>
		isFound(wanted, [task.id, task.title, doing(task).word, lastWord(task, items, said)]),
	);
	return (
		<>
			{tasks.length > 1 && (
				<Search
					label="Search tasks by name or state"
					text={wanted}
					change={setWanted}
					found={found.length}
					of={tasks.length}
				/>
			)}
			<div class="task-row head" aria-hidden="true">
				<span>Task</span>
				<span>State</span>
				<span class="number">Turns</span>
				<span class="number">Open</span>
				<span>Gate</span>
				<span class="number">Score</span>
				<span class="number">Cost</span>
				<span>Last word</span>
			</div>
			<VirtualRows
				label="Tasks"
				kind="list"
				of={found}
				rowHeight={ROW_HEIGHT}
				row={(task) => (
					<TaskLine key={task.id} run={run} task={task} said={lastWord(task, items, said)} />
				)}
			/>
		</>
	);
}

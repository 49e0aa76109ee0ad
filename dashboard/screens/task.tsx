import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatDuration } from "../../src/kernel/duration.ts";
import type { TaskDetail, TaskView } from "../../src/web/protocol.ts";
import { flagWords } from "../../src/words/states.ts";
import { money, share } from "../format/numbers.ts";
import { StateGraph } from "../graph/state-graph.tsx";
import { doing } from "../graph/task-graph.tsx";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { type Timeline, useTimeline } from "../net/timeline.ts";
import { Badge } from "../parts/badge.tsx";
import { BudgetBars } from "../parts/budget.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { Facts } from "../parts/facts.tsx";
import { Part } from "../parts/part.tsx";
import { Reading, Refused } from "../parts/refused.tsx";
import { TimelineView } from "../parts/timeline-view.tsx";
import { useTitle } from "../parts/title.ts";
import { useKeys } from "../parts/use-keys.ts";
import { Words } from "../parts/words.tsx";
import { link, type Route, type Spot, type TaskPart } from "../route.ts";
import { DiffPart } from "../task/diff-part.tsx";
import { FindingsPart } from "../task/findings-part.tsx";
import { OutputPart } from "../task/output-part.tsx";
import { StepStrip } from "../task/step-strip.tsx";
import { TaskAnswer } from "../task/task-answer.tsx";
import { TaskStory } from "../task/task-story.ts";
import { TurnsPart } from "../task/turns-part.tsx";

const PARTS: readonly (readonly [TaskPart, string])[] = [
	["turns", "Turns"],
	["findings", "Findings"],
	["diff", "Diff"],
	["output", "Output"],
	["timeline", "Timeline"],
];

/** Parts that take the whole window. */
const WINDOW_PARTS: readonly TaskPart[] = ["diff", "output", "timeline"];

function Flags({ run, task }: TaskDetail): JSX.Element {
	const { blocked_by: blockedBy, checkout } = task.report;
	return (
		<>
			{blockedBy !== null && (
				<p>
					Blocked by{" "}
					<a href={link("runs", run.run_id, "tasks", blockedBy.task)}>{blockedBy.task}</a>
				</p>
			)}
			{checkout !== null && (
				<p>
					<span class="dim">the player’s checkout </span>
					<CopyText text={checkout} what="the path of the checkout" />
				</p>
			)}
		</>
	);
}

function About({ task }: { readonly task: TaskView }): JSX.Element {
	return (
		<Part title="What is asked for" kind="about" isFolded={true}>
			<Words text={task.description} />
			<ul class="plain">
				{task.acceptance_criteria.map((criterion) => (
					<li key={criterion}>{criterion}</li>
				))}
			</ul>
			{task.context_files.length > 0 && (
				<p class="dim">
					context: <code>{task.context_files.join(", ")}</code>
				</p>
			)}
		</Part>
	);
}

const short = (commit: string | null): JSX.Element | null =>
	commit === null ? null : <code>{commit.slice(0, 10)}</code>;

function Head({ run, task }: TaskDetail): JSX.Element {
	const { merged, flags } = task.report;
	return (
		<header class="screen-head">
			<p class="crumbs">
				<a href={link("runs")}>Runs</a> /{" "}
				<a href={link("runs", run.run_id)} title={run.run_id}>
					{run.workflow}
				</a>
			</p>
			<div class="title-line">
				<h1>{task.id}</h1>
				<Badge {...doing(task)} />
				{merged && <Badge word="merged" tone="good" />}
				{flags.map((flag) => (
					<Badge key={flag} word={flag} text={flagWords(flag)} tone="attention" />
				))}
			</div>
		</header>
	);
}

/** Time in calls of agents that have ended; checks and setups are none. */
const agentsMs = ({ turns }: TaskView): number =>
	turns.flatMap(({ calls }) => calls).reduce((sum, { ms }) => sum + ms, 0);

function More(detail: TaskDetail): JSX.Element {
	const { task } = detail;
	const { report } = task;
	const { usage } = report;
	return (
		<div class="screen-head">
			<Facts
				of={[
					["player", task.seats?.player],
					["coach", task.seats?.coach],
					["turns", `${report.turns} of ${task.bound}`],
					[
						"gate",
						report.gate === null ? null : (
							<Badge
								key="gate"
								word={report.gate.verdict}
								text={`${report.gate.risk_tier} ${report.gate.verdict}`}
							/>
						),
					],
					[
						"verification",
						report.verification === null ? null : (
							<Badge key="verification" word={report.verification} />
						),
					],
					["score", report.confidence_score === null ? null : share(report.confidence_score)],
					["cost", money(usage.cost_usd)],
					["calls", usage.calls],
					["agents worked", formatDuration(agentsMs(task))],
					["branch", <code key="branch">{report.branch}</code>],
					["commit", short(report.commit)],
					["merged as", short(report.merged_commit)],
				]}
			/>
			<BudgetBars budget={report.budget} />
			<Flags {...detail} />
		</div>
	);
}

interface BodyProps {
	readonly detail: TaskDetail;
	readonly part: TaskPart;
	readonly at: Spot;
	readonly story: TaskStory;
	readonly timeline: Timeline;
}

function Body({ detail, part, at, story, timeline }: BodyProps): JSX.Element {
	switch (part) {
		case "turns":
			return <TurnsPart {...detail} story={story} shown={at.turn} />;
		case "findings":
			return <FindingsPart task={detail.task} />;
		case "diff":
			return <DiffPart {...detail} at={at} />;
		case "output":
			return <OutputPart {...detail} />;
		case "timeline":
			return <TimelineView timeline={timeline} hasTask={false} />;
	}
}

/** A task that waits has no process, and so no node of its own: it is where a person is asked. */
function nodeOf({ node, report }: TaskView): string | null {
	return node ?? (report.human_item === null ? null : "await_human");
}

function passedIn(story: TaskStory, turn: number): ReadonlySet<string> {
	return new Set(
		story
			.steps(turn)
			.filter(({ passed }) => passed !== null)
			.map(({ node }) => node),
	);
}

export function TaskScreen({
	run,
	task: id,
	part,
	at,
}: Omit<Extract<Route, { readonly screen: "task" }>, "screen">): JSX.Element {
	const read = useResource<TaskDetail>(
		api("runs", run, "tasks", id),
		({ events, news }) =>
			events.some((event) => event.run === run && (event.task === id || event.task === null)) ||
			news.some(({ type }) => type === "run-changed"),
	);
	const story = useMemo(() => new TaskStory(), [run, id]);
	const timeline = useTimeline(run, id, (event) => story.take(event));
	const detail = read.value.value;
	useTitle(detail === null ? id : `${id} · ${detail.run.workflow}`);
	useKeys({
		d: () => {
			location.hash = link("runs", run, "tasks", id, "diff");
		},
	});
	const parts = useRef<HTMLElement>(null);
	const isRead = detail !== null;
	const isWide = WINDOW_PARTS.includes(part);
	useEffect(() => {
		// An answer has a button at the top, which stays in view.
		if (isWide && detail?.task.report.human_item_answered === false)
			parts.current?.scrollIntoView();
	}, [part, isRead]);
	if (detail === null) return <Reading of={read} what="the task" />;
	const { task } = detail;
	const { turns: newest, open_findings: open } = task.report;
	return (
		<div class="screen">
			<Head {...detail} />
			<Refused refusal={read.refusal.value} />
			<TaskAnswer {...detail} />
			<StepStrip story={story} shown={at.turn ?? newest} />
			<More {...detail} />
			<div class="folds">
				<About task={task} />
				<Part title="State graph" isFolded={true}>
					<StateGraph node={nodeOf(task)} passed={passedIn(story, newest)} way={story.way()} />
				</Part>
			</div>
			<nav ref={parts} class="filters" aria-label="Parts of the task">
				{PARTS.map(([name, words]) => (
					<a
						key={name}
						href={link("runs", run, "tasks", id, name)}
						aria-current={name === part ? "true" : undefined}
					>
						{words}
						{name === "findings" && open > 0 && <span class="count">{open}</span>}
					</a>
				))}
			</nav>
			<section class={`part${isWide ? " window" : ""}`}>
				<h2 class="hidden">{PARTS.find(([name]) => name === part)?.[1]}</h2>
				<Body detail={detail} part={part} at={at} story={story} timeline={timeline} />
			</section>
		</div>
	);
}

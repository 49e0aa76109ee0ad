import type { JSX } from "preact";
import { TRIGGER_WORDS } from "../../src/human/headline.ts";
import { formatDuration } from "../../src/kernel/duration.ts";
import type { RunDetail } from "../../src/web/protocol.ts";
import {
	factsOfReport,
	heldBackText,
	isAnswered,
	noWorkerText,
	runStanding,
} from "../../src/words/standing.ts";
import { plain, type Tone } from "../../src/words/states.ts";
import { money } from "../format/numbers.ts";
import { TaskGraph } from "../graph/task-graph.tsx";
import { api } from "../net/api.ts";
import { aboutRun, useResource } from "../net/resource.ts";
import { useTimeline } from "../net/timeline.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge, StandingBadge } from "../parts/badge.tsx";
import { BudgetBars } from "../parts/budget.tsx";
import { Facts } from "../parts/facts.tsx";
import { GoesOn } from "../parts/goes-on.tsx";
import { Reading, Refused } from "../parts/refused.tsx";
import { TimelineView } from "../parts/timeline-view.tsx";
import { useTitle } from "../parts/title.ts";
import { Words } from "../parts/words.tsx";
import { link } from "../route.ts";
import { ActionButton } from "../run/action-button.tsx";
import { TaskList } from "../run/task-list.tsx";

/** Buttons of a run; the blue one is what comes next: an answer, then going on, then landing. */
function Actions({ detail }: { readonly detail: RunDetail }): JSX.Element {
	const { run } = detail;
	const isOver = detail.ended_at !== null;
	const isFree = run.holder === null && !run.pruned;
	const [question] = detail.questions;
	// One that only waits for that has the button beside its word.
	const isStill = isFree && run.status !== "completed" && run.status !== "cancelled";
	const canResume = isStill && !isAnswered(factsOfReport(run)) && !isAsked(detail);
	const canLand =
		isOver && isFree && !run.landed && Object.values(run.tasks).some(({ merged }) => merged);
	return (
		<div class="actions">
			{!isOver && <ActionButton run={run.run_id} action="cancel" />}
			{question !== undefined && (
				<a class="button primary" href={link("items", question.id)}>
					Answer
				</a>
			)}
			{canResume && (
				<ActionButton run={run.run_id} action="resume" isMain={question === undefined} />
			)}
			{canLand && <ActionButton run={run.run_id} action="land" isMain={!canResume} />}
			{isOver && !run.pruned && <ActionButton run={run.run_id} action="prune" />}
		</div>
	);
}

/** A run that stands until a person answers: resuming it is refused. */
const isAsked = ({ run, questions }: RunDetail): boolean =>
	run.status === "paused_for_user_escalation" &&
	factsOfReport(run).answered === 0 &&
	questions.length > 0;

function LastAction({
	detail: { last_action: action },
}: {
	readonly detail: RunDetail;
}): JSX.Element | null {
	if (action === null) return null;
	const { action: name, ended_at: ended, exit_code: code, said, started_at: started } = action;
	const failed = ended !== null && code !== 0 && code !== 3;
	return (
		<div class={`notice ${failed ? "bad" : "quiet"}`} role="status">
			<p>
				<strong>{name}</strong>{" "}
				{ended === null ? "is under way" : failed ? `failed (${code})` : "done"}, started{" "}
				<Ago time={started} />
			</p>
			{said.length > 0 && <pre class="said">{said.join("\n")}</pre>}
		</div>
	);
}

interface NoticesProps {
	readonly label: string;
	readonly tone: Tone;
	readonly children: readonly JSX.Element[];
}

function Notices({ label, tone, children }: NoticesProps): JSX.Element | null {
	if (children.length === 0) return null;
	return (
		<section class={`notice ${tone}`} aria-label={label}>
			<ul class="plain">{children}</ul>
		</section>
	);
}

function TaskNotices({ detail: { run, questions } }: { readonly detail: RunDetail }): JSX.Element {
	const unclaimed = run.unclaimed.filter(({ has_worker: hasWorker }) => !hasWorker);
	return (
		<>
			<Notices label="Stopped" tone="bad">
				{run.stopped.map(({ task, message, hint }) => (
					<li key={task}>
						<strong>{task}</strong> was stopped: <span class="words">{message}</span>
						{hint !== null && <span class="words"> {hint}</span>}
					</li>
				))}
			</Notices>
			<Notices label="Waiting for a worker" tone="attention">
				{unclaimed.map(({ task, tags, unfit }) => (
					<li key={task}>
						<strong>{task}</strong> waits: <span class="words">{noWorkerText(tags, unfit)}</span>
					</li>
				))}
			</Notices>
			<Notices label="Waiting for a place" tone="attention">
				{[heldBackText(run.held_back)].filter(Boolean).map((text) => (
					<li key={text}>{text}</li>
				))}
			</Notices>
			<Notices label="Waiting for you" tone="attention">
				{questions.map(({ id, task_id: task, trigger, reason }) => (
					<li key={id}>
						<a href={link("items", id)}>
							<strong>{task}</strong> waits for you ({TRIGGER_WORDS[trigger]})
						</a>
						: <span class="words">{reason}</span>
					</li>
				))}
			</Notices>
		</>
	);
}

function Stopped({ detail: { run } }: { readonly detail: RunDetail }): JSX.Element | null {
	if (run.preflight_stopped === null) return null;
	return (
		<div class="notice bad" role="alert">
			<p>It stopped before its first call.</p>
			{run.preflight_stopped.problems.map(({ kind, check, reason, said }, index) => (
				<div key={index}>
					<Words from={`${plain(kind)}${check === null ? "" : ` ${check}`}`} text={reason ?? ""} />
					{said.length > 0 && <pre class="said">{said.join("\n")}</pre>}
				</div>
			))}
		</div>
	);
}

function Head({ detail }: { readonly detail: RunDetail }): JSX.Element {
	const { run } = detail;
	const { holder, usage } = run;
	return (
		<header class="screen-head">
			<p class="crumbs">
				<a href={link("runs")}>Runs</a>
			</p>
			<div class="title-line">
				<h1>{run.workflow}</h1>
				<StandingBadge of={runStanding(factsOfReport(run))} />
				{run.landed && <Badge word="landed" tone="good" />}
				<Actions detail={detail} />
			</div>
			<Facts
				of={[
					["run", <code key="run">{run.run_id}</code>],
					["from", `${run.base} (${detail.base_commit.slice(0, 10)})`],
					["into", <code key="into">{run.branch}</code>],
					["started", <Ago key="started" time={detail.created_at} />],
					["worked", formatDuration(detail.held_ms)],
					["cost", money(usage.cost_usd)],
					[
						"calls",
						`${usage.calls}${usage.unknown_cost_calls > 0 ? `, ${usage.unknown_cost_calls} of unknown cost` : ""}`,
					],
					["held by", holder ?? "nobody"],
				]}
			/>
			<BudgetBars budget={run.budget} />
		</header>
	);
}

export function RunScreen({ run: id }: { readonly run: string }): JSX.Element {
	const read = useResource<RunDetail>(api("runs", id), aboutRun(id));
	const timeline = useTimeline(id, null);
	const detail = read.value.value;
	useTitle(detail === null ? id : `${detail.run.workflow} ${id}`);
	if (detail === null) return <Reading of={read} what="the run" />;
	const { run, tasks, questions, last_said: said } = detail;
	return (
		<div class="screen">
			<Head detail={detail} />
			<Refused refusal={read.refusal.value} />
			<GoesOn run={id} standing={runStanding(factsOfReport(run))} holder={run.holder} />
			<LastAction detail={detail} />
			<Stopped detail={detail} />
			<TaskNotices detail={detail} />
			<section class="part">
				<h2>Tasks</h2>
				<TaskGraph run={id} tasks={tasks} />
				<TaskList run={id} tasks={tasks} items={questions} said={said} />
			</section>
			<section class="part">
				<h2>Timeline</h2>
				<TimelineView timeline={timeline} hasTask={true} />
			</section>
		</div>
	);
}

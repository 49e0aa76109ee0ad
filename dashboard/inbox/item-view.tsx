import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { AnswerReply, ItemDetail } from "../../src/web/protocol.ts";
import { type ItemPart, itemOutline } from "../../src/words/item-outline.ts";
import { plain, TRIGGER_WORDS } from "../../src/words/states.ts";
import { noteBesides, noteOfFinding } from "../diff/diff-rows.ts";
import { DiffOf } from "../diff/diff-view.tsx";
import { share } from "../format/numbers.ts";
import { api } from "../net/api.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { Facts } from "../parts/facts.tsx";
import { GateView, MetricTable } from "../parts/gate-view.tsx";
import { Notes } from "../parts/notes.tsx";
import { Part } from "../parts/part.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { Words } from "../parts/words.tsx";
import { link, type Spot } from "../route.ts";
import { ActionButton } from "../run/action-button.tsx";
import { AnswerForm } from "./answer-form.tsx";

type Context = ItemDetail["context"];

function PartView({ part }: { readonly part: ItemPart }): JSX.Element {
	const { title, notes, isSide = false, isFolded = false } = part;
	return (
		<Part title={title} kind={isSide ? "side" : ""} isFolded={isFolded}>
			<Notes notes={notes} />
		</Part>
	);
}

function TaskPart({ item }: { readonly item: ItemDetail }): JSX.Element {
	const { task, checkout, branch, commit } = item.context;
	return (
		<Part title="Task">
			<Words text={task.description} />
			<ul class="plain">
				{task.acceptance_criteria.map((criterion) => (
					<li key={criterion}>{criterion}</li>
				))}
			</ul>
			{checkout !== null && (
				<p>
					<span class="dim">checkout </span>
					<CopyText text={checkout} what="the path of the checkout" />
				</p>
			)}
			<Facts
				of={[
					["branch", branch],
					["commit", commit === null ? null : <code>{commit.slice(0, 10)}</code>],
				]}
			/>
		</Part>
	);
}

function Measured({ context }: { readonly context: Context }): JSX.Element {
	const { evidence, gate_report: gate, confidence } = context;
	return (
		<>
			<Part title="Evidence">
				<EvidenceTable label="Evidence" evidence={evidence} />
			</Part>
			{gate !== null && (
				<Part title="Gate">
					<GateView gate={gate} />
				</Part>
			)}
			{confidence !== null && (
				<Part title={`Score ${share(confidence.score)}`}>
					{gate === null && <MetricTable metrics={confidence.metrics} />}
					<Words text={confidence.advisory} />
				</Part>
			)}
		</>
	);
}

/** Notes on lines of a question's diff: findings, and tests of the verifier that fail. */
function notesOf({ trigger, context }: ItemDetail) {
	const failing = trigger === "verification" ? (context.verification?.failing ?? []) : [];
	return [
		...context.findings.map((finding) => noteOfFinding(finding, null)),
		...failing.map(({ test, message }) =>
			noteBesides(test, message, ["failed"], { file: null, line: null }),
		),
	];
}

function DiffPart({
	item,
	at,
	isOpen,
	setOpen,
}: {
	readonly item: ItemDetail;
	readonly at: Spot;
	readonly isOpen: boolean;
	readonly setOpen: (isOpen: boolean) => void;
}): JSX.Element {
	const { run_id: run, task_id: task } = item;
	const notes = useMemo(() => notesOf(item), [item]);
	return (
		<details
			id="diff"
			class="part"
			open={isOpen}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
		>
			<summary>
				<h2>
					Diff of the task <kbd>d</kbd>
				</h2>
			</summary>
			{isOpen && (
				<DiffOf
					path={api("runs", run, "tasks", task, "diff")}
					task={[run, task]}
					notes={notes}
					at={at}
				/>
			)}
		</details>
	);
}

function Answered({ item }: { readonly item: ItemDetail }): JSX.Element {
	const { resolution, run } = item;
	const said = resolution?.directive ?? resolution?.reason ?? null;
	return (
		<section class="answer done" aria-label="The answer" aria-live="polite">
			<h2>Answered</h2>
			{resolution !== null && (
				<p>
					<strong>{plain(resolution.choice)}</strong> <Ago time={resolution.answered_at} />
				</p>
			)}
			<Words text={said} />
			<Words from="notes" text={resolution?.notes} />
			{run.holder !== null && (
				<p class="dim">A process works on the run, and takes the answer up.</p>
			)}
			{run.can_resume && (
				<>
					<p>The task goes on when resumed.</p>
					<ActionButton run={item.run_id} action="resume" isMain={true} />
				</>
			)}
		</section>
	);
}

interface ItemViewProps {
	readonly item: ItemDetail;
	/** Says that what is shown is another state than before. */
	readonly isChanged: boolean;
	readonly answered: (reply: AnswerReply) => void;
	readonly changed: (item: ItemDetail) => void;
	readonly at: Spot;
}

/** Questions that are about the work as it stands, which is looked at before anything else. */
const isSignature = ({ trigger }: ItemDetail): boolean =>
	trigger === "sign_off" || trigger === "requires_human";

export function ItemView({ item, isChanged, answered, changed, at }: ItemViewProps): JSX.Element {
	const isSigned = isSignature(item);
	const [isDiffOpen, setDiffOpen] = useState(isSigned);
	const toDiff = (): void => document.getElementById("diff")?.scrollIntoView();
	const isInView = (): boolean => {
		const top = document.getElementById("diff")?.getBoundingClientRect().top ?? 0;
		return isDiffOpen && top >= 0 && top < innerHeight;
	};
	useKeys({ d: () => (isDiffOpen && !isInView() ? toDiff() : setDiffOpen(!isDiffOpen)) });
	useLayoutEffect(() => {
		if (isDiffOpen && !isSigned) toDiff();
	}, [isDiffOpen]);
	useEffect(() => {
		if (at.file !== null) setDiffOpen(true);
	}, [at]);
	const diff = <DiffPart item={item} at={at} isOpen={isDiffOpen} setOpen={setDiffOpen} />;
	const { context } = item;
	const open = item.offers.length > 0;
	return (
		<article class="item" aria-label={`Question ${item.id}`}>
			<header class="item-head">
				<p class="dim">
					<Badge word={item.trigger} text={TRIGGER_WORDS[item.trigger]} tone="attention" />{" "}
					<a href={link("runs", item.run_id, "tasks", item.task_id)}>{item.task_id}</a> in{" "}
					<a href={link("runs", item.run_id)}>{item.workflow}</a>, turn {context.turns} of{" "}
					{context.bound}, <Ago time={item.created_at} />
				</p>
				<h1 class="words">{item.reason}</h1>
			</header>
			{isChanged && open && (
				<p class="notice attention" role="alert">
					The question or the work has changed since you opened it. This is the new state; decide
					again.
				</p>
			)}
			<div class="item-body">
				<div class="item-facts">
					{isSigned && diff}
					{itemOutline(item).map((part) => (
						<PartView key={part.title} part={part} />
					))}
					<Measured context={context} />
					{!isSigned && diff}
					<TaskPart item={item} />
				</div>
				{open ? (
					<AnswerForm
						key={item.id}
						item={item}
						asksOnce={isSigned}
						answered={answered}
						changed={changed}
					/>
				) : (
					<Answered item={item} />
				)}
			</div>
		</article>
	);
}

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { TRIGGER_WORDS } from "../../src/human/headline.ts";
import type { Trigger } from "../../src/human/question.ts";
import { counted } from "../../src/kernel/counted.ts";
import type { AnswerReply, ItemDetail } from "../../src/web/protocol.ts";
import { type ItemPart, itemOutline } from "../../src/words/item-outline.ts";
import { plain } from "../../src/words/states.ts";
import { noteBesides, noteOfFinding, placeText } from "../diff/diff-rows.ts";
import { DiffOf } from "../diff/diff-view.tsx";
import { share } from "../format/numbers.ts";
import { api } from "../net/api.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { Facts } from "../parts/facts.tsx";
import { GateView, MetricTable } from "../parts/gate-view.tsx";
import { Notes } from "../parts/notes.tsx";
import { Part } from "../parts/part.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { Words } from "../parts/words.tsx";
import { link, type Spot } from "../route.ts";
import { ActionButton } from "../run/action-button.tsx";
import { type LineComment, withComment } from "./answer-body.ts";
import { AnswerForm, useDraft } from "./answer-form.tsx";

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

/** Notes on lines of a question's diff: findings, tests of the verifier that fail, and the reader's own comments. */
function notesOf({ trigger, context }: ItemDetail, comments: readonly LineComment[]) {
	const failing = trigger === "verification" ? (context.verification?.failing ?? []) : [];
	return [
		...context.findings.map((finding) => noteOfFinding(finding, null)),
		...failing.map(({ test, message }) =>
			noteBesides(test, message, ["failed"], { file: null, line: null }),
		),
		...comments.map((comment) => noteBesides("your comment", comment.text, [], comment)),
	];
}

/** The first place that a finding of the question names. */
function firstPlace({ context }: ItemDetail): Pick<Spot, "file" | "line"> {
	const { file = null, line = null } = context.findings.find((one) => one.file !== null) ?? {};
	return { file, line };
}

function DiffPart({
	item,
	at,
	isOpen,
	setOpen,
	comments,
	comment,
	onViewed,
}: {
	readonly item: ItemDetail;
	readonly at: Spot;
	readonly isOpen: boolean;
	readonly setOpen: (isOpen: boolean) => void;
	readonly comments: readonly LineComment[];
	readonly comment: ((file: string, line: number) => void) | undefined;
	readonly onViewed: (viewed: number, of: number) => void;
}): JSX.Element {
	const { run_id: run, task_id: task } = item;
	const notes = useMemo(() => notesOf(item, comments), [item, comments]);
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
					begin={firstPlace(item)}
					comment={comment}
					onViewed={onViewed}
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

/** Questions about what the work stands in, and not about the work. */
const APART: ReadonlySet<Trigger> = new Set([
	"budget",
	"environment",
	"role_error",
	"quota",
	"no_worker",
	"corrupt_session",
]);

/** Questions that are asked once, by a button of their name. */
const isSignature = ({ trigger }: ItemDetail): boolean =>
	trigger === "sign_off" || trigger === "requires_human";

function CommentDialog({
	place: { file, line },
	add,
	close,
}: {
	readonly place: Pick<LineComment, "file" | "line">;
	readonly add: (text: string) => void;
	readonly close: () => void;
}): JSX.Element {
	const [text, setText] = useState("");
	const action = {
		name: "Add to the directive",
		isDisabled: text.trim() === "",
		act: () => {
			add(text.trim());
			close();
		},
	};
	return (
		<Dialog title={`Comment on ${placeText(file, line)}`} close={close} action={action}>
			<label class="field">
				What the player is told about this line
				<textarea rows={4} onInput={({ currentTarget }) => setText(currentTarget.value)} />
			</label>
		</Dialog>
	);
}

/** The diff, opened and closed by the reader; scrolled to when it opens while the question is looked at. */
function useDiff(opensWithIt: boolean, at: Spot) {
	const [isOpen, setOpen] = useState(opensWithIt);
	const wasOpen = useRef(isOpen);
	const toDiff = (): void => document.getElementById("diff")?.scrollIntoView();
	const isInView = (): boolean => {
		const top = document.getElementById("diff")?.getBoundingClientRect().top ?? 0;
		return isOpen && top >= 0 && top < innerHeight;
	};
	useKeys({ d: () => (isOpen && !isInView() ? toDiff() : setOpen(!isOpen)) });
	useLayoutEffect(() => {
		if (isOpen && !wasOpen.current) toDiff();
		wasOpen.current = isOpen;
	}, [isOpen]);
	useEffect(() => {
		if (at.file !== null) setOpen(true);
	}, [at]);
	return { isOpen, setOpen };
}

export function ItemView({ item, isChanged, answered, changed, at }: ItemViewProps): JSX.Element {
	const { context, offers } = item;
	const isSigned = isSignature(item);
	const isAboutWork = context.commit !== null && !APART.has(item.trigger);
	const [draft, setDraft] = useDraft(item);
	const [viewed, setViewed] = useState<string | null>(null);
	const [commented, setCommented] = useState<Pick<LineComment, "file" | "line"> | null>(null);
	const canTell = offers.some(({ choice }) => choice === "directive");
	const diff = (
		<DiffPart
			item={item}
			at={at}
			{...useDiff(isAboutWork, at)}
			comments={draft.comments}
			comment={canTell ? (file, line) => setCommented({ file, line }) : undefined}
			onViewed={(count, of) => setViewed(`${count} of ${counted(of, "file")} viewed`)}
		/>
	);
	const open = offers.length > 0;
	return (
		<article class={`item${isSigned ? " signature" : ""}`} aria-label={`Question ${item.id}`}>
			<header class="item-head">
				<p class="dim">
					<Badge word={item.trigger} text={TRIGGER_WORDS[item.trigger]} tone="attention" />{" "}
					<a href={link("runs", item.run_id, "tasks", item.task_id)}>{item.task_id}</a> in{" "}
					<a href={link("runs", item.run_id)}>{item.workflow}</a>, run <code>{item.run_id}</code>,
					turn {context.turns} of {context.bound}, <Ago time={item.created_at} />
				</p>
				<h1 class="words">{item.reason}</h1>
			</header>
			{item.replaced_by !== null && open && (
				<p class="notice quiet">
					A newer run of this workflow has the task, too:{" "}
					<a href={link("runs", item.replaced_by)}>{item.replaced_by}</a>
				</p>
			)}
			{isChanged && open && (
				<p class="notice attention" role="alert">
					The question or the work has changed since you opened it. This is the new state; decide
					again.
				</p>
			)}
			<div class="item-body">
				<div class="item-facts">
					{isAboutWork && diff}
					{itemOutline(item).map((part) => (
						<PartView key={part.title} part={part} />
					))}
					<Measured context={context} />
					{!isAboutWork && diff}
					<TaskPart item={item} />
				</div>
				{open ? (
					<AnswerForm
						key={item.id}
						item={item}
						draft={draft}
						change={setDraft}
						remark={isSigned ? viewed : null}
						asksOnce={isSigned}
						answered={answered}
						changed={changed}
					/>
				) : (
					<Answered item={item} />
				)}
			</div>
			{commented !== null && (
				<CommentDialog
					place={commented}
					add={(text) => setDraft(withComment(draft, offers, { ...commented, text }))}
					close={() => setCommented(null)}
				/>
			)}
		</article>
	);
}

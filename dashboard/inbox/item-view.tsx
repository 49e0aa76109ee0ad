import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { AnswerReply, ItemDetail } from "../../src/web/protocol.ts";
import { plain, TRIGGER_WORDS, toneOf } from "../../src/words/states.ts";
import { DiffOf } from "../diff/diff-view.tsx";
import { money, share, span } from "../format/numbers.ts";
import { api } from "../net/api.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import { EvidenceTable } from "../parts/evidence-table.tsx";
import { Facts } from "../parts/facts.tsx";
import { GateView, MetricTable } from "../parts/gate-view.tsx";
import { useKeys } from "../parts/use-keys.ts";
import { Words } from "../parts/words.tsx";
import { link } from "../route.ts";
import { ActionButton } from "../run/action-button.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { ConflictView, PairHistory, Sides } from "./sides.tsx";

type Context = ItemDetail["context"];

function Section({
	title,
	children,
}: {
	readonly title: string;
	readonly children: ComponentChildren;
}): JSX.Element {
	return (
		<section class="part">
			<h2>{title}</h2>
			{children}
		</section>
	);
}

function Findings({ findings }: Pick<Context, "findings">): JSX.Element | null {
	if (findings.length === 0) return null;
	return (
		<Section title="Findings">
			<ul class="cards">
				{findings.map(
					({ id, severity, state, file, line, issue, criterion, suggestion, dispute }) => (
						<li key={id} class={`card edge ${toneOf(severity)}`}>
							<p>
								<strong>{id}</strong> <Badge word={severity} /> <Badge word={state} />{" "}
								{file !== null && (
									<code class="dim">
										{file}
										{line !== null && `:${line}`}
									</code>
								)}
							</p>
							<Words text={issue} />
							<Words from="criterion" text={criterion} />
							<Words from="suggestion" text={suggestion} />
							<Words from="the player disputes it" text={dispute?.reason} />
							<Words from="its evidence" text={dispute?.evidence} />
						</li>
					),
				)}
			</ul>
		</Section>
	);
}

function Doubts({ context }: { readonly context: Context }): JSX.Element | null {
	const { suspicions, false_claims: claims, reasons } = context;
	if (suspicions.length + claims.length + reasons.length === 0) return null;
	return (
		<Section title="What stands in the way">
			{reasons.map((reason) => (
				<Words key={reason} text={reason} />
			))}
			{suspicions.map(({ id, kind, file, line, text, ok, reason }) => (
				<Words
					key={id}
					from={`suspicion ${id}, ${plain(kind)}, ${file}${line === null ? "" : `:${line}`}`}
					text={`${text}${ok === null ? "" : ` (${ok ? "accepted" : "refused"}${reason === null ? "" : `: ${reason}`})`}`}
				/>
			))}
			{claims.map((claim) => (
				<Words key={claim} from="false claim" text={claim} />
			))}
		</Section>
	);
}

function VerificationPart({ item }: { readonly item: ItemDetail }): JSX.Element | null {
	if (item.trigger !== "verification" || item.context.verification === null) return null;
	const { verdict, reasons, failing, files, run } = item.context.verification;
	return (
		<Section title="Independent tests">
			<p>
				<Badge word={verdict} /> {run !== null && <code>{run}</code>}
			</p>
			{reasons.map((reason) => (
				<Words key={reason} text={reason} />
			))}
			<ul class="cards">
				{failing.map(({ test, message }) => (
					<li key={test} class="card edge bad">
						<strong>{test}</strong>
						<pre class="said">{message}</pre>
					</li>
				))}
			</ul>
			{files.map(({ path, text }) => (
				<details key={path}>
					<summary>
						<code>{path}</code>
					</summary>
					<pre class="said">{text}</pre>
				</details>
			))}
		</Section>
	);
}

function BlockedPart({ item }: { readonly item: ItemDetail }): JSX.Element | null {
	if (item.trigger !== "player_blocked" || item.context.blocked === null) return null;
	const { what, evidence, proposal, tests } = item.context.blocked;
	return (
		<Section title="Why the player stopped">
			<Words text={what} />
			{evidence.map((text) => (
				<Words key={text} from="evidence" text={text} />
			))}
			<Words from="proposal" text={proposal} />
			{tests.map(({ check, name, status, message }) => (
				<Words
					key={`${check} ${name}`}
					from={`Sparring ran ${name} (${check})`}
					text={message === null ? status : `${status}: ${message}`}
				/>
			))}
		</Section>
	);
}

function BudgetPart({ item }: { readonly item: ItemDetail }): JSX.Element | null {
	if (item.trigger !== "budget" || item.context.budget === null) return null;
	const { scope, usd, wall, calls, unknown_cost_calls: unknown } = item.context.budget;
	return (
		<Section title={`Budget of the ${scope}`}>
			<Facts
				of={[
					["spent", usd === null ? null : `${money(usd.spent)} of ${money(usd.limit)}`],
					["time", wall === null ? null : `${span(wall.spent_ms)} of ${span(wall.limit_ms)}`],
					["calls", calls],
					["of unknown cost", unknown === 0 ? null : unknown],
				]}
			/>
		</Section>
	);
}

function TaskPart({ item }: { readonly item: ItemDetail }): JSX.Element {
	const { task, checkout, branch, commit } = item.context;
	return (
		<Section title="Task">
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
		</Section>
	);
}

/** What is judged and measured: evidence, gate, score. */
function Measured({ context }: { readonly context: Context }): JSX.Element {
	const { evidence, gate_report: gate, confidence } = context;
	return (
		<>
			<Section title="Evidence">
				<EvidenceTable label="Evidence" evidence={evidence} />
			</Section>
			{gate !== null && (
				<Section title="Gate">
					<GateView gate={gate} />
				</Section>
			)}
			{confidence !== null && (
				<Section title={`Score ${share(confidence.score)}`}>
					{gate === null && <MetricTable metrics={confidence.metrics} />}
					<Words text={confidence.advisory} />
				</Section>
			)}
		</>
	);
}

function DiffPart({
	item,
	isOpen,
	setOpen,
}: {
	readonly item: ItemDetail;
	readonly isOpen: boolean;
	readonly setOpen: (isOpen: boolean) => void;
}): JSX.Element {
	return (
		<details
			class="part"
			open={isOpen}
			onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
		>
			<summary>
				<h2>
					Diff of the task <kbd>d</kbd>
				</h2>
			</summary>
			{isOpen && <DiffOf path={api("runs", item.run_id, "tasks", item.task_id, "diff")} />}
		</details>
	);
}

function Answered({
	item,
	canResume,
}: {
	readonly item: ItemDetail;
	readonly canResume: boolean;
}): JSX.Element {
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
			{run.holder === null && canResume && (
				<>
					<p>The task goes on when somebody resumes the run.</p>
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
	readonly canResume: boolean;
}

/** A question with everything to decide by, and the choices beside it. */
export function ItemView({
	item,
	isChanged,
	answered,
	changed,
	canResume,
}: ItemViewProps): JSX.Element {
	const [isDiffOpen, setDiffOpen] = useState(false);
	useKeys({ d: () => setDiffOpen(!isDiffOpen) });
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
					{item.trigger === "conflict" && (
						<Section title="Conflicts">
							{item.context.conflicts.map((conflict) => (
								<ConflictView key={conflict.conflict_id} conflict={conflict} />
							))}
						</Section>
					)}
					<BlockedPart item={item} />
					<Section title="Both sides">
						<Sides context={context} />
					</Section>
					<Doubts context={context} />
					<BudgetPart item={item} />
					<VerificationPart item={item} />
					<Findings findings={context.findings} />
					<Measured context={context} />
					<DiffPart item={item} isOpen={isDiffOpen} setOpen={setDiffOpen} />
					<PairHistory pair={context.pair} />
					<TaskPart item={item} />
				</div>
				{open ? (
					<AnswerForm key={item.id} item={item} answered={answered} changed={changed} />
				) : (
					<Answered item={item} canResume={canResume} />
				)}
			</div>
		</article>
	);
}

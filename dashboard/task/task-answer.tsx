import type { JSX } from "preact";
import { TRIGGER_WORDS } from "../../src/human/headline.ts";
import type {
	CasesReply,
	CheckView,
	ItemDetail,
	TaskDetail,
	TaskView,
	TurnView,
} from "../../src/web/protocol.ts";
import { itemOutline } from "../../src/words/item-outline.ts";
import { taskStanding } from "../../src/words/standing.ts";
import { api } from "../net/api.ts";
import { useResource } from "../net/resource.ts";
import { Badge } from "../parts/badge.tsx";
import { GoesOn } from "../parts/goes-on.tsx";
import { NoteView } from "../parts/notes.tsx";
import { Reading } from "../parts/refused.tsx";
import { Words } from "../parts/words.tsx";
import { link } from "../route.ts";
import { OutputOf } from "./log-view.tsx";
import { casesPath, type Place } from "./turn-view.tsx";

/** So much of a question stands here: all of it is where it is answered. */
const MOST_NOTES = 3;

function Waiting({ id }: { readonly id: string }): JSX.Element {
	const detail = useResource<ItemDetail>(api("items", id));
	const item = detail.value.value;
	if (item === null) return <Reading of={detail} what="the question" />;
	const [part] = itemOutline(item);
	return (
		<section class="notice attention stack" aria-label="The question">
			<h2 class="words">
				<Badge word={item.trigger} text={TRIGGER_WORDS[item.trigger]} tone="attention" />{" "}
				{item.reason}
			</h2>
			{part?.notes.slice(0, MOST_NOTES).map((note, index) => (
				<NoteView key={index} note={note} />
			))}
			<a class="button primary" href={link("items", id)}>
				Answer
			</a>
		</section>
	);
}

function FirstCase({ path }: { readonly path: string }): JSX.Element {
	const reply = useResource<CasesReply>(path, () => false);
	const cases = reply.value.value?.cases;
	if (cases === undefined) return <Reading of={reply} what="its tests" />;
	const failed = cases.find(({ status }) => status === "failed");
	if (failed === undefined) return <p class="dim">No test of it failed.</p>;
	return (
		<>
			<p class="words">
				<strong>{failed.id}</strong>
			</p>
			{failed.message !== null && <pre class="said">{failed.message}</pre>}
		</>
	);
}

interface Failed {
	readonly turn: TurnView;
	readonly evidence: CheckView;
}

const isBad = ({ status }: CheckView): boolean => status === "fail" || status === "error";

/** The first check that did not pass, of the newest turn that ran any. */
function firstFailed({ turns }: TaskView): Failed | null {
	const turn = turns.findLast(({ checks }) => checks.length > 0);
	const evidence = turn?.checks.find(isBad);
	return turn === undefined || evidence === undefined ? null : { turn, evidence };
}

function FirstFailure({
	failed: { turn, evidence },
	place,
}: {
	readonly failed: Failed;
	readonly place: Place;
}): JSX.Element {
	const { check, label: item, status, reason, details, log, has_cases: hasCases } = evidence;
	return (
		<section class="notice bad stack" aria-label="What failed first">
			<h2>
				{item ?? check} <Badge word={status} /> <span class="dim">in turn {turn.turn}</span>
				{log !== null && <OutputOf place={{ ...place, path: log }} />}
			</h2>
			{hasCases ? (
				<FirstCase path={casesPath(place, turn.turn, evidence)} />
			) : (
				<>
					<Words text={reason} />
					{details.length > 0 && <pre class="said">{details.join("\n")}</pre>}
				</>
			)}
		</section>
	);
}

const independentFailure = ({ findings }: TaskView): TaskView["findings"][number] | undefined =>
	findings.find(({ source, blocking }) => source === "verification" && blocking);

/** Outcome of a task: its question, or the reason why it stopped, with what failed first. */
export function TaskAnswer({ run: { run_id: run, holder }, task }: TaskDetail): JSX.Element {
	const { status, human_item: item, failure_reason: reason } = task.report;
	const standing = taskStanding(task.report);
	const isWaiting = status === "paused_for_human" && standing.word !== "answered";
	const isStopped = status === "failed" || isWaiting;
	const failed = isStopped ? firstFailed(task) : null;
	const unmet = isStopped && failed === null ? independentFailure(task) : undefined;
	return (
		<>
			<GoesOn run={run} standing={standing} holder={holder} />
			{isWaiting && item !== null && <Waiting id={item} />}
			{!isWaiting && <Words text={reason} from={status === "failed" ? "failed" : "reason"} />}
			{failed !== null && <FirstFailure failed={failed} place={{ run, task: task.id }} />}
			{unmet !== undefined && (
				<section class="notice bad stack" aria-label="What failed first">
					<h2>independent test</h2>
					<pre class="said">{unmet.issue}</pre>
				</section>
			)}
		</>
	);
}

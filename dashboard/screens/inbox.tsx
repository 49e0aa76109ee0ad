import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { TRIGGER_WORDS } from "../../src/human/headline.ts";
import type { AnswerReply, Inbox, InboxItem, ItemDetail } from "../../src/web/protocol.ts";
import { ItemView } from "../inbox/item-view.tsx";
import { api } from "../net/api.ts";
import { type Resource, useResource } from "../net/resource.ts";
import { Ago } from "../parts/ago.tsx";
import { Badge } from "../parts/badge.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Reading } from "../parts/refused.tsx";
import { useTitle } from "../parts/title.ts";
import { useKeys } from "../parts/use-keys.ts";
import { link, parseRoute, route, type Spot } from "../route.ts";
import { VirtualRows } from "../rows/virtual-rows.tsx";

const KEYS = [
	["j, k or ↓, ↑", "next and previous question"],
	["1 to 9", "choose an answer"],
	["Enter", "send the chosen answer; in a text, Ctrl and Enter"],
	["Escape", "leave a text or a dialog"],
	["d", "go to the diff, also of a task; again: hide it"],
	["?", "this list"],
] as const;

function KeyHelp({ close }: { readonly close: () => void }): JSX.Element {
	return (
		<Dialog title="Keys" close={close}>
			<table class="grid">
				<tbody>
					{KEYS.map(([key, does]) => (
						<tr key={key}>
							<th scope="row">
								<kbd>{key}</kbd>
							</th>
							<td>{does}</td>
						</tr>
					))}
				</tbody>
			</table>
		</Dialog>
	);
}

const ROW_HEIGHT = 74;

function ItemRow({
	item,
	isChosen,
	hasRun,
}: {
	readonly item: InboxItem;
	readonly isChosen: boolean;
	/** Says which run asks. */
	readonly hasRun: boolean;
}): JSX.Element {
	return (
		<a
			id={item.id}
			data-item-id={item.id}
			class="item-row"
			href={link("items", item.id)}
			aria-current={isChosen ? "true" : undefined}
		>
			<span class="item-row-top">
				<strong>{item.task_id}</strong>
				<Badge word={item.trigger} text={TRIGGER_WORDS[item.trigger]} tone="attention" />
				<span class="dim">
					<Ago time={item.created_at} />
				</span>
			</span>
			<span class="cut">{item.reason}</span>
			<span class="cut dim">{hasRun ? `${item.workflow}, run ${item.run_id}` : item.workflow}</span>
		</a>
	);
}

function Chosen({ id, at }: { readonly id: string; readonly at: Spot }): JSX.Element {
	const detail = useResource<ItemDetail>(api("items", id));
	const [first, setFirst] = useState<string | null>(null);
	const item = detail.value.value;
	useEffect(() => {
		if (item !== null && first === null) setFirst(item.version);
	}, [item, first]);
	if (item === null) return <Reading of={detail} what="the question" />;
	const answered = (reply: AnswerReply): void => {
		setFirst(reply.item.version);
		detail.put(reply.item);
	};
	return (
		<ItemView
			item={item}
			isChanged={first !== null && first !== item.version}
			answered={answered}
			changed={detail.put}
			at={at}
		/>
	);
}

function Nothing(): JSX.Element {
	return (
		<div class="empty">
			<h1>Nothing waits for you</h1>
			<p>
				A question stays here until it is answered, on this page or with <code>spar hil</code>. What
				runs and what ran is under <a href={link("runs")}>Runs</a>.
			</p>
		</div>
	);
}

export function InboxScreen({
	inbox,
	chosen,
	at: spot,
}: {
	readonly inbox: Resource<Inbox>;
	readonly chosen: string | null;
	readonly at: Spot;
}): JSX.Element {
	const [isHelpOpen, setHelpOpen] = useState(false);
	useTitle("Inbox");
	const asked = inbox.value.value?.items ?? [];
	const now = asked.filter(({ replaced_by: newer }) => newer === null);
	const replaced = asked.filter(({ replaced_by: newer }) => newer !== null);
	const [isUnfolded, setUnfolded] = useState(false);
	const isFoldOpen = isUnfolded || now.length === 0 || replaced.some(({ id }) => id === chosen);
	const items = isFoldOpen ? [...now, ...replaced] : now;
	const hasRuns = new Set(asked.map(({ run_id: run }) => run)).size > 1;
	const at = items.findIndex(({ id }) => id === chosen);
	const firstId = items[0]?.id;

	// What is looked at stays, also when a newer question comes. Each address is looked at, also one that chooses nothing
	// again: whoever returns to the inbox while it goes to a question has only changed the address twice.
	const here = route.value;
	useEffect(() => {
		// The address may be another one already, and the page about to follow it.
		const isHere = parseRoute(location.hash).screen === "inbox";
		if (chosen === null && firstId !== undefined && isHere) {
			location.replace(link("items", firstId));
		}
	}, [here, chosen, firstId]);

	const move = (by: number): void => {
		const next = items[Math.max(0, Math.min(items.length - 1, at + by))];
		if (next !== undefined) location.hash = link("items", next.id);
	};
	useKeys({
		j: () => move(1),
		k: () => move(-1),
		ArrowDown: () => move(1),
		ArrowUp: () => move(-1),
		"?": () => setHelpOpen(true),
	});

	if (inbox.value.value === null) return <Reading of={inbox} what="the inbox" />;
	const rows = (label: string, of: readonly InboxItem[]): JSX.Element => {
		const shown = of.findIndex(({ id }) => id === chosen);
		return (
			<VirtualRows
				label={label}
				kind="list"
				of={of}
				rowHeight={ROW_HEIGHT}
				shown={shown < 0 ? undefined : shown}
				row={(item) => (
					<ItemRow key={item.id} item={item} isChosen={item.id === chosen} hasRun={hasRuns} />
				)}
			/>
		);
	};
	if (asked.length === 0 && chosen === null) return <Nothing />;
	return (
		<div class="inbox">
			<aside aria-label="Questions">
				<div class="inbox-head">
					<h2>{now.length === 0 ? "Nothing waits" : `${now.length} waiting`}</h2>
					<button type="button" class="small" onClick={() => setHelpOpen(true)}>
						Keys <kbd>?</kbd>
					</button>
				</div>
				{now.length > 0 && rows("Waiting questions", now)}
				{replaced.length > 0 && (
					<details
						open={isFoldOpen}
						onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
					>
						<summary class="dim">{replaced.length} of runs that a newer one replaced</summary>
						{isFoldOpen && rows("Questions of replaced runs", replaced)}
					</details>
				)}
			</aside>
			{chosen !== null && <Chosen key={chosen} id={chosen} at={spot} />}
			{isHelpOpen && <KeyHelp close={() => setHelpOpen(false)} />}
		</div>
	);
}

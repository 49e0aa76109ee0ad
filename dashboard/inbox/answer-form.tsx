import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnswerRefusal, AnswerReply, ItemDetail } from "../../src/web/protocol.ts";
import { formOf, type Offer, offerTitle } from "../../src/words/item-offers.ts";
import { plain } from "../../src/words/states.ts";
import { placeText } from "../diff/diff-rows.ts";
import { api, post, type Refusal } from "../net/api.ts";
import { Refused } from "../parts/refused.tsx";
import { useKeys } from "../parts/use-keys.ts";
import {
	answerBody,
	type Draft,
	isReady,
	NO_DRAFT,
	offerKey,
	offerOf,
	textOf,
} from "./answer-body.ts";

/** So many offers have a key of their own: a digit. */
const KEYED = 9;

interface OfferChoiceProps {
	readonly item: ItemDetail;
	readonly index: number;
	readonly offer: Offer;
	readonly draft: Draft;
	readonly change: (draft: Draft) => void;
}

function OfferText({
	offer,
	draft,
	change,
}: Omit<OfferChoiceProps, "item" | "index">): JSX.Element | null {
	const id = useId();
	const words = useRef<HTMLTextAreaElement>(null);
	const amount = useRef<HTMLInputElement>(null);
	const { asks } = formOf(offer);
	useLayoutEffect(() => (words.current ?? amount.current)?.focus(), []);
	if (asks === undefined) return null;
	const put = (text: string): void =>
		change({ ...draft, texts: { ...draft.texts, [offerKey(offer)]: text } });
	return (
		<div class="field">
			<label for={id}>{asks.label}</label>
			{asks.kind === "words" ? (
				<textarea
					id={id}
					ref={words}
					rows={4}
					required={offer.choice !== "directive" || draft.comments.length === 0}
					value={textOf(draft, offer)}
					onInput={({ currentTarget }) => put(currentTarget.value)}
				/>
			) : (
				<input
					id={id}
					ref={amount}
					type="text"
					inputMode={asks.kind === "usd" ? "decimal" : "text"}
					required={true}
					value={textOf(draft, offer)}
					onInput={({ currentTarget }) => put(currentTarget.value)}
				/>
			)}
			{offer.choice === "directive" && <Comments draft={draft} change={change} />}
		</div>
	);
}

function Comments({ draft, change }: Pick<OfferChoiceProps, "draft" | "change">): JSX.Element {
	return (
		<ul class="plain" aria-label="Your comments on lines">
			{draft.comments.map((comment, index) => (
				<li key={index} class="words">
					<code>{placeText(comment.file, comment.line)}</code> {comment.text}{" "}
					<button
						type="button"
						class="small"
						onClick={() =>
							change({ ...draft, comments: draft.comments.filter((one) => one !== comment) })
						}
					>
						Remove
					</button>
				</li>
			))}
		</ul>
	);
}

function OfferChoice({ item, index, offer, draft, change }: OfferChoiceProps): JSX.Element {
	const isChosen = draft.offer === offerKey(offer);
	return (
		<div class={`offer${isChosen ? " chosen" : ""}`}>
			<label>
				<input
					type="radio"
					name={`answer-${item.id}`}
					checked={isChosen}
					onChange={() => change({ ...draft, offer: offerKey(offer) })}
				/>
				<span class="offer-title">
					{offerTitle(item.trigger, offer)}
					{index < KEYED && <kbd>{index + 1}</kbd>}
				</span>
				<span class="offer-effect">{offer.effect}</span>
			</label>
			{isChosen && <OfferText offer={offer} draft={draft} change={change} />}
		</div>
	);
}

/** Offers of one conflict under its finding's name; those about the whole question come last. */
function groupsOf(
	offers: readonly Offer[],
): (readonly [finding: string | null, indexes: number[]])[] {
	const groups = Map.groupBy(offers.keys(), (index) => offers[index]?.finding ?? null);
	return [...groups].sort(([one], [other]) => Number(one === null) - Number(other === null));
}

function nameOf({ trigger }: ItemDetail, asksOnce: boolean, offer: Offer | undefined): string {
	return asksOnce && offer !== undefined ? offerTitle(trigger, offer) : "Answer";
}

const drafts = new Map<string, Draft>();

/** What was written for a question, and how to change it; it stays while another question is looked at. */
export function useDraft({
	id,
	version,
}: ItemDetail): readonly [draft: Draft, change: (draft: Draft) => void] {
	const [draft, setDraft] = useState<Draft>(drafts.get(id) ?? NO_DRAFT);
	// Another state wants another decision; what was written is kept for it.
	useLayoutEffect(() => setDraft((written) => ({ ...written, offer: null })), [version]);
	useLayoutEffect(() => void drafts.set(id, draft), [id, draft]);
	return [draft, setDraft];
}

interface AnswerFormProps {
	readonly item: ItemDetail;
	readonly draft: Draft;
	readonly change: (draft: Draft) => void;
	/** Remark above the button; null for none. */
	readonly remark: string | null;
	/** The button gives the first answer as long as no other one is chosen, and bears its name. */
	readonly asksOnce: boolean;
	readonly answered: (reply: AnswerReply) => void;
	/** The state is another one: with what is there now. */
	readonly changed: (item: ItemDetail) => void;
}

export function AnswerForm({
	item,
	draft,
	change,
	remark,
	asksOnce,
	answered,
	changed,
}: AnswerFormProps): JSX.Element {
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [isSending, setSending] = useState(false);
	const form = useRef<HTMLFormElement>(null);
	const { offers } = item;
	const chosen = offerOf(offers, draft);
	const first = asksOnce ? offers[0] : undefined;
	const isReadyToSend = chosen === undefined ? first !== undefined : isReady(offers, draft);
	const canSend = !isSending && isReadyToSend;

	/** A key sends only what was chosen: the button alone says what it stands for. */
	const send = async (offer = chosen): Promise<void> => {
		if (offer === undefined || !canSend) return;
		setSending(true);
		const body = answerBody(item.version, offer, draft);
		const reply = await post<AnswerReply>(api("items", item.id, "answer"), body);
		setSending(false);
		setRefusal(reply.ok ? null : reply.refusal);
		if (reply.ok) {
			change(NO_DRAFT);
			answered(reply.value);
		} else if (reply.refusal.problem.code === "outdated") {
			// A refusal for another state brings that state along, as the protocol says.
			changed((reply.refusal.body as AnswerRefusal).item);
		}
	};

	const choose = (index: number, offer: Offer): void => {
		change({ ...draft, offer: offerKey(offer) });
		// From there Enter sends the form, whatever had the focus before.
		form.current?.querySelectorAll<HTMLInputElement>("input[type=radio]")[index]?.focus();
	};
	useKeys({
		...Object.fromEntries(
			offers.slice(0, KEYED).map((offer, index) => [String(index + 1), () => choose(index, offer)]),
		),
		Enter: () => void send(),
	});

	const typed = (event: KeyboardEvent): void => {
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
		if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
	};

	return (
		<form
			class="answer"
			ref={form}
			aria-label="Your answer"
			onKeyDown={typed}
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			<h2>Your answer</h2>
			{Object.entries(item.answers).map(([finding, { choice, directive }]) => (
				<p key={finding} class="words">
					<strong>{finding}</strong> is answered: {plain(choice)}
					{directive !== null && `, ${directive}`}
				</p>
			))}
			{groupsOf(offers).map(([finding, indexes]) => (
				<fieldset key={finding ?? ""}>
					<legend class={finding === null ? "hidden" : ""}>
						{finding ?? "The whole question"}
					</legend>
					{indexes.map((index) => {
						const offer = offers[index];
						return (
							offer && (
								<OfferChoice
									key={offerKey(offer)}
									item={item}
									index={index}
									offer={offer}
									draft={draft}
									change={change}
								/>
							)
						);
					})}
				</fieldset>
			))}
			<label class="field">
				Notes (optional)
				<input
					type="text"
					value={draft.notes}
					onInput={({ currentTarget }) => change({ ...draft, notes: currentTarget.value })}
				/>
			</label>
			<Refused refusal={refusal} />
			{remark !== null && <p class="dim">{remark}</p>}
			<button
				type={chosen === undefined ? "button" : "submit"}
				class="primary"
				disabled={!canSend}
				onClick={chosen === undefined ? () => void send(first) : undefined}
			>
				{isSending ? "Answering …" : nameOf(item, asksOnce, chosen ?? first)}
			</button>
		</form>
	);
}

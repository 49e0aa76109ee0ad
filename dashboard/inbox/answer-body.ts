import type { AnswerBody } from "../../src/web/protocol.ts";
import { dollars, formOf, type Offer, requestOf } from "../../src/words/item-offers.ts";
import { placeText } from "../diff/diff-rows.ts";

/** Words of the reader about a line of the diff. */
export interface LineComment {
	readonly file: string;
	/** Of the new side, from 1; below 0 of the old one. */
	readonly line: number;
	readonly text: string;
}

export interface Draft {
	readonly offer: string | null;
	/** The directive, the reason, or what is added to a budget, by the key of its offer: a directive is no reason. */
	readonly texts: Readonly<Record<string, string>>;
	readonly notes: string;
	/** Part of a directive, whichever it is. */
	readonly comments: readonly LineComment[];
}

export const NO_DRAFT: Draft = { offer: null, texts: {}, notes: "", comments: [] };

export const offerKey = ({ choice, finding, limit }: Offer): string =>
	JSON.stringify([choice, finding, limit]);

export const offerOf = (offers: readonly Offer[], { offer }: Draft): Offer | undefined =>
	offers.find((each) => offerKey(each) === offer);

export const textOf = ({ texts }: Draft, offer: Offer): string => texts[offerKey(offer)] ?? "";

/** The text that an offer sends: a directive has the comments below its own words, a line each. */
function sentText(offer: Offer, draft: Draft): string {
	const comments = offer.choice === "directive" ? draft.comments : [];
	const lines = comments.map(({ file, line, text }) => `${placeText(file, line)}: ${text}`);
	return [textOf(draft, offer).trim(), ...lines].filter((text) => text !== "").join("\n");
}

/** The draft with a comment, which is for the player: a directive is chosen, unless one is. */
export function withComment(draft: Draft, offers: readonly Offer[], comment: LineComment): Draft {
	const isDirective = (offer: Offer | undefined): boolean => offer?.choice === "directive";
	const first = offers.find(isDirective);
	const offer = isDirective(offerOf(offers, draft)) || !first ? draft.offer : offerKey(first);
	return { ...draft, offer, comments: [...draft.comments, comment] };
}

export function isReady(offers: readonly Offer[], draft: Draft): boolean {
	const offer = offerOf(offers, draft);
	if (offer === undefined) return false;
	const text = sentText(offer, draft);
	const { asks } = formOf(offer);
	if (asks === undefined) return true;
	return asks.kind === "usd" ? dollars(text) > 0 : text !== "";
}

export function answerBody(version: string, offer: Offer, draft: Draft): AnswerBody {
	const { addUsd, addWall, ...said } = requestOf(offer, sentText(offer, draft));
	const notes = draft.notes.trim() || undefined;
	return { version, ...said, add_usd: addUsd, add_wall: addWall, notes };
}

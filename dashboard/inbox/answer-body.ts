import type { AnswerBody } from "../../src/web/protocol.ts";
import { dollars, formOf, type Offer, requestOf } from "../../src/words/item-offers.ts";

export interface Draft {
	readonly offer: string | null;
	/** The directive, the reason, or what is added to a budget, by the key of its offer: a directive is no reason. */
	readonly texts: Readonly<Record<string, string>>;
	readonly notes: string;
}

export const NO_DRAFT: Draft = { offer: null, texts: {}, notes: "" };

export const offerKey = ({ choice, finding, limit }: Offer): string =>
	JSON.stringify([choice, finding, limit]);

export const offerOf = (offers: readonly Offer[], { offer }: Draft): Offer | undefined =>
	offers.find((each) => offerKey(each) === offer);

export const textOf = ({ texts }: Draft, offer: Offer): string => texts[offerKey(offer)] ?? "";

export function isReady(offers: readonly Offer[], draft: Draft): boolean {
	const offer = offerOf(offers, draft);
	if (offer === undefined) return false;
	const text = textOf(draft, offer).trim();
	const { asks } = formOf(offer);
	if (asks === undefined) return true;
	return asks.kind === "usd" ? dollars(text) > 0 : text !== "";
}

export function answerBody(version: string, offer: Offer, draft: Draft): AnswerBody {
	const { addUsd, addWall, ...said } = requestOf(offer, textOf(draft, offer).trim());
	const notes = draft.notes.trim() || undefined;
	return { version, ...said, add_usd: addUsd, add_wall: addWall, notes };
}

import type { AnswerBody, Offer } from "../../src/web/protocol.ts";

export interface Draft {
	readonly offer: string | null;
	/** The directive, the reason, or what is added to a budget, by the key of its offer: a directive is no reason. */
	readonly texts: Readonly<Record<string, string>>;
	readonly notes: string;
}

export const NO_DRAFT: Draft = { offer: null, texts: {}, notes: "" };

export function textWanted(
	offer: Offer,
): { readonly label: string; readonly kind: "words" | "usd" | "duration" } | null {
	switch (offer.choice) {
		case "directive":
			return { label: "What the player is told", kind: "words" };
		case "reject":
			return { label: "Reason", kind: "words" };
		case "add_budget":
			return offer.limit === "usd"
				? { label: "Dollars to add", kind: "usd" }
				: { label: "Time to add, such as 30m", kind: "duration" };
		case "continue":
		case "unverified":
		case "take_developer":
		case "take_reviewer":
			return null;
	}
}

function choiceOf({ choice, limit }: Offer, text: string): Partial<AnswerBody> {
	switch (choice) {
		case "continue":
			return { take: "continue" };
		case "unverified":
			return { take: "unverified" };
		case "take_developer":
			return { take: "developer" };
		case "take_reviewer":
			return { take: "reviewer" };
		case "directive":
			return { directive: text };
		case "reject":
			return { reject: text };
		case "add_budget":
			return limit === "usd" ? { add_usd: Number(text) } : { add_wall: text };
	}
}

export const offerKey = ({ choice, finding, limit }: Offer): string =>
	JSON.stringify([choice, finding, limit]);

/** The offer that a draft means; undefined while there is none, or no longer one. */
export const offerOf = (offers: readonly Offer[], { offer }: Draft): Offer | undefined =>
	offers.find((each) => offerKey(each) === offer);

export const textOf = ({ texts }: Draft, offer: Offer): string => texts[offerKey(offer)] ?? "";

export function isReady(offers: readonly Offer[], draft: Draft): boolean {
	const offer = offerOf(offers, draft);
	if (offer === undefined) return false;
	const text = textOf(draft, offer).trim();
	const wanted = textWanted(offer);
	if (wanted === null) return true;
	return wanted.kind === "usd" ? Number(text) > 0 : text !== "";
}

/** The request for an offer. */
export function answerBody(version: string, offer: Offer, draft: Draft): AnswerBody {
	const notes = draft.notes.trim();
	return Object.assign(
		{ version },
		choiceOf(offer, textOf(draft, offer).trim()),
		offer.finding === null ? null : { finding: [offer.finding] },
		notes === "" ? null : { notes },
	);
}

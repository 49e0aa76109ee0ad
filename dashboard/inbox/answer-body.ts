import type { AnswerBody, Offer } from "../../src/web/protocol.ts";

/** What a person has put in, before it is sent. */
export interface Draft {
	/** Which of the question's offers; null: none yet. */
	readonly offer: number | null;
	/** The directive, the reason, or what is added to a budget. */
	readonly text: string;
	readonly notes: string;
}

export const NO_DRAFT: Draft = { offer: null, text: "", notes: "" };

/** What the text of an offer is called, and how it is put in; null: it takes none. */
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
		case "take_developer":
		case "take_reviewer":
			return null;
	}
}

function choiceOf({ choice, limit }: Offer, text: string): Partial<AnswerBody> {
	switch (choice) {
		case "continue":
			return { take: "continue" };
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

/** Whether a draft can be sent: an offer is chosen, and the text that it wants is there. */
export function isReady(offers: readonly Offer[], draft: Draft): boolean {
	const offer = offers[draft.offer ?? -1];
	if (offer === undefined) return false;
	const text = draft.text.trim();
	const wanted = textWanted(offer);
	if (wanted === null) return true;
	return wanted.kind === "usd" ? Number(text) > 0 : text !== "";
}

/** The request for an offer. */
export function answerBody(version: string, offer: Offer, draft: Draft): AnswerBody {
	const notes = draft.notes.trim();
	return Object.assign(
		{ version },
		choiceOf(offer, draft.text.trim()),
		offer.finding === null ? null : { finding: [offer.finding] },
		notes === "" ? null : { notes },
	);
}

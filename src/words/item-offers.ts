import { describeChoice } from "../human/choices.ts";
import { conflictsInQuestion } from "../human/conflicts-in-question.ts";
import type { AnswerChoice, HumanItem } from "../human/human-item.ts";
import { budgetInQuestion, type Trigger } from "../human/question.ts";
import type { GivenAnswer } from "../human/validate-answer.ts";

/** One possible answer of an item, and what it does. */
export interface Offer {
	readonly choice: AnswerChoice | "reject" | "add_budget";
	/** With `add_budget`: which limit can be raised; null otherwise. */
	readonly limit: "usd" | "wall" | null;
	/** The conflict that it is about, where several wait; null: the whole question. */
	readonly finding: string | null;
	readonly effect: string;
	/** The same answer in a terminal. */
	readonly command: string;
}

interface AnswerForm {
	/** Words of a prompt, the usual one first. */
	readonly words: readonly [string, ...string[]];
	readonly title: string;
	/** Options that follow on `spar answer ID`. */
	readonly option: string;
	readonly take?: string;
	/** Text that it needs. */
	readonly asks?: {
		readonly kind: "words" | "usd" | "duration";
		readonly label: string;
		/** The same as a question, where words are wanted. */
		readonly question?: string;
	};
}

const FORMS: Readonly<Record<Exclude<Offer["choice"], "add_budget"> | "usd" | "wall", AnswerForm>> =
	{
		continue: { words: ["yes"], title: "Yes", option: "", take: "continue" },
		unverified: {
			words: ["unverified"],
			title: "Go on without independent tests",
			option: " --take unverified",
			take: "unverified",
		},
		take_developer: {
			words: ["player", "developer"],
			title: "Take the player’s side",
			option: " --take player",
			take: "developer",
		},
		take_reviewer: {
			words: ["coach", "reviewer"],
			title: "Take the coach’s side",
			option: " --take coach",
			take: "reviewer",
		},
		directive: {
			words: ["directive"],
			title: "Give a directive",
			option: ' --directive "TEXT"',
			asks: {
				kind: "words",
				label: "What the player is told",
				question: "What is the player to do?",
			},
		},
		reject: {
			words: ["reject"],
			title: "Reject",
			option: "",
			asks: { kind: "words", label: "Reason", question: "Why?" },
		},
		usd: {
			words: ["dollars"],
			title: "Raise the limit",
			option: " --add-usd N",
			asks: { kind: "usd", label: "Dollars to add, such as 5 or 0.50" },
		},
		wall: {
			words: ["time"],
			title: "Raise the limit",
			option: " --add-wall 30m",
			asks: { kind: "duration", label: "Time to add, such as 30m or 2h" },
		},
	};

const YES: Readonly<Partial<Record<Trigger, string>>> = {
	requires_human: "Yes, merge it",
	sign_off: "Sign",
	environment: "Try again",
	role_error: "Ask the agent again",
	quota: "Call the agent again",
	budget: "Look again",
	no_worker: "Wait for a worker again",
	corrupt_session: "Rebuild the session",
};

type Offered = Pick<Offer, "choice" | "limit">;

export const formOf = ({ choice, limit }: Offered): AnswerForm =>
	FORMS[choice === "add_budget" ? (limit ?? "usd") : choice];

export function offerTitle(trigger: Trigger, offer: Offered): string {
	return (offer.choice === "continue" ? YES[trigger] : undefined) ?? formOf(offer).title;
}

/** Dollars as they are typed; NaN, which is refused by name later, for what is no amount. */
export const dollars = (text: string): number =>
	/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;

/** The answer that an offer means, with the text that it asks for. */
export function requestOf(
	offer: Offered & Pick<Offer, "finding">,
	text: string,
): GivenAnswer & { readonly reject?: string; readonly finding?: string[] } {
	const finding = offer.finding === null ? undefined : { finding: [offer.finding] };
	const { take } = formOf(offer);
	if (take !== undefined) return { take, ...finding };
	if (offer.choice === "directive") return { directive: text, ...finding };
	if (offer.choice === "reject") return { reject: text };
	return offer.limit === "usd" ? { addUsd: dollars(text) } : { addWall: text };
}

function budgetOffers(item: HumanItem): Omit<Offer, "command">[] {
	const budget = budgetInQuestion(item);
	if (budget === undefined) return [];
	const owner = budget.scope === "run" ? "of the run" : `of task ${item.taskId}`;
	const offer = (limit: "usd" | "wall", what: string): Omit<Offer, "command"> => ({
		choice: "add_budget",
		limit,
		finding: null,
		effect: `${what} is added to the budget ${owner}, and it goes on.`,
	});
	return [
		...(budget.usd ? [offer("usd", "Money")] : []),
		...(budget.wall ? [offer("wall", "Time")] : []),
	];
}

/**
 * Each possible answer: the exact command, and what it will do. Where several conflicts wait, each of them has its
 * own. The last one rejects.
 */
export function itemOffers(item: HumanItem): readonly Offer[] {
	const waiting = conflictsInQuestion(item)?.unanswered;
	const offer = (choice: AnswerChoice | "reject", finding: string | null) => {
		const effect = describeChoice(item.trigger, choice).replace(/^The finding/, finding ?? "$&");
		return { choice, limit: null, finding, effect };
	};
	const offers = [
		...budgetOffers(item),
		...(waiting ?? [null]).flatMap((finding) =>
			item.choices.map((choice) => offer(choice, finding)),
		),
		offer("reject", null),
	];
	return offers.map((one) => {
		const named = one.finding !== null && (waiting ?? []).length > 1;
		const about = named ? ` --finding ${one.finding}` : "";
		const command =
			one.choice === "reject"
				? `spar hil reject ${item.id} --reason "TEXT"`
				: `spar answer ${item.id}${about}${formOf(one).option}`;
		return { ...one, command };
	});
}

import { Fault } from "../kernel/fault.ts";
import { type AddedBudget, addedBudget, type BudgetRequest } from "./added-budget.ts";
import type { Choice, HumanItem } from "./human-item.ts";

/** A person's answer as it comes from the command line. */
export interface AnswerRequest extends BudgetRequest {
	/** `developer` or `reviewer`; other words are refused. */
	readonly take?: string | undefined;
	readonly directive?: string | undefined;
}

/** An answer that fits its item. */
export interface ValidAnswer {
	readonly choice: Choice;
	/** Trimmed; null unless the choice is `directive`. */
	readonly directive: string | null;
	/** What it adds to the spent budget that the item is about; null for nothing. */
	readonly added: AddedBudget | null;
}

const SIDES: ReadonlyMap<string, Choice> = new Map([
	["developer", "take_developer"],
	["reviewer", "take_reviewer"],
]);

function refuse(message: string, hint: string): never {
	throw new Fault(message, { code: "answer-invalid", hint });
}

function readAnswer(
	item: Pick<HumanItem, "id">,
	{ take, directive }: AnswerRequest,
): Omit<ValidAnswer, "added"> {
	if (take !== undefined && directive !== undefined)
		refuse(
			`item ${item.id} takes one answer, and --take and --directive are two`,
			"Give --take developer, --take reviewer, or --directive TEXT.",
		);
	if (directive !== undefined) {
		const words = directive.trim();
		if (words !== "") return { choice: "directive", directive: words };
		refuse(
			`the directive for item ${item.id} is empty`,
			"Write after --directive what the player is to do.",
		);
	}
	if (take === undefined) return { choice: "continue", directive: null };
	const choice =
		SIDES.get(take) ??
		refuse(
			`--take ${take} names no side of item ${item.id}`,
			"The sides are: --take developer, --take reviewer.",
		);
	return { choice, directive: null };
}

/**
 * Checks a person's `resolve` against the item: with neither a side nor a directive it is `continue`.
 *
 * Whether the item is still open is the store's to decide, since only it sees the answer that came first.
 *
 * @throws {Fault} `answer-invalid` when the item does not offer this choice, when both or an unknown side are given,
 * when the directive is blank, or when what is added to a budget is not possible; the hint says what is
 */
export function validateAnswer(
	item: Pick<HumanItem, "id" | "choices" | "trigger" | "context">,
	request: AnswerRequest,
): ValidAnswer {
	const added = addedBudget(item, request);
	const answer = readAnswer(item, request);
	if (!item.choices.includes(answer.choice)) {
		if (answer.choice === "continue")
			refuse(
				`item ${item.id} needs a decision between both sides`,
				`Run \`spar hil resolve ${item.id}\` with --take developer, --take reviewer, or --directive TEXT; \`spar hil show ${item.id}\` says what each does.`,
			);
		refuse(
			`item ${item.id} offers no sides and takes no directive`,
			`Run \`spar hil resolve ${item.id}\` alone to say yes or try again, or \`spar hil reject ${item.id} --reason TEXT\`.`,
		);
	}
	return { ...answer, added };
}

/**
 * Checks a person's `reject`.
 *
 * @returns the reason, trimmed
 * @throws {Fault} `answer-invalid` when the reason is missing or blank
 */
export function validateRejection(item: Pick<HumanItem, "id">, reason: string | undefined): string {
	const text = (reason ?? "").trim();
	if (text !== "") return text;
	return refuse(
		`a rejection of item ${item.id} needs a reason`,
		`Run \`spar hil reject ${item.id} --reason TEXT\`; the task fails with that text.`,
	);
}

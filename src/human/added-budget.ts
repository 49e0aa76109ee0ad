import { parseDuration } from "../kernel/duration.ts";
import { Fault } from "../kernel/fault.ts";
import type { HumanItem } from "./human-item.ts";
import type { BudgetFacts, Trigger } from "./question.ts";

export interface BudgetRequest {
	readonly addUsd?: number | undefined;
	readonly addWall?: string | undefined;
}

export interface AddedBudget {
	readonly scope: "run" | "task";
	readonly usd: number;
	readonly wallMs: number;
}

const MOST_USD = 1_000_000;

function refuse(message: string, hint: string): never {
	throw new Fault(message, { code: "answer-invalid", hint });
}

export type BudgetAsking =
	| {
			readonly trigger: "budget";
			readonly context: { readonly budget: Pick<BudgetFacts, "scope" | "usd" | "wall"> | null };
	  }
	| { readonly trigger: Exclude<Trigger, "budget"> };

/** Which budget an item is about, from its context; undefined for an item that is about none. */
export interface BudgetInQuestion {
	readonly scope: "run" | "task";
	/** Whether it limits money, and time. */
	readonly usd: boolean;
	readonly wall: boolean;
}

/**
 * Reads from an item which budget is spent.
 *
 * @returns undefined for an item of another trigger
 */
export function budgetInQuestion(item: BudgetAsking): BudgetInQuestion | undefined {
	if (item.trigger !== "budget" || item.context.budget === null) return undefined;
	const { scope, usd, wall } = item.context.budget;
	return { scope, usd: usd !== null, wall: wall !== null };
}

function amountOf(item: Pick<HumanItem, "id">, usd: number): number {
	if (usd > 0 && usd <= MOST_USD) return usd;
	return refuse(
		`--add-usd for item ${item.id} must be above 0 and at most ${MOST_USD}`,
		"Give the dollars to add, such as --add-usd 5 or --add-usd 0.50.",
	);
}

function timeOf(item: Pick<HumanItem, "id">, wall: string): number {
	return (
		parseDuration(wall) ??
		refuse(
			`--add-wall ${wall} for item ${item.id} is no duration`,
			"Give the time to add, such as --add-wall 30m or --add-wall 2h; at most 24d.",
		)
	);
}

/**
 * Checks what a person adds to a budget.
 *
 * @returns null when nothing is added
 * @throws {Fault} `answer-invalid` when the item is about no budget, its budget has no such limit, or the amount is not
 * positive
 */
export function addedBudget(
	item: Pick<HumanItem, "id"> & BudgetAsking,
	{ addUsd, addWall }: BudgetRequest,
): AddedBudget | null {
	if (addUsd === undefined && addWall === undefined) return null;
	const budget = budgetInQuestion(item);
	if (budget === undefined) {
		return refuse(
			`item ${item.id} asks about no budget, so nothing can be added to one`,
			`\`spar hil show ${item.id}\` says what it asks, and how to answer.`,
		);
	}
	for (const [given, limited, option] of [
		[addUsd, budget.usd, "--add-usd"],
		[addWall, budget.wall, "--add-wall"],
	] as const) {
		if (given === undefined || limited) continue;
		refuse(
			`${option} has no limit to raise in the ${budget.scope}'s budget (item ${item.id})`,
			`\`spar hil show ${item.id}\` says what is spent.`,
		);
	}
	return {
		scope: budget.scope,
		usd: addUsd === undefined ? 0 : amountOf(item, addUsd),
		wallMs: addWall === undefined ? 0 : timeOf(item, addWall),
	};
}

import { parseDuration } from "../kernel/duration.ts";
import { Fault } from "../kernel/fault.ts";
import type { EventData, TraceEvent } from "../trace/event.ts";
import {
	answerFor,
	type ConflictAsking,
	type ConflictsInQuestion,
	conflictsInQuestion,
	lastAnswer,
} from "./conflicts-in-question.ts";
import type { AnswerChoice, FindingAnswer, HumanItem } from "./human-item.ts";
import {
	type BudgetAsking,
	budgetInQuestion,
	type PairInQuestion,
	type WorkInQuestion,
} from "./question.ts";

export interface GivenAnswer extends BudgetRequest {
	/** `continue`; `developer` (also `player`) or `reviewer` (also `coach`), `driver`, `challenger`, or the name of an agent. */
	readonly take?: string | undefined;
	readonly directive?: string | undefined;
	/** The findings in conflict that it answers; needed when more than one of the item waits. */
	readonly finding?: readonly string[] | undefined;
}

type ValidAnswer =
	| {
			readonly about: "item";
			readonly choice: AnswerChoice;
			readonly directive: string | null;
			readonly added: AddedBudget | null;
	  }
	| {
			readonly about: "findings";
			/** The conflicts that it answers, each once; at least one. */
			readonly findings: readonly string[];
			readonly choice: FindingAnswer["choice"];
			readonly directive: string | null;
	  };

type Asking = Pick<HumanItem, "id" | "choices"> &
	BudgetAsking &
	ConflictAsking & {
		readonly context?:
			| { readonly [Part in keyof SidesInQuestion]?: SidesInQuestion[Part] }
			| undefined;
	};

type SidesInQuestion = {
	readonly developer: Pick<WorkInQuestion["developer"], "agent">;
	readonly reviewer: Pick<WorkInQuestion["reviewer"], "agent">;
	readonly pair: Pick<PairInQuestion, "driver_agent" | "challenger_agent"> | null;
};

interface ReadChoice {
	readonly choice: AnswerChoice;
	readonly directive: string | null;
}

type SideChoice = Extract<AnswerChoice, "take_developer" | "take_reviewer">;

const SIDES: ReadonlyMap<string, SideChoice> = new Map([
	["take_developer", "take_developer"],
	["take_reviewer", "take_reviewer"],
	["developer", "take_developer"],
	["player", "take_developer"],
	["reviewer", "take_reviewer"],
	["coach", "take_reviewer"],
]);

/**
 * The side that a word names: a seat by any of its terms, else an agent by its name; undefined for neither. Driver and
 * challenger are where their agents sit in this turn.
 */
export function sideOf(
	word: string,
	{ context = {} }: Pick<Asking, "context">,
): SideChoice | undefined {
	const { developer, reviewer, pair = null } = context;
	const seat = SIDES.get(word.toLowerCase());
	if (seat !== undefined) return seat;
	const agents: ReadonlyMap<string, string | null | undefined> = new Map([
		["driver", pair?.driver_agent ?? developer?.agent],
		["challenger", pair?.challenger_agent ?? reviewer?.agent],
	]);
	const agent = agents.get(word.toLowerCase()) ?? word;
	if (agent === developer?.agent) return "take_developer";
	return agent === reviewer?.agent ? "take_reviewer" : undefined;
}

const OPTIONS: Readonly<Record<AnswerChoice, string>> = {
	take_developer: "--take player",
	take_reviewer: "--take coach",
	directive: "--directive TEXT",
	unverified: "--take unverified",
	continue: "--take player, --take coach, or --directive TEXT",
};

function refuse(message: string, hint: string): never {
	throw new Fault(message, { code: "answer-invalid", hint });
}

function readAnswer(item: Asking, { take, directive }: GivenAnswer): ReadChoice {
	if (take !== undefined && directive !== undefined)
		refuse(
			`item ${item.id} takes one answer, and --take and --directive are two`,
			"Give --take player, --take coach, or --directive TEXT.",
		);
	if (directive !== undefined) {
		const words = directive.trim();
		if (words !== "") return { choice: "directive", directive: words };
		refuse(
			`the directive for item ${item.id} is empty`,
			"Write after --directive what the player is to do.",
		);
	}
	const word = take?.trim() ?? "continue";
	if (word === "continue" || word === "unverified") return { choice: word, directive: null };
	const choice =
		sideOf(word, item) ??
		refuse(
			`--take ${take} names no side of item ${item.id}`,
			"The sides are: --take player, --take coach; also developer, reviewer, and the name of the agent that sits there.",
		);
	return { choice, directive: null };
}

const namesOf = (request: GivenAnswer): readonly string[] => [
	...new Set((request.finding ?? []).map((id) => id.trim().toUpperCase())),
];

function answeredLast(item: Asking, { findings }: ConflictsInQuestion): readonly string[] {
	const last = lastAnswer(item)?.answeredAt;
	return findings.filter((finding) => answerFor(item, finding)?.answeredAt === last);
}

function commandsFor({ id }: Asking, findings: readonly string[], choice: AnswerChoice): string {
	const option = choice === "continue" ? "" : ` ${OPTIONS[choice]}`;
	const commands = findings.map((finding) => `\`spar answer ${id} --finding ${finding}${option}\``);
	const sides = choice === "continue" ? `, each with ${OPTIONS.continue}` : "";
	return `Run ${commands.join(", ")}${sides}; one answer for all of them: --finding ${findings.join(" ")}.`;
}

function targets(
	item: Asking,
	conflicts: ConflictsInQuestion,
	request: GivenAnswer,
	{ choice }: ReadChoice,
): readonly string[] {
	const { findings, unanswered } = conflicts;
	const named = namesOf(request);
	const unknown = named.filter((id) => !findings.includes(id));
	if (unknown.length > 0)
		refuse(
			`item ${item.id} does not ask about ${unknown.map((id) => (id === "" ? '""' : id)).join(", ")}`,
			`It asks about: ${findings.join(", ")}.`,
		);
	if (named.length > 0) return named;
	if (unanswered.length === 0) return answeredLast(item, conflicts);
	if (unanswered.length === 1) return unanswered;
	return refuse(
		`item ${item.id} asks about ${unanswered.join(", ")}, and the answer does not say which it is for`,
		commandsFor(item, unanswered, choice),
	);
}

const needsSide = ({ id }: Asking): never =>
	refuse(
		`item ${id} needs a decision between both sides`,
		`Run \`spar answer ${id}\` with ${OPTIONS.continue}; \`spar questions ${id}\` says what each does.`,
	);

const takesNoSide = ({ id, choices }: Asking): never => {
	const others = choices.flatMap((choice) =>
		choice === "continue" ? [] : [`, with ${OPTIONS[choice]} to go on without`],
	);
	return refuse(
		`item ${id} ${others.length === 0 ? "offers no sides and takes no directive" : "does not offer this answer"}`,
		`Run \`spar answer ${id}\` alone to say yes or try again${others.join("")}, or \`spar hil reject ${id} --reason TEXT\`.`,
	);
};

/**
 * Checks a person's `resolve` against the item: with neither a side nor a directive it is `continue`. An item about
 * conflicts is answered by finding. Whether it is still open is the store's to decide. Throws `answer-invalid`; its
 * hint says what is possible.
 */
export function validateAnswer(item: Asking, request: GivenAnswer): ValidAnswer {
	const added = addedBudget(item, request);
	const said = readAnswer(item, request);
	const { choice, directive } = said;
	const isOffered = item.choices.includes(choice);
	const conflicts = conflictsInQuestion(item);
	if (conflicts !== undefined) {
		const findings = targets(item, conflicts, request, said);
		if (choice === "continue" || choice === "unverified") return needsSide(item);
		return isOffered ? { about: "findings", findings, choice, directive } : takesNoSide(item);
	}
	if ((request.finding ?? []).length > 0)
		refuse(
			`item ${item.id} asks about no conflict, so no finding can be named`,
			`\`spar questions ${item.id}\` says what it asks, and how to answer.`,
		);
	if (isOffered) return { about: "item", choice, directive, added };
	return item.choices.includes("continue") ? takesNoSide(item) : needsSide(item);
}

/** Checks a person's `reject`: the reason, trimmed. Throws `answer-invalid` when it is missing or blank. */
export function validateRejection(item: Pick<HumanItem, "id">, reason: string | undefined): string {
	const text = (reason ?? "").trim();
	if (text !== "") return text;
	return refuse(
		`a rejection of item ${item.id} needs a reason`,
		`Run \`spar hil reject ${item.id} --reason TEXT\`; the task fails with that text.`,
	);
}

type ItemAnswered = EventData["item-answered"];

const NODE = "await_human";

/**
 * The event of an answer. Of an item about several conflicts there is one for each answer, with its findings; the item
 * is closed with the last.
 */
export function answeredEvent(
	before: HumanItem,
	after: HumanItem,
	by: NonNullable<ItemAnswered["by"]>,
): TraceEvent {
	const told: { -readonly [Key in keyof ItemAnswered]: ItemAnswered[Key] } = {
		item: after.id,
		status: after.status,
		choice: after.answer?.choice ?? null,
		by,
	};
	const fresh = Object.entries(after.parts ?? {}).flatMap(([finding, { choice }]) =>
		answerFor(before, finding) === undefined ? [[finding, choice] as const] : [],
	);
	if (fresh.length > 0) told.findings = Object.fromEntries(fresh);
	const added = addedTo(after);
	if (added !== undefined) told.added = added;
	const timestamp = (after.answer ?? lastAnswer(after))?.answeredAt;
	if (timestamp === undefined) throw new Error(`item ${after.id} has no answer to tell of`);
	const turn = after.context.turns;
	return { type: "item-answered", task: after.taskId, turn, node: NODE, timestamp, data: told };
}

function addedTo(item: HumanItem): ItemAnswered["added"] {
	const { addUsd = 0, addWallMs = 0 } = item.answer ?? {};
	const budget = addUsd > 0 || addWallMs > 0 ? budgetInQuestion(item) : undefined;
	if (budget === undefined) return undefined;
	return { scope: budget.scope, usd: addUsd, wall_ms: addWallMs };
}

export interface BudgetRequest {
	/** US dollars to add to the spent budget that the item is about; above 0. */
	readonly addUsd?: number | undefined;
	/** Time to add to it, such as `30m`. */
	readonly addWall?: string | undefined;
}

interface AddedBudget {
	readonly scope: "run" | "task";
	readonly usd: number;
	readonly wallMs: number;
}

const MOST_USD = 1_000_000;

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
 * Checks an addition to a budget; null when nothing is added. Throws `answer-invalid` when the item is about no
 * budget, it has no such limit, or the amount is not positive.
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
			`\`spar questions ${item.id}\` says what it asks, and how to answer.`,
		);
	}
	for (const [given, limited, option] of [
		[addUsd, budget.usd, "--add-usd"],
		[addWall, budget.wall, "--add-wall"],
	] as const) {
		if (given === undefined || limited) continue;
		refuse(
			`${option} has no limit to raise in the ${budget.scope}'s budget (item ${item.id})`,
			`\`spar questions ${item.id}\` says what is spent.`,
		);
	}
	return {
		scope: budget.scope,
		usd: addUsd === undefined ? 0 : amountOf(item, addUsd),
		wallMs: addWall === undefined ? 0 : timeOf(item, addWall),
	};
}

import { conflictsInQuestion } from "../human/conflicts-in-question.ts";
import type { Choice, HumanItem, Side } from "../human/human-item.ts";
import type { Trigger } from "../human/question.ts";
import { budgetInQuestion } from "../human/validate-answer.ts";

/** One possible answer of an item, and what it does. */
export interface Offer {
	readonly choice: Choice | "reject" | "add_budget";
	/** With `add_budget`: which limit can be raised; null otherwise. */
	readonly limit: "usd" | "wall" | null;
	/** The conflict that it is about, where several wait; null: the whole question. */
	readonly finding: string | null;
	readonly effect: string;
	/** The same answer in a terminal. */
	readonly command: string;
}

const CONTINUE: Readonly<Record<Trigger, string>> = {
	requires_human: "say yes: the task goes on to its merge",
	sign_off: "signs the T2 gate: the task merges",
	environment: "try again, after you fixed what was missing",
	role_error: "ask the agent again",
	quota: "call the agent again, in every task that waits for it",
	budget: "look again: the task goes on where there is room, and waits again while it is spent",
	no_worker: "wait for a worker again",
	corrupt_session: "go on with the session rebuilt from the database",
	loop_exhausted: "says nothing here: the question needs a side or a directive",
	escalation: "says nothing here: the question needs a side or a directive",
	conflict: "says nothing here: the question needs a side or a directive",
	verification: "says nothing here: the question needs a side or a directive",
	suspicion: "says nothing here: the question needs a side or a directive",
	merge: "says nothing here: the question needs a side or a directive",
	false_claims: "says nothing here: the question needs a side or a directive",
	nothing_changed: "says nothing here: the question needs a side or a directive",
	player_blocked: "says nothing here: the question needs a side or a directive",
};

const ONE_MORE_TURN = "one more turn, even at the limit";

const OPTIONS: Readonly<Record<Side, string>> = {
	take_developer: "--take player",
	take_reviewer: "--take coach",
	directive: '--directive "TEXT"',
};

const EFFECTS: Readonly<Record<Side, string>> = {
	take_developer: "take the player's output: on to the gate without another player turn",
	take_reviewer: `the review stands: the player gets its findings and ${ONE_MORE_TURN}`,
	directive: `tell the player what to do: it gets your text and ${ONE_MORE_TURN}`,
};

const VERIFICATION_EFFECTS: typeof EFFECTS = {
	take_developer:
		"withdraw the tests that fail: the rest runs again, then the coach looks at the work",
	take_reviewer: `the tests stand: the player has to pass them, cannot dispute them again, and gets ${ONE_MORE_TURN}`,
	directive: `tell the player and the verifier what to do: new tests, and ${ONE_MORE_TURN}`,
};

const SUSPICION_EFFECTS: typeof EFFECTS = {
	take_developer: "accept the changes: the work goes on without another player turn",
	take_reviewer: `do not accept them: the player is told which they are and gets ${ONE_MORE_TURN}`,
	directive: EFFECTS.directive,
};

const FALSE_CLAIM_EFFECTS: typeof EFFECTS = {
	take_developer: "look past the reports: the work goes on to verification and the coach",
	take_reviewer: `tell the player which claims are false: it gets ${ONE_MORE_TURN}`,
	directive: EFFECTS.directive,
};

const NOTHING_CHANGED_EFFECTS: typeof EFFECTS = {
	take_developer: "the task is done already: on to the gate as it stands, with nothing to merge",
	take_reviewer: `tell the player that it changed nothing: it gets ${ONE_MORE_TURN}`,
	directive: EFFECTS.directive,
};

const PLAYER_BLOCKED_EFFECTS: typeof EFFECTS = {
	take_developer:
		"accept the player's word: the work as it stands goes on to the gate, without a coach",
	take_reviewer: `the player is to go on all the same: it gets ${ONE_MORE_TURN}`,
	directive: EFFECTS.directive,
};

const MERGE_EFFECTS: typeof EFFECTS = {
	take_developer: "try the merge again with the work as it stands, without another player turn",
	take_reviewer: `the player fixes the merge and gets ${ONE_MORE_TURN}`,
	directive: EFFECTS.directive,
};

const SIDE_EFFECTS: Readonly<Partial<Record<Trigger, typeof EFFECTS>>> = {
	suspicion: SUSPICION_EFFECTS,
	verification: VERIFICATION_EFFECTS,
	false_claims: FALSE_CLAIM_EFFECTS,
	nothing_changed: NOTHING_CHANGED_EFFECTS,
	player_blocked: PLAYER_BLOCKED_EFFECTS,
	merge: MERGE_EFFECTS,
};

function conflictEffect(choice: Side, finding: string): string {
	switch (choice) {
		case "take_developer":
			return `${finding} is overruled: on to the gate without another player turn, unless other findings block`;
		case "take_reviewer":
			return `${finding} stands: the player has to fix it, cannot dispute it again, and gets ${ONE_MORE_TURN}`;
		case "directive":
			return `${finding} stays open: the player gets your text and ${ONE_MORE_TURN}`;
	}
}

const UNVERIFIED =
	"go on without independent tests: the task is marked unverified, and a gate of tier T1 or T2 does not pass";

function offerOf(item: HumanItem, choice: Choice): Offer {
	const command = `spar hil resolve ${item.id}`;
	const about = { choice, limit: null, finding: null };
	if (choice === "unverified")
		return { ...about, command: `${command} --take unverified`, effect: UNVERIFIED };
	if (choice === "continue") return { ...about, command, effect: CONTINUE[item.trigger] };
	const effect = (SIDE_EFFECTS[item.trigger] ?? EFFECTS)[choice];
	return { ...about, command: `${command} ${OPTIONS[choice]}`, effect };
}

function conflictOffers(item: HumanItem, waiting: readonly string[]): readonly Offer[] {
	const sides = item.choices.filter((choice) => choice !== "continue" && choice !== "unverified");
	return waiting.flatMap((finding) => {
		const name = waiting.length > 1 ? ` --finding ${finding}` : "";
		return sides.map((choice) => ({
			choice,
			limit: null,
			finding,
			command: `spar hil resolve ${item.id}${name} ${OPTIONS[choice]}`,
			effect: conflictEffect(choice, finding),
		}));
	});
}

function budgetOffers(item: HumanItem): readonly Offer[] {
	const budget = budgetInQuestion(item);
	if (budget === undefined) return [];
	const owner = budget.scope === "run" ? "of the run" : `of task ${item.taskId}`;
	const offer = (limit: "usd" | "wall", option: string, what: string): Offer => ({
		choice: "add_budget",
		limit,
		finding: null,
		command: `spar hil resolve ${item.id} ${option}`,
		effect: `add ${what} to the budget ${owner} and go on; nothing that was done is lost`,
	});
	return [
		...(budget.usd ? [offer("usd", "--add-usd N", "N dollars")] : []),
		...(budget.wall ? [offer("wall", "--add-wall 30m", "time")] : []),
	];
}

/**
 * Each possible answer: the exact command, and what it will do. Where several conflicts wait, each of them has its
 * own. The last one rejects.
 */
export function itemOffers(item: HumanItem): readonly Offer[] {
	const waiting = conflictsInQuestion(item)?.unanswered;
	return [
		...budgetOffers(item),
		...(waiting === undefined
			? item.choices.map((choice) => offerOf(item, choice))
			: conflictOffers(item, waiting)),
		{
			choice: "reject",
			limit: null,
			finding: null,
			command: `spar hil reject ${item.id} --reason "TEXT"`,
			effect: "the task fails with your reason",
		},
	];
}

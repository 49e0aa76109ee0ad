import { budgetInQuestion } from "../human/added-budget.ts";
import type { Choice, HumanItem, Trigger } from "../human/human-item.ts";

/** What `spar hil resolve ID` alone does, by what the person is asked for. */
const CONTINUE: Readonly<Record<Trigger, string>> = {
	requires_human: "say yes: the task goes on to its merge",
	sign_off: "signs the T2 gate: the task merges",
	environment: "try again, after you mended what was missing",
	role_error: "ask the agent again",
	budget: "look again: the task goes on where there is room, and waits again while it is spent",
	corrupt_session: "go on with the session rebuilt from the database",
	loop_exhausted: "try again",
	escalation: "try again",
	conflict: "try again",
};

const ONE_MORE_TURN = "one more turn, also at the limit";

function choiceLine(item: HumanItem, choice: Choice): readonly [string, string] {
	const command = `spar hil resolve ${item.id}`;
	switch (choice) {
		case "continue":
			return [command, CONTINUE[item.trigger]];
		case "take_developer":
			return [
				`${command} --take developer`,
				"take the player's output: on to the gate without another player turn",
			];
		case "take_reviewer":
			return [
				`${command} --take reviewer`,
				`the review stands: the player gets its findings and ${ONE_MORE_TURN}`,
			];
		case "directive":
			return [
				`${command} --directive "TEXT"`,
				`tell the player what to do: it gets your text and ${ONE_MORE_TURN}`,
			];
	}
}

/** How to enlarge a spent budget, one line for each of its limits. */
function budgetLines(item: HumanItem): readonly (readonly [string, string])[] {
	const budget = budgetInQuestion(item);
	if (budget === undefined) return [];
	const owner = budget.scope === "run" ? "of the run" : `of task ${item.taskId}`;
	const line = (option: string, what: string) =>
		[
			`spar hil resolve ${item.id} ${option}`,
			`add ${what} to the budget ${owner} and go on; nothing that was done is lost`,
		] as const;
	return [
		...(budget.usd ? [line("--add-usd N", "N dollars")] : []),
		...(budget.wall ? [line("--add-wall 30m", "time")] : []),
	];
}

/** Each possible answer: the exact command, and what it will do. The last one rejects. */
export function itemChoices(item: HumanItem): readonly (readonly [string, string])[] {
	return [
		...budgetLines(item),
		...item.choices.map((choice) => choiceLine(item, choice)),
		[`spar hil reject ${item.id} --reason "TEXT"`, "the task fails with your reason"],
	];
}

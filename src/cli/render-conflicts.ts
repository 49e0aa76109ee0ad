import { answerFor } from "../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../human/human-item.ts";
import type { ConflictFacts } from "../human/question.ts";
import { choiceWords } from "../words/states.ts";
import { indented } from "../words/visible-text.ts";

/** From this attempt on nobody but a person is asked. */
const LAST_ATTEMPT = 3;

/** A conflict of an item, ready to be shown. */
export interface ShownConflict {
	/** Id of the finding. */
	readonly finding: string;
	/** Its parts, line by line; not yet made visible. */
	readonly text: string;
}

/** A label with its text: beside it, or below it where the text has several lines. Nothing without a text. */
function labelled(label: string, text: string): string[] {
	const words = text.trim();
	if (words === "") return [];
	const margin = label.slice(0, label.length - label.trimStart().length);
	return words.includes("\n")
		? [`${label}:`, indented(words, `${margin}  `)]
		: [`${label}: ${words}`];
}

function attemptText(attempt: number): string[] {
	return [`attempt ${attempt}${attempt <= LAST_ATTEMPT ? ` of ${LAST_ATTEMPT}` : ""}`];
}

function tieBreakerText(said: ConflictFacts["tie_breaker"]): string[] {
	if (said === null) return ["the tie-breaker gave no decision"];
	return labelled(`the tie-breaker says ${said.decision}`, said.rationale || "(no reason)");
}

function answerText(answer: FindingAnswer | undefined): string[] {
	if (answer === undefined) return [];
	return [
		`answered: ${choiceWords(answer.choice)} at ${answer.answeredAt}`,
		...labelled("  directive", answer.directive ?? ""),
		...labelled("  notes", answer.notes ?? ""),
	];
}

function sidesText({ developer, reviewer }: ConflictFacts): string[] {
	return [
		...labelled("the coach's finding", reviewer.issue),
		...labelled("the player disputes it", developer.reason),
		...labelled("  with this evidence", developer.evidence ?? ""),
		...labelled("the coach upholds it", reviewer.rationale),
	];
}

/**
 * The conflicts that an item asks about, in its order: both sides, what the tie-breaker said, why it came to a person,
 * and the answer where there is one. Texts that are blank are left out.
 */
export function shownConflicts(item: HumanItem): readonly ShownConflict[] {
	if (item.trigger !== "conflict") return [];
	return item.context.conflicts.map((conflict) => ({
		finding: conflict.finding,
		text: [
			...attemptText(conflict.attempt),
			...labelled("why you decide", conflict.escalation_reason ?? ""),
			...sidesText(conflict),
			...tieBreakerText(conflict.tie_breaker),
			...answerText(answerFor(item, conflict.finding)),
		].join("\n"),
	}));
}

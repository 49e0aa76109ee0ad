import { answerFor } from "../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../human/human-item.ts";
import { isObject, type LooseObject, objectsOf, textOf } from "./loose-json.ts";
import { indented } from "./visible-text.ts";

/** From this attempt on nobody but a person is asked. */
const LAST_ATTEMPT = 3;

/** A conflict of an item, ready to be shown. */
export interface ShownConflict {
	/** Id of the finding; `""` where the item does not say. */
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

function attemptText(attempt: unknown): string[] {
	if (typeof attempt !== "number") return [];
	return [`attempt ${attempt}${attempt <= LAST_ATTEMPT ? ` of ${LAST_ATTEMPT}` : ""}`];
}

function tieBreakerText(said: unknown): string[] {
	if (!isObject(said)) return ["the tie-breaker gave no decision"];
	return labelled(
		`the tie-breaker says ${textOf(said["decision"])}`.trimEnd(),
		textOf(said["rationale"]) || "(no reason)",
	);
}

function answerText(answer: FindingAnswer | undefined): string[] {
	if (answer === undefined) return [];
	return [
		`answered: ${answer.choice} at ${answer.answeredAt}`,
		...labelled("  directive", answer.directive ?? ""),
		...labelled("  notes", answer.notes ?? ""),
	];
}

function sidesText(conflict: LooseObject): string[] {
	const developer = isObject(conflict["developer"]) ? conflict["developer"] : {};
	const reviewer = isObject(conflict["reviewer"]) ? conflict["reviewer"] : {};
	return [
		...labelled("the reviewer's finding", textOf(reviewer["issue"])),
		...labelled("the developer disputes it", textOf(developer["reason"])),
		...labelled("  with this evidence", textOf(developer["evidence"])),
		...labelled("the reviewer upholds it", textOf(reviewer["rationale"])),
	];
}

/**
 * The conflicts that an item asks about, in its order: both sides, what the tie-breaker said, why it came to a person,
 * and the answer where there is one. Parts that the item lacks are left out.
 */
export function shownConflicts(item: HumanItem): readonly ShownConflict[] {
	return objectsOf(item.context["conflicts"]).map((conflict) => {
		const finding = textOf(conflict["finding"]);
		return {
			finding,
			text: [
				...attemptText(conflict["attempt"]),
				...labelled("why you decide", textOf(conflict["escalation_reason"])),
				...sidesText(conflict),
				...tieBreakerText(conflict["tie_breaker"]),
				...answerText(answerFor(item, finding)),
			].join("\n"),
		};
	});
}

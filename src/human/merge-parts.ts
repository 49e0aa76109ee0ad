import {
	answerFor,
	type ConflictAsking,
	conflictsInQuestion,
	lastAnswer,
} from "./conflicts-in-question.ts";
import type { Answer, Choice, FindingAnswer } from "./human-item.ts";

/** What the answers by finding come to. */
export interface MergedParts {
	/** Whether every conflict of the item has its answer. */
	readonly complete: boolean;
	/** The answer of the whole item; null until it is complete. */
	readonly answer: Answer | null;
}

const INCOMPLETE: MergedParts = { complete: false, answer: null };

/** One player turn serves them all, so that only unanimity for the developer goes without one. */
function choiceOf(parts: readonly FindingAnswer[]): Choice {
	if (parts.every(({ choice }) => choice === "take_developer")) return "take_developer";
	return parts.some(({ choice }) => choice === "directive") ? "directive" : "take_reviewer";
}

/**
 * The texts in the order of their findings. Of several findings each text says which it is about, and one that was
 * given for several stands once.
 */
function joined(
	texts: readonly (readonly [finding: string, text: string | null])[],
	isOne: boolean,
): string | null {
	const findingsByText = new Map<string, string[]>();
	for (const [finding, text] of texts) {
		if (text === null) continue;
		findingsByText.set(text, [...(findingsByText.get(text) ?? []), finding]);
	}
	const lines = [...findingsByText].map(([text, findings]) =>
		isOne ? text : `On ${findings.join(", ")}: ${text}`,
	);
	return lines.length === 0 ? null : lines.join("\n");
}

/**
 * The answer of an item about conflicts, from the answers by finding: the developer's side when all are, else a
 * directive when any is, else the reviewer's side. What was said for each finding stays in the item's parts.
 *
 * F1 `take_developer` and F2 `directive` "count from 1" give `directive` "On F2: count from 1".
 *
 * @returns incomplete, without an answer, for an item that asks about no conflict
 */
export function mergeParts(item: ConflictAsking): MergedParts {
	const asked = conflictsInQuestion(item);
	const last = lastAnswer(item);
	if (asked === undefined || last === undefined) return INCOMPLETE;
	const given = asked.findings.flatMap((finding) => {
		const part = answerFor(item, finding);
		return part === undefined ? [] : [{ finding, part }];
	});
	if (given.length < asked.findings.length) return INCOMPLETE;
	const parts = given.map(({ part }) => part);
	const isOne = asked.findings.length === 1;
	const texts = (key: "directive" | "notes"): string | null =>
		joined(
			given.map(({ finding, part }) => [finding, part[key]] as const),
			isOne,
		);
	return {
		complete: true,
		answer: {
			choice: choiceOf(parts),
			directive: texts("directive"),
			notes: texts("notes"),
			reason: null,
			answeredAt: last.answeredAt,
		},
	};
}

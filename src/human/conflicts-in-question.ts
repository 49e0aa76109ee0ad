import type { Answer, AnswerChoice, FindingAnswer, HumanItem } from "./human-item.ts";
import type { AskingOf, ConflictFacts } from "./question.ts";

export interface ConflictsInQuestion {
	/** Ids such as `F1`, in the order of the item, each once; at least one. */
	readonly findings: readonly string[];
	readonly unanswered: readonly string[];
}

export type ConflictAsking = Pick<HumanItem, "parts"> &
	AskingOf<"conflict", { readonly conflicts: readonly Pick<ConflictFacts, "finding">[] }>;

/** The answer that a person gave for one finding of an item; undefined while there is none. */
export function answerFor(
	{ parts }: Pick<HumanItem, "parts">,
	finding: string,
): FindingAnswer | undefined {
	return parts != null && Object.hasOwn(parts, finding) ? parts[finding] : undefined;
}

/** The answer that was stored last, by the order of the stored parts: a clock can be set back. */
export function lastAnswer({ parts }: Pick<HumanItem, "parts">): FindingAnswer | undefined {
	return Object.values(parts ?? {}).at(-1);
}

/**
 * Findings in conflict, and those that still need an answer; undefined for an item that names no conflict: it is
 * answered as a whole.
 */
export function conflictsInQuestion(item: ConflictAsking): ConflictsInQuestion | undefined {
	if (item.trigger !== "conflict") return undefined;
	const findings = [...new Set(item.context.conflicts.map(({ finding }) => finding))];
	if (findings.length === 0) return undefined;
	return { findings, unanswered: findings.filter((id) => answerFor(item, id) === undefined) };
}

/** One player turn serves them all, so that only unanimity for the developer goes without one. */
function choiceOf(parts: readonly FindingAnswer[]): AnswerChoice {
	if (parts.every(({ choice }) => choice === "take_developer")) return "take_developer";
	return parts.some(({ choice }) => choice === "directive") ? "directive" : "take_reviewer";
}

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
 * The answer of an item about conflicts: the developer's side when all are, else a directive when any is, else the
 * reviewer's side. null while a conflict has no answer, and for an item that asks about none.
 */
export function mergeParts(item: ConflictAsking): Answer | null {
	const asked = conflictsInQuestion(item);
	const last = lastAnswer(item);
	if (asked === undefined || last === undefined) return null;
	const given = asked.findings.flatMap((finding) => {
		const part = answerFor(item, finding);
		return part === undefined ? [] : [{ finding, part }];
	});
	if (given.length < asked.findings.length) return null;
	const parts = given.map(({ part }) => part);
	const isOne = asked.findings.length === 1;
	const texts = (key: "directive" | "notes"): string | null =>
		joined(
			given.map(({ finding, part }) => [finding, part[key]] as const),
			isOne,
		);
	return {
		choice: choiceOf(parts),
		directive: texts("directive"),
		notes: texts("notes"),
		reason: null,
		answeredAt: last.answeredAt,
	};
}

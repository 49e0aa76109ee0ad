import type { FindingAnswer, HumanItem } from "./human-item.ts";
import type { ConflictFacts, Trigger } from "./question.ts";

/** Which conflicts an item asks about, by finding. */
export interface ConflictsInQuestion {
	/** Ids such as `F1`, in the order of the item, each once; at least one. */
	readonly findings: readonly string[];
	/** Those that nobody has answered yet. */
	readonly unanswered: readonly string[];
}

/** As far as an item is looked at here. */
export type ConflictAsking = Pick<HumanItem, "parts"> &
	(
		| {
				readonly trigger: "conflict";
				readonly context: { readonly conflicts: readonly Pick<ConflictFacts, "finding">[] };
		  }
		| { readonly trigger: Exclude<Trigger, "conflict"> }
	);

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
 * Reads from an item which findings are in conflict, and which of them still need an answer.
 *
 * @returns undefined for an item of another trigger, and for one that names no conflict: it is answered as a whole
 * @example `context: { conflicts: [{ finding: "F1" }, { finding: "F2" }] }` and an answer for F1 give
 * `{ findings: ["F1", "F2"], unanswered: ["F2"] }`
 */
export function conflictsInQuestion(item: ConflictAsking): ConflictsInQuestion | undefined {
	if (item.trigger !== "conflict") return undefined;
	const findings = [...new Set(item.context.conflicts.map(({ finding }) => finding))];
	if (findings.length === 0) return undefined;
	return { findings, unanswered: findings.filter((id) => answerFor(item, id) === undefined) };
}

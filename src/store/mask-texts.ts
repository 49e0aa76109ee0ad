import type { Masker } from "../masking/masking.ts";

// No secret is shorter. In characters.
const SHORTEST = 8;

// Their values name something: ids, branches, commits, paths that are looked up, Sparring's own words. Whatever stands
// under another key is taken for a text that somebody wrote.
const NAME_KEYS: ReadonlySet<string> = new Set(
	(
		"id run run_id runId task task_id taskId tasks subtask item humanItem node step " +
		"conflict conflict_id conflictId thread_id threadId finding after " +
		"agent player coach tieBreaker tie_breaker fallback driver_agent challenger_agent evaluator_agent " +
		"current_role_driver role role_switch checkpoints completed_subtask " +
		"base branch into onto start tip tree commit turn_commit reviewed base_commit start_commit startCommit reviewedFrom " +
		"checkout transcript transcriptPath diff_path output_path outputPath definition " +
		"check kind type status state phase next severity scope trigger choice raw outcome purpose " +
		"decision effective verdict risk_tier resolution route resumeAt of though"
	).split(" "),
);

/**
 * JSON of Sparring's own making without secrets, but for the names by which something is found again: a secret may read like
 * a task's id. Keys stay as they are.
 *
 * @example with the secret `limiter-task`, `{ task_id: "limiter-task", reason: "limiter-task broke" }` changes in its
 * reason alone
 */
export function maskAllButNames<T>(masker: Masker, value: T): T;
export function maskAllButNames(masker: Masker, value: unknown): unknown {
	if (typeof value === "string") return value.length < SHORTEST ? value : masker.mask(value);
	if (Array.isArray(value)) return value.map((inner: unknown) => maskAllButNames(masker, inner));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]: [string, unknown]) => [
			key,
			isName(key, inner) && !isTextOf(key, value) ? inner : maskAllButNames(masker, inner),
		]),
	);
}

// An object under such a key, such as the task of a question, is looked into.
function isName(key: string, value: unknown): boolean {
	if (!NAME_KEYS.has(key)) return false;
	return typeof value === "string" || (Array.isArray(value) && value.every(isNoObject));
}

// Outcome of an attempt of a coach's, beside what it tried; the text of a checklist's item, which no id of an item
// looks like.
function isTextOf(key: string, object: object): boolean {
	if (key === "outcome") return "what" in object;
	return key === "item" && "item" in object && /\s/.test(String(object.item));
}

const isNoObject = (value: unknown): boolean => typeof value !== "object";

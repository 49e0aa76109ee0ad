import { canonicalJson, sha256 } from "../kernel/json.ts";
import type { HumanItem } from "./human-item.ts";

/** Where the work stands that a question is about. */
export interface WorkStand {
	/** The last snapshot of the task; null before the first. */
	readonly commit: string | null;
	readonly turns: number;
	readonly status: string;
}

/**
 * What a person sees of a question, as 32 hexadecimal digits: an answer that names it holds for this question on this work, and
 * for nothing that took its place. Neither an acknowledgement nor an answer changes it, so that the same answer can be given
 * again.
 */
export function itemVersion(item: HumanItem, { commit, turns, status }: WorkStand): string {
	const { id, trigger, reason, choices } = item;
	// The same checkout has another path on another machine, and in the database.
	const context = { ...item.context, checkout: null };
	const shown = { id, trigger, reason, choices, context, commit, turns, status };
	return sha256(canonicalJson(shown)).slice(0, 32);
}

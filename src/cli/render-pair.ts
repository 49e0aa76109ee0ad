import type { PairInQuestion } from "../human/question.ts";
import { indented, oneLine } from "./visible-text.ts";

/** Longest text of one side in the history, in characters; the whole is in the session's file. */
const MAX_SAID = 300;

/** The seats of a pair and what each said in each iteration; `""` for a question without a pair. */
export function pairHistoryText(pair: PairInQuestion | null): string {
	if (pair === null || pair.history.length === 0) return "";
	const said = (text: string): string => oneLine(text, MAX_SAID) || "(nothing)";
	const history = pair.history.flatMap((entry) => {
		const subtask = entry.completed_subtask;
		const approved = entry.challenger_approved ? "approved" : "not approved";
		const done = subtask === null ? "" : `, completed subtask ${oneLine(subtask)}`;
		return [
			`${entry.iteration} (turn ${entry.turn}): ${approved}${done}`,
			indented(`${oneLine(entry.driver_agent)}: ${said(entry.driver_output_summary)}`, "  "),
			indented(`critique: ${said(entry.challenger_critique)}`, "  "),
		];
	});
	const counted = `${pair.iteration} of at most ${pair.max_iterations}`;
	const next = oneLine(pair.current_role_driver);
	return [`iterations: ${counted}, ${next} is to play next`, ...history].join("\n");
}

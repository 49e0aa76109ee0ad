import type { PairInQuestion } from "../human/question.ts";
import { indented, oneLine } from "../words/visible-text.ts";

/** Longest text of one side in the history, in characters; the whole is in the session's file. */
const MAX_SAID = 300;

/** Iterations run on over the whole task; with subtasks the limit counts within each of them. */
function countText({ iteration, max_iterations: limit, history }: PairInQuestion): string {
	const hasSubtasks = history.some(({ completed_subtask: subtask }) => subtask !== null);
	return `${iteration} (limit ${limit}${hasSubtasks ? " for each subtask" : ""})`;
}

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
			...entry.findings.map((finding) => {
				const { id, severity, state, issue } = finding;
				return indented(`${oneLine(id)} ${severity} ${state}: ${said(issue)}`, "    ");
			}),
		];
	});
	const next = `next player: ${oneLine(pair.current_role_driver)}`;
	return [`iterations: ${countText(pair)}; ${next}`, ...history].join("\n");
}

import { isObject, objectsOf, textOf } from "./loose-json.ts";
import { indented, oneLine } from "./visible-text.ts";

/** Longest text of one side in the history, in characters; the whole is in the session's file. */
const MAX_SAID = 300;

/** The seats of a pair and what each said in each iteration; `""` for a question without a pair. */
export function pairHistoryText(pair: unknown): string {
	if (!isObject(pair)) return "";
	const player = oneLine(textOf(pair["current_role_driver"]));
	const history = objectsOf(pair["history"]).flatMap((entry) => {
		const said = (key: string): string => oneLine(textOf(entry[key]), MAX_SAID) || "(nothing)";
		const subtask = textOf(entry["completed_subtask"]);
		const approved = entry["challenger_approved"] === true ? "approved" : "not approved";
		const head = `${textOf(entry["iteration"])} (turn ${textOf(entry["turn"])}): ${approved}`;
		return [
			`${head}${subtask === "" ? "" : `, completed subtask ${oneLine(subtask)}`}`,
			indented(
				`${oneLine(textOf(entry["driver_agent"])) || "player"}: ${said("driver_output_summary")}`,
				"  ",
			),
			indented(`critique: ${said("challenger_critique")}`, "  "),
		];
	});
	if (history.length === 0) return "";
	const counted = `${textOf(pair["iteration"])} of at most ${textOf(pair["max_iterations"])}`;
	return [
		`iterations: ${counted}${player === "" ? "" : `, ${player} is to play next`}`,
		...history,
	].join("\n");
}

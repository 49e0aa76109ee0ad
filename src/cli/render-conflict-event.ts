import { choiceWords } from "../words/states.ts";
import { oneLine } from "../words/visible-text.ts";
import type { RunEvent } from "./run-event.ts";

type Data<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];

/** What came of an attempt at settling a conflict, as one line; reasons are cut at `limit` characters. */
export function renderSettlement(data: Data<"conflict-resolved">, limit: number): string {
	const { finding, attempt, resolution, rationale, escalation_reason: reason } = data;
	const why = resolution === "AUTO" ? rationale : reason;
	const what = resolution === "AUTO" ? outcome(data) : "a person has to decide";
	const said = why === null || why === "" ? "" : `: ${oneLine(why, limit)}`;
	return `conflict over ${oneLine(finding)}, attempt ${attempt}: ${what}${said}`;
}

function outcome({
	decision,
	tie_breaker: agent,
	upheld_by: upholder = "coach",
}: Data<"conflict-resolved">): string {
	const who = agent === null ? "the tie-breaker" : `the tie-breaker ${oneLine(agent)}`;
	return decision === "PASS"
		? `PASS, ${who} takes the player's side`
		: `FAIL, ${who} takes the ${upholder}'s side`;
}

/** What a person chose for each finding: `": F1 the player's side, F2 a directive"`; empty where none is named. */
export function renderChoices(findings: Data<"item-answered">["findings"]): string {
	const chosen = Object.entries(findings ?? {}).map(
		([id, choice]) => `${oneLine(id)} ${oneLine(choiceWords(choice))}`,
	);
	return chosen.length === 0 ? "" : `: ${chosen.join(", ")}`;
}

/** The argument of a change of a finding as lines below it: who said it, and the evidence given with it. */
export function renderArgument(
	argument: Data<"finding-changed">["argument"],
	limit: number,
): string {
	if (argument === undefined) return "";
	const { by, text, evidence } = argument;
	const who = by.replace("_", "-");
	return [
		...(text === "" ? [] : [`\n  ${who}: ${oneLine(text, limit)}`]),
		...(evidence === null ? [] : [`\n  evidence: ${oneLine(evidence, limit)}`]),
	].join("");
}

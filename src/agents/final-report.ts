import { isFields, jsonIn } from "../kernel/fields.ts";
import type { Role } from "../kernel/roles.ts";
import type { AgentAnswer, AgentCall } from "./agent.ts";
import { lastJsonObject } from "./json-text.ts";

export type FoundReport = Pick<AgentAnswer, "report" | "reportProblem">;

/** Their words decide nothing: what they did is looked at. Text that a judging role echoes must never approve. */
export const MAY_TALK: ReadonlySet<Role> = new Set(["player", "planner"]);

/** First line of a fence, whatever language it names. */
const FENCE = /^(`{3,}|~{3,})[ \t]*[\w+-]*\s/;

const none = (reportProblem: string): FoundReport => ({ report: null, reportProblem });

/**
 * The report in an agent's final message: of a role that judges the whole message, with or without a fence around it. Nothing
 * is searched for in talk, so that nothing that an agent quotes can become its judgement: a message with talk is no JSON, and
 * its author is asked again. Of player and planner it is the one JSON object, or the last that begins a line.
 *
 * @param call role and prompt: a judgement that stands there word for word is none
 * @returns `report` is null for a message without any text, and beside a `reportProblem`
 * @example `reportIn('{"decision": "approve"}', { role: "coach", prompt: "" }).report` is `'{"decision": "approve"}'`
 */
export function reportIn(message: string, call: Pick<AgentCall, "role" | "prompt">): FoundReport {
	const text = message.trim();
	if (text === "") return { report: null };
	if (MAY_TALK.has(call.role)) return { report: lastJsonObject(text) ?? text };
	return judged(withoutFence(text), call);
}

// In two steps, since one pattern for both ends would look for the end at each space.
function withoutFence(text: string): string {
	const [first = "", fence = ""] = FENCE.exec(text) ?? [];
	return fence === "" || !text.endsWith(fence)
		? text
		: text.slice(first.length, -fence.length).trim();
}

/** The report in a value that a harness tells as its structured output. */
export function structuredReport(
	value: unknown,
	call: Pick<AgentCall, "role" | "prompt">,
): FoundReport {
	try {
		const report = JSON.stringify(value);
		return MAY_TALK.has(call.role) ? { report } : judged(report, call);
	} catch {
		// What was parsed without recursion may be nested deeper than can be written.
		return none("the structured report is nested too deeply");
	}
}

const judged = (report: string, { prompt }: Pick<AgentCall, "prompt">): FoundReport =>
	isFields(jsonIn(report)) && prompt.includes(report)
		? none("the report repeats an object from the prompt: write the judgement in your own words")
		: { report };

import type { Role } from "../kernel/roles.ts";
import type { AgentAnswer, AgentCall } from "./agent.ts";
import { lastJsonObject } from "./json-text.ts";

export type FoundReport = Pick<AgentAnswer, "report" | "reportProblem">;

/** Their words decide nothing: what they did is looked at. */
const MAY_TALK: ReadonlySet<Role> = new Set(["player", "planner"]);

/** A message that is one fence, whatever language it names. */
const FENCED = /^(`{3,}|~{3,})[ \t]*[\w+-]*\s([\s\S]*?)\s*\1$/;

const none = (reportProblem: string): FoundReport => ({ report: null, reportProblem });

/**
 * The report in an agent's final message: of a role that judges the whole message, with or without a fence around it. Nothing
 * is searched for in talk, so that nothing that an agent quotes can become its judgement: a message with talk is no JSON, and
 * its author is asked again. Of player and planner it is the last JSON object, if there is one.
 *
 * @param call role and prompt: a judgement that stands there word for word is none
 * @returns `report` is null for a message without any text, and beside a `reportProblem`
 * @example `reportIn('{"decision": "approve"}', { role: "coach", prompt: "" }).report` is `'{"decision": "approve"}'`
 */
export function reportIn(message: string, call: Pick<AgentCall, "role" | "prompt">): FoundReport {
	const text = message.trim();
	if (text === "") return { report: null };
	if (MAY_TALK.has(call.role)) return { report: lastJsonObject(text) ?? text };
	return judged(FENCED.exec(text)?.[2]?.trim() ?? text, call);
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
	prompt.includes(report)
		? none("the report repeats an object from the prompt: write the judgement in your own words")
		: { report };

import type { AgentAnswer, Usage } from "./agent.ts";

/**
 * An answer of an agent that a program writes itself.
 *
 * @param report what the role hands in: an object, or its JSON; null for none
 * @param more a transcript to keep, and what the call used up where that is known
 * @example `answer({ decision: "approve" })` is the answer of a coach that approves
 */
export function answer(
	report: object | string | null,
	more: { readonly output?: string; readonly usage?: Usage } = {},
): AgentAnswer {
	return {
		kind: "answered",
		report: typeof report === "string" || report === null ? report : JSON.stringify(report),
		output: more.output ?? "",
		// Sparring measures it.
		ms: 0,
		usage: more.usage ?? null,
	};
}

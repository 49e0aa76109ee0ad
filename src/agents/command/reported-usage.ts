import type { Usage } from "../agent.ts";

/** An amount that may be added to a total; anything else tells nothing. */
function amount(value: unknown): number | null {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	// Any object has string keys; what stands behind them is looked at one by one.
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * What a program says in its report that the call used up: `usage: { cost_usd, input_tokens, output_tokens }`, each of
 * which may be missing. It is believed: nobody else knows.
 *
 * @param report the report's text; null when there is none
 * @returns null when it says nothing of it
 * @example `{"usage": {"cost_usd": 0.25}}` gives a cost of 0.25 and unknown tokens
 */
export function reportedUsage(report: string | null): Usage | null {
	const said = fieldsOf(fieldsOf(parsed(report ?? ""))["usage"]);
	const usage: Usage = {
		costUsd: amount(said["cost_usd"]),
		inputTokens: amount(said["input_tokens"]),
		outputTokens: amount(said["output_tokens"]),
		model: null,
	};
	return Object.values(usage).every((value) => value === null) ? null : usage;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// What is wrong with the report is said to whoever wrote it where the report is read.
		return null;
	}
}

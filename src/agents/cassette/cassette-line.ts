import type { Role } from "../../kernel/roles.ts";
import type { AgentCall, Usage } from "../agent.ts";

/** What a call left at one path: null when it was removed, its text, or bytes or a link. */
export type RecordedContent =
	| null
	| string
	| { readonly base64: string; readonly mode: string }
	| { readonly link: string; readonly mode: string };

/** Usage as it is written; null when unknown. */
export interface RecordedUsage {
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	readonly cost_usd: number | null;
	readonly model: string | null;
}

/** One line of a cassette: one call of an agent. */
export interface CassetteLine {
	readonly role: Role;
	readonly agent: string;
	readonly task: string;
	readonly subtask: string | null;
	/** From 1. */
	readonly turn: number;
	/** From 1: counts the calls of this role in this task, subtask and turn. */
	readonly call: number;
	/** One of the agent's failures; anything else is an answer. */
	readonly outcome: string;
	/** An object, or a text that is handed in verbatim. */
	readonly report: Readonly<Record<string, unknown>> | string | null;
	/** By path, relative to the checkout, with forward slashes. */
	readonly files: Readonly<Record<string, RecordedContent>>;
	readonly output: string;
	/** How long the recorded call took. Not waited for. */
	readonly ms: number;
	readonly usage: RecordedUsage | null;
}

/** What a call is found by: two calls with the same key are the same call, whatever the agent's name. */
export function lineKey(
	line: Pick<AgentCall, "role" | "task" | "subtask" | "turn" | "call">,
): string {
	return JSON.stringify([line.role, line.task, line.subtask, line.turn, line.call]);
}

/** The written form of usage. */
export function recordedUsage(usage: Usage): RecordedUsage {
	return {
		input_tokens: usage.inputTokens,
		output_tokens: usage.outputTokens,
		cost_usd: usage.costUsd,
		model: usage.model,
	};
}

/** The inverse of `recordedUsage`. */
export function usageOf(usage: RecordedUsage): Usage {
	return {
		inputTokens: usage.input_tokens,
		outputTokens: usage.output_tokens,
		costUsd: usage.cost_usd,
		model: usage.model,
	};
}

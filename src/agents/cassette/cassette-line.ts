import type { Role } from "../../kernel/roles.ts";
import type { Snake } from "../../kernel/snake-case.ts";
import type { AgentCall, Usage } from "../agent.ts";

/** Null when the path was removed. */
export type RecordedContent =
	| null
	| string
	| { readonly base64: string; readonly mode: string }
	| { readonly link: string; readonly mode: string };

export interface CassetteLine {
	readonly role: Role;
	readonly agent: string;
	readonly task: string;
	readonly subtask: string | null;
	readonly turn: number;
	readonly call: number;
	/** One of the agent's failures; anything else is an answer. */
	readonly outcome: string;
	readonly report: Readonly<Record<string, unknown>> | string | null;
	readonly files: Readonly<Record<string, RecordedContent>>;
	readonly output: string;
	/** Not waited for. */
	readonly ms: number;
	readonly usage: Snake<Usage> | null;
}

// Two calls with the same key are the same call, whatever the agent's name.
export function lineKey(
	line: Pick<AgentCall, "role" | "task" | "subtask" | "turn" | "call">,
): string {
	return JSON.stringify([line.role, line.task, line.subtask, line.turn, line.call]);
}

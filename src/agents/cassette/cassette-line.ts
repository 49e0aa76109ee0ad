import type { Role } from "../../kernel/roles.ts";
import type { Snake } from "../../kernel/snake-case.ts";
import type { AgentCall, Usage } from "../agent.ts";

// Some file systems drop these from names, so that `.g\u200cit` would be `.git` there.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

export function isGitFolder(name: string): boolean {
	const plain = name
		.replaceAll(IGNORED, "")
		.toLowerCase()
		.replace(/[. ]+$/, "");
	return plain === ".git" || /^git~\d+$/.test(plain);
}

/**
 * Tells why a path may not be written into a checkout, as far as its text tells.
 *
 * @example `pathProblem("src/../../x")` is `leaves the checkout`
 */
export function pathProblem(path: string): string | null {
	if (path === "") return "is empty";
	if (path.includes("\0")) return "contains a NUL character";
	if (path.startsWith("/")) return "is absolute";
	const names = path.split("/");
	if (names.includes("..")) return "leaves the checkout";
	if (names.includes(".") || names.includes("")) return "is not normalized";
	return names.some(isGitFolder) ? "is inside git's own folder" : null;
}

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

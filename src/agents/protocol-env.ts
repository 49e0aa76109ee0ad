import type { AgentCall } from "./agent.ts";

export function protocolEnvironment(call: AgentCall): Record<string, string> {
	return {
		SPAR_ROLE: call.role,
		SPAR_RUN: call.run,
		SPAR_TASK: call.task,
		SPAR_SUBTASK: call.subtask ?? "",
		SPAR_TURN: String(call.turn),
		SPAR_PROMPT: call.promptPath,
		SPAR_CONTEXT: call.contextPath,
		SPAR_REPORT: call.reportPath,
	};
}

/** The environment of a coding agent's program in a call; `store` are variables by which it finds its own files. */
export function callEnvironment(
	call: AgentCall,
	{ store, named }: Readonly<Record<"store" | "named", Readonly<Record<string, string>>>>,
): Record<string, string> {
	return {
		...call.env,
		...store,
		...named,
		...protocolEnvironment(call),
		TERM: "dumb",
		NO_COLOR: "1",
		TMPDIR: call.tmpDir,
	};
}

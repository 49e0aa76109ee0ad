import type { AgentCall } from "./agent.ts";

/**
 * The `SPAR_*` variables of the agent protocol.
 *
 * `SPAR_SUBTASK` is empty when the task has no subtask; `SPAR_TURN` counts from 1.
 */
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

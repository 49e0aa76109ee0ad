import type { AgentOutcome } from "../agents/agent.ts";
import { afterCall, type Circuit, CLOSED, isOpen } from "../agents/circuit.ts";

/**
 * The circuit breakers of a run's agents, shared by its tasks. Kept in memory only, and forgotten for a task when a
 * person answers its question: a process that resumes a run asks each agent again, and "try again" is not held back by
 * what was. What other tasks know stays.
 */
export class Circuits {
	readonly #byAgent = new Map<string, Circuit>();
	readonly #forgottenAt = new Map<string, number>();

	/** @param now milliseconds since the epoch */
	isOpen(agent: string, taskId: string, now: number): boolean {
		const circuit = this.#byAgent.get(agent) ?? CLOSED;
		const forgottenAt = this.#forgottenAt.get(taskId);
		return isOpen(circuit, now) && (forgottenAt === undefined || circuit.failedAt > forgottenAt);
	}

	/** For the task nothing bad is known of any agent any more. */
	forget(taskId: string, now: number): void {
		this.#forgottenAt.set(taskId, now);
	}

	/** Takes note of a call that has just finished. */
	record(
		agent: string,
		outcome: AgentOutcome,
		times: { readonly startedAt: number; readonly endedAt: number },
	): void {
		const before = this.#byAgent.get(agent) ?? CLOSED;
		const failed = outcome.kind === "failed";
		const said = failed ? outcome.failure : "answered";
		const retryAfterMs = failed ? outcome.retryAfterMs : undefined;
		this.#byAgent.set(agent, afterCall(before, said, { ...times, retryAfterMs }));
	}
}

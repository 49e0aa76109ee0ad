import type { AgentOutcome } from "../agents/agent.ts";
import { afterCall, type Circuit, CLOSED, isOpen } from "../agents/circuit.ts";

/**
 * The circuit breakers of a run's agents. Kept in memory only, and forgotten when a person answers: a process that
 * resumes a run asks each agent again, and "try again" is not held back by what was.
 */
export class Circuits {
	readonly #byAgent = new Map<string, Circuit>();

	/** @param now milliseconds since the epoch */
	isOpen(agent: string, now: number): boolean {
		return isOpen(this.#byAgent.get(agent) ?? CLOSED, now);
	}

	/** Nothing bad is known of any agent any more. */
	forget(): void {
		this.#byAgent.clear();
	}

	/** Takes note of a finished call. */
	record(agent: string, outcome: AgentOutcome, now: number): void {
		const before = this.#byAgent.get(agent) ?? CLOSED;
		const failed = outcome.kind === "failed";
		const said = failed ? outcome.failure : "answered";
		const next = afterCall(before, said, now, failed ? outcome.retryAfterMs : undefined);
		this.#byAgent.set(agent, next);
	}
}

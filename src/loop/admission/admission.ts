import type { AgentOutcome } from "../../agents/agent.ts";
import { afterCall, type Circuit, CLOSED, isOpen } from "../../agents/circuit.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SharedCalls } from "../../store/shared-calls.ts";
import type { AgentDefinition } from "../../workflow/workflow.ts";
import { type BudgetContext, budgetStanding, hasBudget } from "./budget.ts";
import { CallLimits, type OnWait } from "./call-limits.ts";
import { Reservations } from "./reservations.ts";

/** Interval of looks whether calls of other machines have left room in a budget, in ms. */
const LOOK_MS = 500;

export class Circuits {
	readonly #byAgent = new Map<string, Circuit>();
	readonly #forgottenAt = new Map<string, number>();

	isOpen(agent: string, taskId: string, now: number): boolean {
		const circuit = this.#byAgent.get(agent) ?? CLOSED;
		const forgottenAt = this.#forgottenAt.get(taskId);
		return isOpen(circuit, now) && (forgottenAt === undefined || circuit.failedAt > forgottenAt);
	}

	forget(taskId: string, now: number): void {
		this.#forgottenAt.set(taskId, now);
	}

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

interface AskedCall {
	readonly definition: AgentDefinition;
	/** Asked again after the wait for a place, in which other tasks may have learned that the agent is down. */
	readonly mayStart: () => boolean;
	readonly onWait: OnWait;
}

/**
 * The one door for the calls of a run's agents, shared by its tasks: circuit breakers, places, money that is set aside, and
 * starts in a minute, asked in this order.
 */
export class CallAdmission {
	readonly #clock: Clock;
	readonly #circuits = new Circuits();
	readonly #limits: CallLimits;
	readonly #reservations: Reservations;

	/** @param elsewhere calls that other machines make of the run; by default there are none */
	constructor(clock: Clock, elsewhere: SharedCalls | null = null) {
		this.#clock = clock;
		this.#limits = new CallLimits(clock, elsewhere);
		this.#reservations = new Reservations(elsewhere && { calls: elsewhere, lookMs: LOOK_MS });
	}

	/** Tells whether an agent failed so often that it is not asked. A recording repeats what was, however fast it is played. */
	isOutOfOrder({ adapter, name }: AgentDefinition, taskId: string): boolean {
		return adapter !== "cassette" && this.#circuits.isOpen(name, taskId, this.#clock.now());
	}

	/** Forgets for a task what is known of agents that failed. */
	forgetFailures(taskId: string): void {
		this.#circuits.forget(taskId, this.#clock.now());
	}

	/** Waits until the agent's limits and the budgets let the call in, makes it, and takes note of what came of it. */
	async enter<Made extends { readonly outcome: AgentOutcome }>(
		context: BudgetContext & { readonly signal: AbortSignal },
		{ definition, mayStart, onWait }: AskedCall,
		make: () => Promise<Made>,
	): Promise<
		| ({ readonly kind: "made" } & Made)
		| { readonly kind: "unpaid"; readonly reason: string }
		| { readonly kind: "refused" }
	> {
		const { records, run, task, signal } = context;
		const { name } = definition;
		const leave = await this.#limits.place(definition, signal, onWait);
		try {
			if (!mayStart()) return { kind: "refused" };
			const reserved = await this.#reservations.reserve({
				taskId: task.id,
				agent: name,
				isBound: hasBudget(context),
				signal,
				onWait,
				standing: () => budgetStanding(context),
				highestCosts: () => records.highestCosts(run.runId),
			});
			if (reserved.kind === "unpaid") return reserved;
			let outcome: AgentOutcome | null = null;
			try {
				// The last thing to wait for is the minute: what is counted there are starts.
				await this.#limits.start(definition, signal, onWait);
				const startedAt = this.#clock.now();
				const made = await make();
				outcome = made.outcome;
				this.#circuits.record(name, outcome, { startedAt, endedAt: this.#clock.now() });
				return { kind: "made", ...made };
			} finally {
				reserved.end(outcome);
			}
		} finally {
			leave();
		}
	}
}

import type { Clock } from "../kernel/clock.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import { type Leave, WaitingLine } from "./waiting-line.ts";

/** The span in which starts are counted, in ms. */
const MINUTE_MS = 60_000;

/** What a call can wait for: a place, the minute's next start, or money that is reserved for others. */
export type WaitReason = "max_parallel" | "requests_per_minute" | "budget";

/** Told that a call has to wait, and for what, perhaps more than once; what it rejects with ends the wait. */
export type OnWait = (why: WaitReason) => Promise<void>;

/** The limits that a workflow sets for an agent. */
type Limited = Pick<AgentDefinition, "name" | "maxParallel" | "requestsPerMinute">;

/**
 * How long the next start has to wait, in ms; 0: not at all.
 *
 * @param starts milliseconds since the epoch, the newest last
 * @example of starts at 0 and 10,000 and with 2 a minute, at 15,000 it waits for 45,000
 */
export function pauseMs(starts: readonly number[], perMinute: number, now: number): number {
	const counted = starts.at(-perMinute);
	return counted === undefined ? 0 : Math.max(0, counted + MINUTE_MS - now);
}

/** What is known of one agent's calls. */
class AgentCalls {
	readonly #clock: Clock;
	readonly #starting = new WaitingLine(1);
	#places: WaitingLine | undefined;
	/** Starts of the last minute. */
	#starts: readonly number[] = [];

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	place(most: number, signal: AbortSignal, onWait: OnWait): Promise<Leave> {
		this.#places ??= new WaitingLine(most);
		return this.#places.take(signal, () => onWait("max_parallel"));
	}

	async start(perMinute: number, signal: AbortSignal, onWait: OnWait): Promise<void> {
		const pause = (): number => pauseMs(this.#recent(), perMinute, this.#clock.now());
		const tell = async (): Promise<void> => {
			if (pause() > 0) await onWait("requests_per_minute");
		};
		const leave = await this.#starting.take(signal, tell);
		try {
			await tell();
			for (let ms = pause(); ms > 0; ms = pause()) await this.#clock.sleep(ms, signal);
			this.#starts = [...this.#starts, this.#clock.now()];
		} finally {
			leave();
		}
	}

	/** A clock that was set back must not hold calls for longer than a minute: what lies ahead counts as now. */
	#recent(): readonly number[] {
		const now = this.#clock.now();
		this.#starts = this.#starts
			.map((start) => Math.min(start, now))
			.filter((start) => start > now - MINUTE_MS);
		return this.#starts;
	}
}

/**
 * The limits of a run's agents, shared by all of its tasks: calls at once, and starts within any 60 s. First come, first
 * served. In memory only: after a kill no call is under way, and the minute begins again.
 */
export class CallLimits {
	readonly #clock: Clock;
	readonly #byAgent = new Map<string, AgentCalls>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Takes one of the places for calls at once, to be given back after the call. Rejects with the signal's reason. */
	async place(agent: Limited, signal: AbortSignal, onWait: OnWait): Promise<Leave> {
		if (agent.maxParallel === undefined) return () => undefined;
		return await this.#of(agent).place(agent.maxParallel, signal, onWait);
	}

	/** Waits until one more call may start; to be asked immediately before it does. Rejects if it is aborted. */
	async start(agent: Limited, signal: AbortSignal, onWait: OnWait): Promise<void> {
		if (agent.requestsPerMinute === undefined) return;
		await this.#of(agent).start(agent.requestsPerMinute, signal, onWait);
	}

	#of({ name }: Limited): AgentCalls {
		const known = this.#byAgent.get(name) ?? new AgentCalls(this.#clock);
		this.#byAgent.set(name, known);
		return known;
	}
}

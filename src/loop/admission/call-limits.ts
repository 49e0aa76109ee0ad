import type { Clock } from "../../kernel/clock.ts";
import type { SharedCalls } from "../../store/shared-calls.ts";
import type { AgentDefinition } from "../../workflow/workflow.ts";

const MINUTE_MS = 60_000;

export type WaitReason = "max_parallel" | "requests_per_minute" | "budget";

/** Told that a call has to wait, and for what, perhaps more than once; what it rejects with ends the wait. */
export type OnWait = (why: WaitReason) => Promise<void>;

type Limited = Pick<AgentDefinition, "name" | "maxParallel" | "requestsPerMinute">;

// Of starts at 0 and 10,000 (the newest last) and with 2 a minute, at 15,000 it waits for 45,000.
export function pauseMs(starts: readonly number[], perMinute: number, now: number): number {
	const counted = starts.at(-perMinute);
	return counted === undefined ? 0 : Math.max(0, counted + MINUTE_MS - now);
}

export type LimitsElsewhere = Pick<SharedCalls, "place" | "start">;

/** Interval of asking again for a place that another machine may have given back, in ms. */
const PLACE_MS = 500;

interface AgentCalls {
	readonly starting: WaitingLine;
	places?: WaitingLine;
	/** Of the last minute. */
	starts: readonly number[];
}

/**
 * The limits of a run's agents, shared by all of its tasks: calls at once, and starts within any 60 s. First come, first
 * served; among machines, whoever asks first. Without other machines in memory only: after a kill no call is under way, and
 * the minute begins again.
 */
export class CallLimits {
	readonly #clock: Clock;
	readonly #elsewhere: LimitsElsewhere | null;
	readonly #byAgent = new Map<string, AgentCalls>();

	/** @param elsewhere by default nobody else makes calls of the run */
	constructor(clock: Clock, elsewhere: LimitsElsewhere | null = null) {
		this.#clock = clock;
		this.#elsewhere = elsewhere;
	}

	/** Takes one of the places for calls at once, to be given back after the call. Rejects with the signal's reason. */
	async place(agent: Limited, signal: AbortSignal, onWait: OnWait): Promise<Leave> {
		const { name, maxParallel: most } = agent;
		if (most === undefined) return () => undefined;
		const calls = this.#of(name);
		calls.places ??= new WaitingLine(most);
		const tell = (): Promise<void> => onWait("max_parallel");
		const leave = await calls.places.take(signal, tell);
		if (this.#elsewhere === null) return leave;
		try {
			for (;;) {
				const end = await this.#elsewhere.place(name, most);
				if (end !== null)
					return () => {
						end();
						leave();
					};
				await tell();
				await this.#clock.sleep(PLACE_MS, signal);
			}
		} catch (error) {
			leave();
			throw error;
		}
	}

	/** Waits until one more call may start; to be asked immediately before it does. Rejects if it is aborted. */
	async start(agent: Limited, signal: AbortSignal, onWait: OnWait): Promise<void> {
		const { name, requestsPerMinute: perMinute } = agent;
		if (perMinute === undefined) return;
		const calls = this.#of(name);
		const pause = (): number => pauseMs(this.#recent(calls), perMinute, this.#clock.now());
		const tell = async (): Promise<void> => {
			if (pause() > 0) await onWait("requests_per_minute");
		};
		const leave = await calls.starting.take(signal, tell);
		try {
			await tell();
			for (let ms = pause(); ms > 0; ms = pause()) await this.#clock.sleep(ms, signal);
			await this.#startElsewhere({ name, perMinute }, signal, onWait);
			calls.starts = [...calls.starts, this.#clock.now()];
		} finally {
			leave();
		}
	}

	async #startElsewhere(
		{ name, perMinute }: { readonly name: string; readonly perMinute: number },
		signal: AbortSignal,
		onWait: OnWait,
	): Promise<void> {
		if (this.#elsewhere === null) return;
		for (;;) {
			const ms = await this.#elsewhere.start(name, perMinute);
			if (ms === 0) return;
			await onWait("requests_per_minute");
			await this.#clock.sleep(ms, signal);
		}
	}

	/** A clock that was set back must not hold calls for longer than a minute: what lies ahead counts as now. */
	#recent(calls: AgentCalls): readonly number[] {
		const now = this.#clock.now();
		calls.starts = calls.starts
			.map((start) => Math.min(start, now))
			.filter((start) => start > now - MINUTE_MS);
		return calls.starts;
	}

	#of(name: string): AgentCalls {
		const known = this.#byAgent.get(name) ?? { starting: new WaitingLine(1), starts: [] };
		this.#byAgent.set(name, known);
		return known;
	}
}

/** Gives a place back. May be called twice. */
type Leave = () => void;

export class WaitingLine {
	#free: number;
	readonly #waiting = new Set<() => void>();

	constructor(places: number) {
		this.#free = places;
	}

	// `signal` takes whoever waits out of the line; where `onWait` rejects, no place is taken.
	async take(signal: AbortSignal, onWait?: () => Promise<void>): Promise<Leave> {
		signal.throwIfAborted();
		if (this.#free > 0) this.#free -= 1;
		else await this.#turn(signal, onWait);
		let isTaken = true;
		return () => {
			if (isTaken) this.#give();
			isTaken = false;
		};
	}

	async #turn(signal: AbortSignal, onWait: (() => Promise<void>) | undefined): Promise<void> {
		const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
		const abort = (): void => reject(signal.reason);
		this.#waiting.add(resolve);
		signal.addEventListener("abort", abort);
		try {
			// It may be aborted while somebody is told.
			await Promise.all([turn, onWait?.()]);
		} catch (error) {
			// A place that came meanwhile goes to the next one.
			if (!this.#waiting.delete(resolve)) this.#give();
			throw error;
		} finally {
			signal.removeEventListener("abort", abort);
		}
	}

	/** The place goes straight to whoever is next, so that nobody can slip in between. */
	#give(): void {
		const [next] = this.#waiting;
		if (next === undefined) this.#free += 1;
		else {
			this.#waiting.delete(next);
			next();
		}
	}
}

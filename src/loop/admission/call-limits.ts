import type { Clock } from "../../kernel/clock.ts";
import type { SharedCalls } from "../../store/shared-calls.ts";
import type { AgentDefinition } from "../../workflow/workflow.ts";

/** The span in which starts are counted, in ms. */
const MINUTE_MS = 60_000;

export type WaitReason = "max_parallel" | "requests_per_minute" | "budget";

/** Told that a call has to wait, and for what, perhaps more than once; what it rejects with ends the wait. */
export type OnWait = (why: WaitReason) => Promise<void>;

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

export type LimitsElsewhere = Pick<SharedCalls, "place" | "start">;

/** How often whoever waits asks again for a place that another machine may have given back, in ms. */
const PLACE_MS = 500;

class AgentCalls {
	readonly #clock: Clock;
	readonly #name: string;
	readonly #elsewhere: LimitsElsewhere | null;
	readonly #starting = new WaitingLine(1);
	#places: WaitingLine | undefined;
	#starts: readonly number[] = [];

	constructor(clock: Clock, name: string, elsewhere: LimitsElsewhere | null) {
		this.#clock = clock;
		this.#name = name;
		this.#elsewhere = elsewhere;
	}

	async place(most: number, signal: AbortSignal, onWait: OnWait): Promise<Leave> {
		this.#places ??= new WaitingLine(most);
		const leave = await this.#places.take(signal, () => onWait("max_parallel"));
		if (this.#elsewhere === null) return leave;
		try {
			const end = await this.#placeElsewhere(this.#elsewhere, { most, signal, onWait });
			return () => {
				end();
				leave();
			};
		} catch (error) {
			leave();
			throw error;
		}
	}

	async #placeElsewhere(
		elsewhere: LimitsElsewhere,
		{ most, signal, onWait }: { most: number; signal: AbortSignal; onWait: OnWait },
	): Promise<Leave> {
		for (;;) {
			const end = await elsewhere.place(this.#name, most);
			if (end !== null) return end;
			await onWait("max_parallel");
			await this.#clock.sleep(PLACE_MS, signal);
		}
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
			await this.#startElsewhere(perMinute, signal, onWait);
			this.#starts = [...this.#starts, this.#clock.now()];
		} finally {
			leave();
		}
	}

	async #startElsewhere(perMinute: number, signal: AbortSignal, onWait: OnWait): Promise<void> {
		if (this.#elsewhere === null) return;
		for (;;) {
			const ms = await this.#elsewhere.start(this.#name, perMinute);
			if (ms === 0) return;
			await onWait("requests_per_minute");
			await this.#clock.sleep(ms, signal);
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
		if (agent.maxParallel === undefined) return () => undefined;
		return await this.#of(agent).place(agent.maxParallel, signal, onWait);
	}

	/** Waits until one more call may start; to be asked immediately before it does. Rejects if it is aborted. */
	async start(agent: Limited, signal: AbortSignal, onWait: OnWait): Promise<void> {
		if (agent.requestsPerMinute === undefined) return;
		await this.#of(agent).start(agent.requestsPerMinute, signal, onWait);
	}

	#of({ name }: Limited): AgentCalls {
		const known = this.#byAgent.get(name) ?? new AgentCalls(this.#clock, name, this.#elsewhere);
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

	/**
	 * Takes a place, as soon as there is one.
	 *
	 * @param signal takes whoever waits out of the line; the promise rejects with its reason then
	 * @param onWait called once it is in the line; what it rejects with is thrown, and no place is taken then
	 */
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
		const turn = this.#queue(signal);
		// It may be aborted while somebody is told; that is thrown below.
		turn.catch(() => undefined);
		try {
			await onWait?.();
		} catch (error) {
			void turn.then(
				() => this.#give(),
				() => undefined,
			);
			throw error;
		}
		await turn;
	}

	#queue(signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const leaveQueue = (): void => {
				this.#waiting.delete(admit);
				signal.removeEventListener("abort", abort);
			};
			const admit = (): void => {
				leaveQueue();
				resolve();
			};
			const abort = (): void => {
				leaveQueue();
				reject(signal.reason);
			};
			this.#waiting.add(admit);
			signal.addEventListener("abort", abort);
		});
	}

	/** The place goes straight to whoever is next, so that nobody can slip in between. */
	#give(): void {
		const [next] = this.#waiting;
		if (next === undefined) this.#free += 1;
		else next();
	}
}

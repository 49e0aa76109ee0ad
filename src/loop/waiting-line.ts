/** Gives a place back. May be called twice. */
export type Leave = () => void;

/** A number of places, given out in the order in which they were asked for. */
export class WaitingLine {
	#free: number;
	readonly #waiting = new Set<() => void>();

	/** @param places 1 or more */
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

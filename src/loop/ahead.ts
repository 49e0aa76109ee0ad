interface Piece<T> {
	readonly stop: AbortController;
	/** Never rejects: null when the work failed or was stopped. */
	readonly done: Promise<T | null>;
}

/**
 * Work for a task that is begun before anybody asks for it. There is one piece at a time; beginning another one stops
 * it first. What fails is not reported: whoever asks then does the work in the ordinary way, and sees why.
 */
export class Ahead<T> {
	readonly #signal: AbortSignal;
	#piece: Piece<T> | null = null;

	/** @param signal stops whatever is under way */
	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	/** Begins a piece of work, after the one before has ended. Returns at once. */
	begin(work: (signal: AbortSignal) => Promise<T | null>): void {
		const before = this.stop();
		const stop = new AbortController();
		const signal = AbortSignal.any([this.#signal, stop.signal]);
		const done = before.then(() => (signal.aborted ? null : work(signal))).catch(() => null);
		this.#piece = { stop, done };
	}

	/** Waits for what was begun and hands it over, once. Null when there is none, or it failed. */
	async take(): Promise<T | null> {
		const piece = this.#piece;
		this.#piece = null;
		return (await piece?.done) ?? null;
	}

	/** Stops what is under way, and waits until it has ended. May be called twice. */
	async stop(): Promise<void> {
		this.#piece?.stop.abort(new Error("nobody needs it any more"));
		await this.take();
	}
}

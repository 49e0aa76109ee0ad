/** Work that needs the database to its very end. */
export class WorkUnderWay {
	#ending = new AbortController();
	#count = 0;
	#afterwards: (() => void) | null = null;

	/** Does some work, with a signal that is the caller's own and that of `end`. */
	async during<T>(
		own: AbortSignal | undefined,
		work: (signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		const ending = this.#ending.signal;
		this.#count += 1;
		try {
			return await work(own === undefined ? ending : AbortSignal.any([own, ending]));
		} finally {
			this.#count -= 1;
			if (this.#count === 0) this.#afterwards?.();
		}
	}

	/**
	 * Aborts what is under way. New work may begin at any time.
	 *
	 * @param afterwards called once nothing is under way: now, or when the last of it has settled
	 */
	end(reason: Error, afterwards: () => void): void {
		if (this.#count === 0) {
			afterwards();
			return;
		}
		this.#afterwards = () => {
			this.#afterwards = null;
			afterwards();
		};
		this.#ending.abort(reason);
		this.#ending = new AbortController();
	}
}

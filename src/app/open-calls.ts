/** Calls of the library that need the database to their very end. */
export class OpenCalls {
	#ending = new AbortController();
	#count = 0;
	#afterwards: (() => void) | null = null;

	/** Does the work of a call, with a signal that is the caller's own and that of `end`. */
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
	 * Aborts the open calls. New ones may begin at any time.
	 *
	 * @param afterwards called once none is open: now, or when the last of them has settled
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

/** Things that are done every so often, by the monotonic clock. Each is due at once the first time. */
export class Due {
	readonly #at = new Map<string, number>();
	readonly #now: () => number;

	/** @param now milliseconds of a clock that nobody sets; by default the process's */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Tells whether a thing of this name, such as `"beat"`, is due; then it is not for as long again. */
	is(what: string, everyMs: number): boolean {
		const now = this.#now();
		if (now < (this.#at.get(what) ?? 0)) return false;
		this.#at.set(what, now + everyMs);
		return true;
	}
}

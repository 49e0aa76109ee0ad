/**
 * Lets the first of several that are about to find out the same do so alone. The others wait for it, whatever comes of it, and
 * then look for themselves: what it stored they find.
 */
export class FirstAlone {
	readonly #open = new Map<string, Promise<unknown>>();

	/** @param what names what is found out; those behind the first work at once, beside each other */
	async run<T>(what: string, work: () => Promise<T>): Promise<T> {
		const first = this.#open.get(what);
		if (first !== undefined) {
			await first;
			return await work();
		}
		const working = work();
		this.#open.set(
			what,
			working.catch(() => undefined),
		);
		try {
			return await working;
		} finally {
			this.#open.delete(what);
		}
	}
}

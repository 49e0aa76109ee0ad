/** Output that was sent and that nobody has read yet. Beyond a limit, no more is to be read from those who produce it. */
export class Unread {
	readonly #most: number;
	#size = 0;
	#room = Promise.withResolvers<void>();

	/** @param most in characters */
	constructor(most: number) {
		this.#most = most;
	}

	sent(characters: number): void {
		this.#size += characters;
	}

	read(characters: number): void {
		const wasFull = this.#isFull();
		this.#size -= characters;
		if (!wasFull || this.#isFull()) return;
		this.#room.resolve();
		this.#room = Promise.withResolvers();
	}

	/** Null while more can be taken, else what settles when it can. */
	readonly pressure = (): Promise<void> | null => (this.#isFull() ? this.#room.promise : null);

	#isFull(): boolean {
		return this.#size > this.#most;
	}
}

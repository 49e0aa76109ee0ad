/** The last values of a stream, as many as it has room for: what is older is forgotten, so memory stays flat. */
export class Ring<Value> {
	readonly #values: Value[] = [];
	readonly #room: number;
	#next = 0;
	#seen = 0;

	/** @param room how many values are kept, at least 1 */
	constructor(room: number) {
		this.#room = room;
	}

	get length(): number {
		return this.#values.length;
	}

	get seen(): number {
		return this.#seen;
	}

	add(value: Value): void {
		this.#seen += 1;
		this.#values[this.#next] = value;
		this.#next = (this.#next + 1) % this.#room;
	}

	/** The value at a place, 0 being the oldest that is kept; undefined beyond the last. */
	at(index: number): Value | undefined {
		const from = this.#values.length < this.#room ? 0 : this.#next;
		return index < this.#values.length ? this.#values[(from + index) % this.#room] : undefined;
	}

	clear(): void {
		this.#values.length = 0;
		this.#next = 0;
		this.#seen = 0;
	}
}

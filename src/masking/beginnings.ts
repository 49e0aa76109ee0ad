/** Characters of a beginning that are looked up; of each five bits, by which upper and lower case are the same. */
const LOOKED_UP = 3;
const BITS = 5;
const SIZE: number = 1 << (LOOKED_UP * BITS);

const next = (hash: number, code: number): number => ((hash << BITS) | (code & 31)) & (SIZE - 1);

/**
 * Finds where one of many texts may begin, by its first three characters: one step for each character of what is
 * searched. More than these places are told, so that each has to be looked at.
 */
export class Beginnings<T> {
	readonly #slots: Uint16Array = new Uint16Array(SIZE);
	readonly #groups: T[][] = [[]];

	/** @param beginnings each of three characters or more */
	constructor(beginnings: Iterable<readonly [beginning: string, of: T]>) {
		for (const [beginning, of] of beginnings) {
			let hash = 0;
			for (let index = 0; index < LOOKED_UP; index += 1)
				hash = next(hash, beginning.charCodeAt(index));
			if (this.#slots[hash] === 0) this.#slots[hash] = this.#groups.push([]) - 1;
			this.#groups[Number(this.#slots[hash])]?.push(of);
		}
	}

	find(text: string, found: (of: T, start: number) => void): void {
		let hash = 0;
		for (let index = 0; index < text.length; index += 1) {
			hash = next(hash, text.charCodeAt(index));
			const slot = this.#slots[hash];
			if (slot === 0 || index < LOOKED_UP - 1) continue;
			// Every slot that is not 0 has its group.
			for (const of of this.#groups[Number(slot)] as T[]) found(of, index - LOOKED_UP + 1);
		}
	}
}

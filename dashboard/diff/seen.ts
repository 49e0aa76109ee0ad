/** Entries that are kept; the oldest is forgotten. */
const MOST = 2_000;
const NAME = "sparring-seen";

type Shelf = Pick<Storage, "getItem" | "setItem">;

/** Memory of this browser: contents of files that were viewed, and turns that were looked at. It may keep nothing. */
export class Seen {
	readonly #shelf: () => Shelf;
	#text = "[]";
	#kept = new Map<string, string>();

	constructor(shelf: () => Shelf) {
		this.#shelf = shelf;
	}

	get(...key: readonly string[]): string | undefined {
		return this.#read().get(JSON.stringify(key));
	}

	put(value: string | null, ...key: readonly string[]): void {
		const kept = this.#read();
		kept.delete(JSON.stringify(key));
		if (value !== null) kept.set(JSON.stringify(key), value);
		this.#text = JSON.stringify([...kept].slice(-MOST));
		try {
			this.#shelf().setItem(NAME, this.#text);
		} catch {
			// Full, or not allowed: then it is forgotten with the page.
		}
	}

	#read(): Map<string, string> {
		try {
			const text = this.#shelf().getItem(NAME);
			if (text !== null && text !== this.#text) {
				// Written above; another program's text is no list of pairs, and throws.
				this.#kept = new Map(JSON.parse(text) as [string, string][]);
				this.#text = text;
			}
		} catch {
			// What is known stays.
		}
		return this.#kept;
	}
}

export const seen = new Seen(() => localStorage);

/** The newest turn that was looked at, and the one before it. */
export interface Look {
	readonly newest: number;
	readonly before: number;
}

export function lookAt(text: string | undefined, newest: number): Look {
	const [last = 0, before = 0] = (text ?? "").split(" ").map(Number);
	return last === newest ? { newest, before } : { newest, before: last < newest ? last : 0 };
}

/** Characters beyond ASCII share 128 classes; who needs them told apart compares the text again. */
const folded = (code: number): number => (code < 128 ? code : 128 | (code & 127));

const lowered = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

function classesOf(literals: readonly string[]): { classes: Uint8Array; width: number } {
	const classes = new Uint8Array(256);
	let width = 1;
	for (const literal of literals) {
		for (let index = 0; index < literal.length; index += 1) {
			const code = lowered(folded(literal.charCodeAt(index)));
			if (classes[code] === 0) classes[code] = width++;
		}
	}
	for (let code = 65; code <= 90; code += 1) classes[code] = Number(classes[code + 32]);
	return { classes, width };
}

/** A state that a class of characters leads to, as the offset of its row. */
interface Child {
	readonly kind: number;
	readonly child: number;
}

type Found = (literal: number, start: number) => void;

/** As many characters are searched for each literal by itself: a command that prints a page ends before the table is made. */
const FEW = 16_384;

/** Of the same length, unlike `toLowerCase`. */
const lowerAscii = (text: string): string =>
	text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Finds many literals in a text, whatever the case of their ASCII letters: one step for each character and one for each
 * occurrence, for any text and any number of literals, once more than a few characters were searched.
 */
export class LiteralFinder {
	readonly #literals: readonly string[];
	#searched = 0;
	#table: LiteralTable | null = null;

	/** @param literals none of them empty */
	constructor(literals: readonly string[]) {
		this.#literals = literals.map(lowerAscii);
	}

	/**
	 * Tells each occurrence, in the order of their ends, and of those with one end the longest first. Beyond ASCII more than
	 * the occurrences may be told: other characters count as equal there.
	 */
	find(text: string, found: Found): void {
		this.#searched += text.length;
		if (this.#searched > FEW) {
			this.#table ??= new LiteralTable(this.#literals);
			this.#table.find(text, found);
			return;
		}
		const lower = lowerAscii(text);
		const all: { readonly literal: number; readonly start: number; readonly end: number }[] = [];
		for (const [literal, own] of this.#literals.entries()) {
			for (let start = lower.indexOf(own); start >= 0; start = lower.indexOf(own, start + 1))
				all.push({ literal, start, end: start + own.length });
		}
		all.sort((a, b) => a.end - b.end || a.start - b.start);
		for (const { literal, start } of all) found(literal, start);
	}
}

/** The same from the first character on (Aho-Corasick). */
class LiteralTable {
	readonly #literals: readonly string[];
	readonly #classes: Uint8Array;
	readonly #width: number;
	readonly #next: Int32Array;
	readonly #ends: readonly (readonly number[])[];
	readonly #ended: Uint8Array;

	/** @param literals none of them empty */
	constructor(literals: readonly string[]) {
		const { classes, width } = classesOf(literals);
		this.#literals = literals;
		this.#classes = classes;
		this.#width = width;
		const states = literals.reduce((sum, { length }) => sum + length, 1);
		this.#next = new Int32Array(states * width);
		this.#ended = new Uint8Array(states * width);
		const ends: number[][] = [[]];
		const children: Child[][] = [[]];
		for (const [literal, text] of literals.entries()) {
			const state = this.#addPath(text, ends, children);
			// Every state has its list, from the start on.
			(ends[state] as number[]).push(literal);
		}
		this.#ends = ends;
		this.#link(ends, children);
	}

	/** Makes the states that a literal leads through, and gives the last. */
	#addPath(text: string, ends: number[][], children: Child[][]): number {
		const width = this.#width;
		let row = 0;
		for (let index = 0; index < text.length; index += 1) {
			const kind = this.#classAt(text, index);
			if (this.#next[row + kind] === 0) {
				const child = ends.length * width;
				this.#next[row + kind] = child;
				children[row / width]?.push({ kind, child });
				ends.push([]);
				children.push([]);
			}
			row = Number(this.#next[row + kind]);
		}
		return row / width;
	}

	/** Fills in where each state goes on a character that no literal has there: to the longest end that is a beginning. */
	#link(ends: number[][], children: readonly (readonly Child[])[]): void {
		const width = this.#width;
		const next = this.#next;
		const fallbacks = new Int32Array(ends.length);
		const queue = [0];
		for (const row of queue) {
			const fallback = Number(fallbacks[row / width]);
			// The rows of shorter beginnings are complete already; the root's own stays as it is.
			next.copyWithin(row, fallback, fallback + width);
			// Every state has its lists, from the start on.
			for (const { kind, child } of children[row / width] as readonly Child[]) {
				const other = row === 0 ? 0 : Number(next[row + kind]);
				fallbacks[child / width] = other;
				const found = ends[child / width] as number[];
				found.push(...(ends[other / width] as number[]));
				if (found.length > 0) this.#ended[child] = 1;
				queue.push(child);
			}
			for (const { kind, child } of children[row / width] as readonly Child[]) {
				next[row + kind] = child;
			}
		}
	}

	#classAt(text: string, index: number): number {
		return Number(this.#classes[lowered(folded(text.charCodeAt(index)))]);
	}

	find(text: string, found: Found): void {
		const classes = this.#classes;
		const next = this.#next;
		const ended = this.#ended;
		let row = 0;
		for (let index = 0; index < text.length; index += 1) {
			const code = text.charCodeAt(index);
			// Both tables have an entry for every index that can come up here, so neither gives undefined.
			const kind = classes[code < 128 ? code : 128 | (code & 127)] as number;
			row = next[row + kind] as number;
			if (ended[row] === 1) this.#tell(row, index + 1, found);
		}
	}

	#tell(row: number, end: number, found: Found): void {
		// A row is a state's, and a state's list names literals that there are.
		for (const literal of this.#ends[row / this.#width] as readonly number[]) {
			found(literal, end - (this.#literals[literal] as string).length);
		}
	}
}

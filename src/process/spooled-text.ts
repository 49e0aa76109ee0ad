import { HeldText, isHighSurrogate, type TextLimits } from "./held-text.ts";
import { SpooledBytes } from "./spooled-bytes.ts";

/** The most bytes that a UTF-16 unit takes in UTF-8, and a character that a cut splits. */
const MOST_BYTES = 3;
const SPLIT_BYTES = 4;

const roomFor = (units: number): number => units * MOST_BYTES + SPLIT_BYTES;

/** A text of any length in a file of bounded size. Its methods throw system errors; an addition that fails adds nothing. */
export class SpooledText {
	readonly #bytes: SpooledBytes;
	readonly #max: TextLimits;
	#length = 0;
	#size = 0;
	/** Half of a character that the next piece completes: alone it has no bytes. */
	#half = "";

	constructor(max: TextLimits) {
		this.#max = max;
		this.#bytes = new SpooledBytes({ head: roomFor(max.head), tail: roomFor(max.tail) });
	}

	add(piece: string): void {
		const text = this.#half + piece;
		const whole = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
		const bytes = Buffer.from(whole);
		this.#bytes.add(bytes);
		this.#half = text.slice(whole.length);
		this.#length += whole.length;
		this.#size += bytes.length;
	}

	/** What is kept of it. */
	held(): HeldText {
		const held = new HeldText(this.#max);
		if (this.#length <= this.#max.head + this.#max.tail) {
			held.add(this.#bytes.first(this.#size).toString());
		} else {
			// Where all is ASCII, no more is read than is kept.
			const room = this.#size === this.#length ? (units: number) => units : roomFor;
			const { head: headMax, tail: tailMax } = this.#max;
			const head = this.#bytes.first(room(headMax)).toString().slice(0, headMax);
			const tail = withoutHalf(this.#bytes.last(room(tailMax)))
				.toString()
				.slice(-tailMax);
			held.add(head);
			held.leaveOut(this.#length - head.length - tail.length);
			held.add(tail);
		}
		held.add(this.#half);
		return held;
	}

	close(): void {
		this.#bytes.close();
	}
}

/** The bytes without those of a character that began before them. */
function withoutHalf(bytes: Buffer): Buffer {
	const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
	return bytes.subarray(Math.max(0, start));
}

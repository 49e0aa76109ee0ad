import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A cut moves to a line end within this distance, so that lines, and secrets in them, stay whole. In characters.
export const LONGEST_REACH = 4_096;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

function trimHead(head: string, reach: number): string {
	const line = head.lastIndexOf("\n");
	if (line >= head.length - reach && line > 0) return head.slice(0, line);
	return isHighSurrogate(head.charCodeAt(head.length - 1)) ? head.slice(0, -1) : head;
}

function trimTail(tail: string, reach: number): string {
	const line = tail.indexOf("\n");
	if (line >= 0 && line < reach && line + 1 < tail.length) return tail.slice(line + 1);
	return isLowSurrogate(tail.charCodeAt(0)) ? tail.slice(1) : tail;
}

// In UTF-16 units.
export interface TextLimits {
	readonly head: number;
	readonly tail: number;
}

/** The head and the tail of a text of any length, and the number of characters between. */
export class HeldText {
	readonly #headMax: number;
	readonly #tailMax: number;
	#head = "";
	#tail: string[] = [];
	#tailLength = 0;
	#dropped = 0;

	constructor({ head, tail }: TextLimits) {
		this.#headMax = head;
		this.#tailMax = tail;
	}

	add(text: string): void {
		const room = this.#headMax - this.#head.length;
		if (room > 0) this.#head += text.slice(0, room);
		const rest = room > 0 ? text.slice(room) : text;
		if (rest === "") return;
		this.#tail.push(rest);
		this.#tailLength += rest.length;
		// Trim only at twice the limit, so that each character is copied at most twice.
		if (this.#tailLength > 2 * this.#tailMax + 65_536) this.#trim();
	}

	#trim(): void {
		const joined = this.#tail.join("");
		const excess = Math.max(0, joined.length - this.#tailMax);
		this.#dropped += excess;
		this.#tail = [joined.slice(excess)];
		this.#tailLength = joined.length - excess;
	}

	// Characters that were left out elsewhere, between those that were added before and those that will be.
	leaveOut(characters: number): void {
		this.#dropped += characters;
	}

	text(): string {
		this.#trim();
		const tail = this.#tail.join("");
		if (this.#dropped === 0) return this.#head + tail;
		const reach = Math.min(LONGEST_REACH, Math.ceil(this.#headMax / 2));
		const head = trimHead(this.#head, reach);
		const end = trimTail(tail, reach);
		const left = this.#dropped + this.#head.length - head.length + tail.length - end.length;
		return `${head}\n[... ${left} characters left out ...]\n${end}`;
	}
}

const MOVED_AT_ONCE = 65_536;

/**
 * The beginning and the end of a long stream of bytes, in an unlinked file of bounded size that only this user can
 * read. All methods throw system errors, such as ENOSPC.
 */
export class SpooledBytes {
	readonly #head: number;
	readonly #tail: number;
	readonly #file: number;
	#size = 0;
	#isCut = false;

	// So many bytes are kept for sure; the file is not much longer than both and the end again.
	constructor({ head, tail }: { readonly head: number; readonly tail: number }) {
		this.#head = head;
		this.#tail = tail;
		const path = join(tmpdir(), `spar-output-${randomUUID()}`);
		try {
			this.#file = openSync(path, "wx+", 0o600);
		} finally {
			// Forced, so that the error of a file that could not be created is not hidden.
			rmSync(path, { force: true });
		}
	}

	get isCut(): boolean {
		return this.#isCut;
	}

	add(bytes: Buffer): void {
		// Before it is written: what fails has added nothing.
		if (this.#size > this.#head + 2 * this.#tail) this.#shorten();
		this.#write(bytes, this.#size);
		this.#size += bytes.length;
	}

	// As many as are asked for or there; of a cut stream at most those of the beginning.
	first(count: number): Buffer {
		return this.#read(0, Math.min(count, this.#isCut ? this.#head : this.#size));
	}

	last(count: number): Buffer {
		const there = this.#isCut ? this.#size - this.#head : this.#size;
		const wanted = Math.min(count, there);
		return this.#read(this.#size - wanted, wanted);
	}

	close(): void {
		closeSync(this.#file);
	}

	// Puts the last bytes behind the beginning.
	#shorten(): void {
		const from = this.#size - this.#tail;
		for (let done = 0; done < this.#tail; done += MOVED_AT_ONCE) {
			const bytes = this.#read(from + done, Math.min(MOVED_AT_ONCE, this.#tail - done));
			this.#write(bytes, this.#head + done);
		}
		this.#size = this.#head + this.#tail;
		ftruncateSync(this.#file, this.#size);
		this.#isCut = true;
	}

	#write(bytes: Buffer, at: number): void {
		for (let done = 0; done < bytes.length; ) {
			done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
		}
	}

	#read(at: number, count: number): Buffer {
		const bytes = Buffer.alloc(count);
		let done = 0;
		for (let read = 1; done < count && read > 0; done += read) {
			read = readSync(this.#file, bytes, done, count - done, at + done);
		}
		return bytes.subarray(0, done);
	}
}

// Of a UTF-16 unit in UTF-8, and of a character that a cut splits.
const MOST_BYTES = 3;
const SPLIT_BYTES = 4;

const roomFor = (units: number): number => units * MOST_BYTES + SPLIT_BYTES;

export class SpooledText {
	readonly #bytes: SpooledBytes;
	readonly #max: TextLimits;
	#length = 0;
	#size = 0;
	// Half of a character that the next piece completes: alone it has no bytes.
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

// Without the bytes of a character that began before them.
function withoutHalf(bytes: Buffer): Buffer {
	const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
	return bytes.subarray(Math.max(0, start));
}

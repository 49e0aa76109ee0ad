import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bytes that are moved at once when the file is shortened. */
const MOVED_AT_ONCE = 65_536;

/**
 * The beginning and the end of a long stream of bytes, in an unlinked file of bounded size that only this user can read.
 *
 * All methods throw system errors, such as ENOSPC.
 */
export class SpooledBytes {
	readonly #head: number;
	readonly #tail: number;
	readonly #file: number;
	#size = 0;
	#isCut = false;

	/** @param keep how many bytes are kept for sure of the beginning and of the end; the file is not much longer than both and the end again */
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

	/** Whether bytes between the beginning and the end were left out. */
	get isCut(): boolean {
		return this.#isCut;
	}

	add(bytes: Buffer): void {
		// Before it is written: what fails has added nothing.
		if (this.#size > this.#head + 2 * this.#tail) this.#shorten();
		this.#write(bytes, this.#size);
		this.#size += bytes.length;
	}

	/** The first bytes, as many as are asked for or there; of a cut stream at most those of the beginning. */
	first(count: number): Buffer {
		return this.#read(0, Math.min(count, this.#isCut ? this.#head : this.#size));
	}

	/** The last bytes, likewise. */
	last(count: number): Buffer {
		const there = this.#isCut ? this.#size - this.#head : this.#size;
		const wanted = Math.min(count, there);
		return this.#read(this.#size - wanted, wanted);
	}

	close(): void {
		closeSync(this.#file);
	}

	/** Puts the last bytes behind the beginning. */
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

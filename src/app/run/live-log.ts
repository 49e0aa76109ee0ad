import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Masker } from "../../kernel/masking.ts";
import { type TextSink, WholeLines } from "../../process/capture.ts";

/** Least time between two writes of one log, in ms: what comes meanwhile is masked and written together. */
const PAUSE_MS = 200;

/** As much of an output as its transcript keeps, in characters. */
const MAX_OUTPUT = 2_000_000;

const CUT = "[... more is in the file once the call has ended ...]\n";

/**
 * What a call or check prints, as a file that grows while it is printed. It is masked by whole lines; the masked whole
 * takes its place when the call is over.
 *
 * It is there for people to look at. Where it cannot be written nothing fails: what is kept in its place says so.
 */
export class LiveLog {
	readonly #path: string;
	readonly #masker: Masker;
	readonly #lines: WholeLines;
	#waiting = "";
	#written = 0;
	#pause: NodeJS.Timeout | null = null;

	/**
	 * @param path absolute
	 * @param heading null: what is in the file goes; else what is printed is added to it below this line
	 */
	constructor(path: string, masker: Masker, heading: string | null = null) {
		this.#path = path;
		this.#masker = masker;
		const sink: TextSink = { add: (text) => this.#take(text) };
		this.#lines = new WholeLines(sink);
		this.#attempt(() => {
			mkdirSync(dirname(path), { recursive: true });
			if (heading === null) writeFileSync(path, "");
			else appendFileSync(path, `${masker.mask(heading)}\n`);
		});
	}

	/** Takes a piece of any length. Never throws. */
	readonly add = (text: string): void => {
		this.#lines.add(text);
	};

	/** Writes what is left, an unfinished line included. To be called once. */
	end(): void {
		this.#lines.end();
		if (this.#pause !== null) clearTimeout(this.#pause);
		this.#write();
	}

	#take(text: string): void {
		if (this.#written + this.#waiting.length > MAX_OUTPUT) return;
		this.#waiting += text;
		this.#pause ??= this.#writeAndPause();
	}

	#writeAndPause(): NodeJS.Timeout {
		this.#write();
		return setTimeout(() => {
			this.#pause = this.#waiting === "" ? null : this.#writeAndPause();
		}, PAUSE_MS).unref();
	}

	#write(): void {
		const text = this.#waiting;
		if (text === "") return;
		this.#waiting = "";
		this.#written += text.length;
		const cut = this.#written > MAX_OUTPUT ? CUT : "";
		this.#attempt(() => appendFileSync(this.#path, this.#masker.mask(text) + cut));
	}

	#attempt(write: () => void): void {
		try {
			write();
		} catch {
			// See above: a full disk shows itself where the output is kept.
		}
	}
}

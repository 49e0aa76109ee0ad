import type { Blobs } from "../../kernel/blobs.ts";
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
	readonly #blobs: Blobs;
	readonly #key: string;
	readonly #masker: Masker;
	readonly #lines: WholeLines;
	/** The last write that was begun: each waits for the one before. */
	#writing: Promise<void>;
	#waiting = "";
	#written = 0;
	#pause: NodeJS.Timeout | null = null;

	/**
	 * @param key of the file among the files of runs
	 * @param heading null: what is in the file goes; else what is printed is added to it below this line
	 */
	constructor(blobs: Blobs, key: string, masker: Masker, heading: string | null = null) {
		this.#blobs = blobs;
		this.#key = key;
		this.#masker = masker;
		const sink: TextSink = { add: (text) => this.#take(text) };
		this.#lines = new WholeLines(sink);
		const begun =
			heading === null ? blobs.put(key, "") : blobs.append(key, `${masker.mask(heading)}\n`);
		this.#writing = begun.catch(ignored);
	}

	/** Takes a piece of any length. Never throws. */
	readonly add = (text: string): void => {
		this.#lines.add(text);
	};

	/** Writes what is left, an unfinished line included, and resolves once all is written. To be called once. */
	async end(): Promise<void> {
		this.#lines.end();
		if (this.#pause !== null) clearTimeout(this.#pause);
		this.#write();
		await this.#writing;
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
		const masked = this.#masker.mask(text) + cut;
		this.#writing = this.#writing.then(() => this.#blobs.append(this.#key, masked)).catch(ignored);
	}
}

/** See above: a full disk shows itself where the output is kept. */
function ignored(): void {}

import { StringDecoder } from "node:string_decoder";
import type { Masker } from "../masking/masking.ts";
import { HeldText, LONGEST_REACH, SpooledText, type TextLimits } from "./spooled-text.ts";

const DEFAULT_MAX_OUTPUT = 2_000_000;

const NOTICE = /\n\[\.\.\. \d+ characters left out \.\.\.\]\n/g;

// Longer texts are written to a file until they are asked for. In characters.
const HELD = 65_536;

/**
 * Collects a text of any length in bounded memory: its head, its tail, and the number of characters between, in UTF-16
 * units.
 *
 * One that is spooled stands in a file beyond 65,536 characters, so that a call that prints a lot holds next to nothing
 * while it runs; where no file can be written it is held after all. Who makes it closes it.
 *
 * @example with `max` 4, `add("abcdefgh")` gives `"ab\n[... 4 characters left out ...]\ngh"`
 */
export class Capture {
	readonly #max: TextLimits;
	#text: HeldText | SpooledText;
	#length = 0;
	// Whatever its length.
	#isHeld: boolean;

	/** @param max maximum characters, at least 2 */
	constructor(max: number = DEFAULT_MAX_OUTPUT, place: "held" | "spooled" = "held") {
		this.#max = { head: Math.ceil(max / 2), tail: Math.floor(max / 2) };
		this.#text = new HeldText(this.#max);
		// What may not be longer than a few of these is bounded anyway.
		this.#isHeld = place === "held" || max < 4 * HELD;
	}

	add(text: string): void {
		try {
			this.#text.add(text);
		} catch {
			// The disk is full.
			const held = this.#kept();
			this.close();
			held.add(text);
			this.#text = held;
			this.#isHeld = true;
		}
		this.#length += text.length;
		if (!this.#isHeld && this.#length > HELD && this.#text instanceof HeldText) this.#spool();
	}

	/** The text so far; more can be added afterwards. */
	text(): string {
		return this.#kept().text();
	}

	/** Frees the file, and the text with it. Can be called twice. */
	close(): void {
		if (this.#text instanceof SpooledText) this.#text.close();
		this.#text = new HeldText(this.#max);
	}

	#spool(): void {
		try {
			const spooled = new SpooledText(this.#max);
			spooled.add(this.#kept().text());
			this.#text = spooled;
		} catch {
			// The disk is full, or no file can be opened.
			this.#isHeld = true;
		}
	}

	#kept(): HeldText {
		if (this.#text instanceof HeldText) return this.#text;
		try {
			return this.#text.held();
		} catch {
			const lost = new HeldText(this.#max);
			lost.leaveOut(this.#length);
			return lost;
		}
	}
}

/** Receives text in pieces. */
export interface TextSink {
	add(text: string): void;
	/** Called once at the end. */
	end?(): void;
}

const LONGEST_LINE = 65_536;

/**
 * Merges one of several streams into one text, line by line, so that another stream's output does not split a line, and
 * a secret in it, in two. A line above 65,536 characters is passed on in pieces, cut at a blank if possible.
 *
 * @example after `add("a"); add("b\nc"); end()` the sink has received `"ab\n"` and `"c"`
 */
export class WholeLines implements TextSink {
	readonly #sink: TextSink;
	#line: string[] = [];
	#length = 0;

	constructor(sink: TextSink) {
		this.#sink = sink;
	}

	add(text: string): void {
		const end = text.lastIndexOf("\n") + 1;
		if (end > 0) {
			this.#pass(text.slice(0, end));
			this.#keep(text.slice(end));
		} else this.#keep(text);
		if (this.#length > LONGEST_LINE) this.#shorten();
	}

	end(): void {
		this.#pass("");
	}

	#keep(text: string): void {
		if (text === "") return;
		this.#line.push(text);
		this.#length += text.length;
	}

	#pass(text: string): void {
		const whole = this.#line.join("") + text;
		this.#line = [];
		this.#length = 0;
		if (whole !== "") this.#sink.add(whole);
	}

	#shorten(): void {
		const whole = this.#line.join("");
		const last = whole.length - LONGEST_REACH;
		const blank = whole.lastIndexOf(" ", last) + 1;
		const end = blank > 0 && blank > last - LONGEST_REACH ? blank : last;
		this.#line = [whole.slice(end)];
		this.#length = whole.length - end;
		this.#sink.add(whole.slice(0, end));
	}
}

export class StreamText {
	readonly #decoder = new StringDecoder("utf8");
	readonly #captures: readonly TextSink[];
	#ended = false;

	constructor(captures: readonly TextSink[]) {
		this.#captures = captures;
	}

	add(chunk: Buffer): void {
		this.#feed(this.#decoder.write(chunk));
	}

	// A partial last character becomes U+FFFD. Can be called twice.
	end(): void {
		if (this.#ended) return;
		this.#ended = true;
		this.#feed(this.#decoder.end());
		for (const capture of this.#captures) capture.end?.();
	}

	#feed(text: string): void {
		for (const capture of this.#captures) capture.add(text);
	}
}

/**
 * Masks a text that `Capture` may have cut. A secret that a cut split is no longer recognised, so on each side of a cut
 * as many characters are dropped as the longest secret has.
 */
export function maskCaptured(text: string, masker: Masker): string {
	const notices = text.match(NOTICE) ?? [];
	const parts = text.split(NOTICE).map((part) => masker.mask(part));
	const spare = Math.max(0, masker.longest - 1);
	return parts.reduce((whole, part, index) => {
		if (index === 0) return part;
		const before = whole.slice(0, Math.max(0, whole.length - spare));
		return before + (notices[index - 1] ?? "") + part.slice(spare);
	}, "");
}

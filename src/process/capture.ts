import { StringDecoder } from "node:string_decoder";
import type { Masker } from "../masking/masking.ts";

const DEFAULT_MAX_OUTPUT = 2_000_000;

const NOTICE = /\n\[\.\.\. \d+ characters left out \.\.\.\]\n/g;

// A cut moves to a line end within this distance, so that lines, and secrets in them, stay whole. In characters.
const LONGEST_REACH = 4_096;

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

/**
 * Collects a text of any length in bounded memory: its head, its tail, and the number of characters between, in UTF-16
 * units.
 *
 * @example with `max` 4, `add("abcdefgh")` gives `"ab\n[... 4 characters left out ...]\ngh"`
 */
export class Capture {
	readonly #headMax: number;
	readonly #tailMax: number;
	#head = "";
	#tail: string[] = [];
	#tailLength = 0;
	#dropped = 0;

	/** @param max maximum characters, at least 2 */
	constructor(max: number = DEFAULT_MAX_OUTPUT) {
		this.#headMax = Math.ceil(max / 2);
		this.#tailMax = Math.floor(max / 2);
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

	/** The text so far; more can be added afterwards. */
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

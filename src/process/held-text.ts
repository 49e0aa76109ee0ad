// A cut moves to a line end within this distance, so that lines, and secrets in them, stay whole. In characters.
export const LONGEST_REACH = 4_096;

export const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
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

import { Ring } from "../rows/ring.ts";

/** Lines that are kept of a log; the text of a longer one is on disk. */
const ROOM = 100_000;
/** A line is cut where it is longer: a program may print megabytes without a line's end. */
const MOST_LETTERS = 4_000;

const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Sequences that colour a terminal, move its cursor or set its title. */
const ESCAPES = new RegExp(
	`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)?|[@-_])`,
	"g",
);

export function shownLine(line: string): string {
	const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
	const text = last.replaceAll(ESCAPES, "").replaceAll("\t", "    ");
	return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}

export class LogLines {
	readonly #lines = new Ring<string>(ROOM);
	#rest = "";

	/** Adds text that follows on what was added before. */
	add(text: string): void {
		const lines = (this.#rest + text).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const line of lines) this.#lines.add(shownLine(line));
	}

	/** Forgets everything: the log was written anew. */
	clear(): void {
		this.#lines.clear();
		this.#rest = "";
	}

	get count(): number {
		return this.#lines.length + (this.#rest === "" ? 0 : 1);
	}

	/** Lines that are no longer kept. */
	get forgotten(): number {
		return this.#lines.seen - this.#lines.length;
	}

	at(index: number): string {
		return this.#lines.at(index) ?? shownLine(this.#rest);
	}

	/** Characters of the longest of some lines. */
	longest(): number {
		let most = this.#rest.length;
		for (let index = 0; index < this.#lines.length; index += 1) {
			most = Math.max(most, this.#lines.at(index)?.length ?? 0);
		}
		return Math.min(most, MOST_LETTERS);
	}
}

/** A list item and the line (from 1) on which it begins. */
export interface Criterion {
	readonly text: string;
	readonly line: number;
}

/** A Markdown text with the criteria taken out. */
export interface CriteriaSplit {
	readonly criteria: readonly Criterion[];
	/** Everything else, verbatim; the heading goes with its list. */
	readonly rest: string;
}

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*\S)\s*$/;

/**
 * Takes the list under a heading "Acceptance criteria" (any level, any capitals, with or without a
 * colon) out of a Markdown text. The section ends at the next heading; indented lines go on with their
 * item; a check box before an item is dropped. Headings and lists inside code fences are text.
 *
 * @example `"Do it.\n## Acceptance criteria\n- works"` gives the criterion `"works"` and the rest `"Do it."`
 */
export function splitCriteria(text: string): CriteriaSplit {
	const reader = new CriteriaReader();
	for (const [index, line] of text.split("\n").entries()) reader.read(line, index + 1);
	return reader.result();
}

class CriteriaReader {
	readonly #rest: string[] = [];
	readonly #criteria: { text: string; readonly line: number }[] = [];
	/** The mark that opened the code fence in which the reader is. */
	#fence: string | undefined;
	#isInside = false;
	/** The section's heading, until its first item or other text. */
	#heading: string | undefined;
	/** The item that an indented line goes on with. */
	#open: { text: string } | undefined;

	read(raw: string, number: number): void {
		const line = raw.replace(/\r$/, "");
		const mark = FENCE.exec(line)?.[1];
		const isCode = this.#fence !== undefined || mark !== undefined;
		if (mark !== undefined) this.#fence = nextFence(this.#fence, mark);
		const title = isCode ? undefined : HEADING.exec(line)?.[1];
		if (title !== undefined) this.#enter(title, raw);
		else if (!this.#isInside) this.#rest.push(raw);
		else if (isCode || !this.#readItem(line, number)) this.#keep(raw);
	}

	result(): CriteriaSplit {
		return {
			criteria: this.#criteria.map(({ text, line }) => ({ text, line })),
			rest: this.#rest.join("\n").trim(),
		};
	}

	#enter(title: string, raw: string): void {
		this.#isInside = /^acceptance criteria:?$/i.test(title);
		this.#heading = this.#isInside ? raw : undefined;
		this.#open = undefined;
		if (!this.#isInside) this.#rest.push(raw);
	}

	/** Whether the line belongs to the list. */
	#readItem(line: string, number: number): boolean {
		if (line.trim() === "") return true;
		const text = ITEM.exec(line)?.[1];
		if (text !== undefined) {
			const item = { text, line: number };
			this.#criteria.push(item);
			this.#open = item;
			this.#heading = undefined;
			return true;
		}
		if (this.#open === undefined || !/^\s/.test(line)) return false;
		this.#open.text += ` ${line.trim()}`;
		return true;
	}

	/** Text of the section that is not a list; before the first item it keeps the heading. */
	#keep(raw: string): void {
		if (this.#heading !== undefined) this.#rest.push(this.#heading);
		this.#heading = undefined;
		this.#open = undefined;
		this.#rest.push(raw);
	}
}

/** A fence is closed by its own character, at least as long. */
function nextFence(open: string | undefined, mark: string): string | undefined {
	if (open === undefined) return mark;
	return mark.startsWith(open) ? undefined : open;
}

import { after, endOfString, SCALAR, SPACE } from "./json-tokens.ts";

/** What may stand at a place of a JSON text. */
type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or end";

const WORDING: Readonly<Record<Expected, string>> = {
	value: "a value",
	"value or ]": 'a value or "]"',
	name: "a name in double quotes",
	"name or }": 'a name in double quotes or "}"',
	colon: '":"',
	"comma or end": '"," or the end of the list or object',
};

/** Reads one token where `expected` may stand; `stack` holds the open brackets. */
class Scanner {
	readonly #text: string;
	readonly #stack: string[] = [];
	#at = 0;
	#expected: Expected = "value";

	constructor(text: string) {
		this.#text = text;
	}

	/** The first place that is wrong, with what is wrong; null when the text is JSON. */
	run(): { at: number; problem: string } | null {
		for (;;) {
			this.#at = after(SPACE, this.#text, this.#at);
			if (this.#at === this.#text.length) return this.#atEnd();
			const problem = this.#step(this.#text.charAt(this.#at));
			if (problem !== null) return { at: this.#at, problem };
		}
	}

	#atEnd(): { at: number; problem: string } | null {
		if (this.#expected === "comma or end" && this.#stack.length === 0) return null;
		return { at: this.#at, problem: `the text ends where ${WORDING[this.#expected]} is expected` };
	}

	#step(char: string): string | null {
		switch (this.#expected) {
			case "value":
			case "value or ]":
				return char === "]" && this.#expected === "value or ]" ? this.#close() : this.#value(char);
			case "name":
			case "name or }":
				if (char === "}" && this.#expected === "name or }") return this.#close();
				return char === '"' ? this.#string("colon") : this.#unexpected();
			case "colon":
				return char === ":" ? this.#move("value") : this.#unexpected();
			case "comma or end":
				return this.#comma(char);
		}
	}

	#value(char: string): string | null {
		if (char === '"') return this.#string("comma or end");
		if (char === "{" || char === "[") {
			this.#stack.push(char);
			return this.#move(char === "{" ? "name or }" : "value or ]");
		}
		const end = after(SCALAR, this.#text, this.#at);
		if (end < 0) return this.#unexpected();
		this.#at = end;
		this.#expected = "comma or end";
		return null;
	}

	#string(next: Expected): string | null {
		const { at, problem } = endOfString(this.#text, this.#at);
		this.#at = at;
		this.#expected = next;
		return problem;
	}

	#comma(char: string): string | null {
		const open = this.#stack.at(-1);
		if (open === undefined) return "something follows the end of the JSON value";
		if (char === ",") return this.#move(open === "{" ? "name" : "value");
		return char === (open === "{" ? "}" : "]") ? this.#close() : this.#unexpected();
	}

	#close(): null {
		this.#stack.pop();
		return this.#move("comma or end");
	}

	#move(next: Expected): null {
		this.#at += 1;
		this.#expected = next;
		return null;
	}

	#unexpected(): string {
		const found = JSON.stringify(this.#text.slice(this.#at, this.#at + 12));
		return `expected ${WORDING[this.#expected]} and found ${found}`;
	}
}

/**
 * Why and where a text is no JSON, in words that its author can act on: engines name no position for many errors.
 *
 * @returns null when the text is JSON
 * @example `describeJsonError('{"a": yes}')` is `expected a value and found "yes}" at line 1, column 7`
 */
export function describeJsonError(text: string): string | null {
	const found = new Scanner(text).run();
	if (found === null) return null;
	const before = text.slice(0, found.at);
	const line = before.split("\n").length;
	return `${found.problem} at line ${line}, column ${found.at - before.lastIndexOf("\n")}`;
}

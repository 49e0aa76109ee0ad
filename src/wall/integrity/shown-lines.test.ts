import { expect, test } from "vitest";
import { shownLines } from "./shown-lines.ts";

const shown = (...bytes: readonly string[]): string[] =>
	shownLines(
		"+",
		bytes.map((line) => ({ text: Buffer.from(line, "latin1").toString("utf8") })),
	);

test("what is no text is counted, not shown", () => {
	const binary = ["+ (binary: 1 line, not shown)"];
	expect(shown("a\0b")).toEqual(binary);
	expect(shown("\x01\xfe")).toEqual(binary);
	expect(shown("caf\xe9", "\x1b[0m\t")).toHaveLength(1);
});

test("texts in Latin-1, and colors of a terminal, are shown", () => {
	expect(shown("caf\xe9\t1")).toEqual(["+ caf\ufffd\t1"]);
	expect(shown("\x1b[0m")).toEqual(["+ \x1b[0m"]);
});

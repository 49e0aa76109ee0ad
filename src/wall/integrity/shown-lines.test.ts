import { expect, test } from "vitest";
import { shownLines } from "./shown-lines.ts";

const shown = (...bytes: readonly string[]): string[] =>
	shownLines(
		"+",
		bytes.map((line) => ({ text: Buffer.from(line, "latin1").toString("utf8") })),
	);

test("what is no text is counted, not shown", () => {
	const binary = [expect.stringMatching(/^\+ \(binary: 1 line, not shown, [0-9a-f]{8}\)$/)];
	expect(shown("a\0b")).toEqual(binary);
	expect(shown("\x01\xfe")).toEqual(binary);
	expect(shown("a\0c")).not.toEqual(shown("a\0b"));
	expect(shown("caf\xe9", "\x1b[0m\t")).toHaveLength(1);
});

test("texts in Latin-1, and colors of a terminal, are shown", () => {
	expect(shown("caf\xe9\t1")).toEqual(["+ caf\ufffd\t1"]);
	expect(shown("\x1b[0m")).toEqual(["+ \x1b[0m"]);
});

test("what is not shown has a digest, so that an answer holds for all of it", () => {
	const many = (last: string) => shown("1", "2", "3", "4", "5", "6", "7", last);
	expect(many("8").at(-1)).toMatch(/^\+ \.\.\. 2 more \([0-9a-f]{8}\)$/);
	expect(many("8")).not.toEqual(many("9"));
	const long = (end: string) => shown(`${"a".repeat(200)}${end}`);
	expect(long("b")).not.toEqual(long("c"));
});

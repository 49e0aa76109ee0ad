import { expect, test } from "vitest";
import { offsetWithin } from "./yaml-source.ts";

const within = { text: "a == b", from: 5 };

test("a place in a plain or quoted text is found in the file", () => {
	expect(offsetWithin("- a == b", 2, within)).toBe(7);
	expect(offsetWithin('- "a == b"', 2, within)).toBe(8);
	expect(offsetWithin("- 'a == b'", 2, within)).toBe(8);
});

test("a text that the file writes otherwise gives the start of its value", () => {
	expect(offsetWithin('- "a == \\u0062"', 2, within)).toBe(2);
	expect(offsetWithin("- |\n  a == b", 2, within)).toBe(2);
	expect(offsetWithin("- *alias", 2, within)).toBe(2);
	expect(offsetWithin("- a", 2, within)).toBe(2);
});

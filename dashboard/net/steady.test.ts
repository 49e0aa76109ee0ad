import { expect, test } from "vitest";
import { steady } from "./api.ts";

test("what turns the direction of a line is shown by its number, also inside of JSON", () => {
	expect(steady("if (admin) {\u202e } \u2066")).toBe(
		"if (admin) {\u27e8U+202E\u27e9 } \u27e8U+2066\u27e9",
	);
	expect(JSON.parse(steady(JSON.stringify({ notes: "a\u061cb" })))).toEqual({
		notes: "a\u27e8U+061C\u27e9b",
	});
});

test("text that is written from right to left stays as it is", () => {
	expect(steady("\u05e9\u05dc\u05d5\u05dd, caf\u00e9 \ud83d\ude42")).toBe(
		"\u05e9\u05dc\u05d5\u05dd, caf\u00e9 \ud83d\ude42",
	);
});

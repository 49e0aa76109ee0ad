import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { FinalText } from "./final-text.ts";

test("the pieces of the newest message make the text", () => {
	const words = new FinalText();
	for (const piece of ["old", "a", "b"]) {
		words.add(piece);
		if (piece === "old") words.clear();
	}
	expect(words.text()).toBe("ab");
});

thorough("of a message without end only its end is kept", () => {
	const words = new FinalText();
	for (let piece = 0; piece < 50; piece += 1) words.add("x".repeat(1_000_000));
	words.add("end");
	expect(words.text()).toHaveLength(16_000_000);
	expect(words.text().endsWith("xend")).toBe(true);
});

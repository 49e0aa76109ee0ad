import assert from "node:assert/strict";
import { test } from "node:test";
import { readingMinutes, slug } from "../src/text.js";

test("joins words with hyphens", () => {
	assert.equal(slug("Two words"), "two-words");
});

test("takes two minutes for 400 words", () => {
	assert.equal(readingMinutes("word ".repeat(400).trim()), 2);
});

import { expect, test } from "vitest";
import { MergedLine } from "./merged-line.ts";

test("of a tip nothing is known until it was looked at", () => {
	const line = new MergedLine();
	expect(line.notKnownIn("tip", ["a", "b"])).toEqual(["a", "b"]);
	line.holds("tip", ["a"]);
	expect(line.notKnownIn("tip", ["a", "b", "tip"])).toEqual(["b"]);
	line.holds("tip", ["b"]);
	expect(line.notKnownIn("tip", ["a", "b"])).toEqual([]);
});

test("what was held is held by what was built on it, and by nothing else", () => {
	const line = new MergedLine();
	line.holds("first", ["a"]);
	line.grew("first", "second");
	expect(line.notKnownIn("second", ["a", "first", "second"])).toEqual([]);
	expect(line.notKnownIn("first", ["a"])).toEqual(["a"]);
	line.holds("other", ["b"]);
	expect(line.notKnownIn("other", ["a", "b"])).toEqual(["a"]);
	line.grew("elsewhere", "third");
	expect(line.notKnownIn("third", ["b", "elsewhere", "third"])).toEqual(["b"]);
});

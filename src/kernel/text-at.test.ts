import { expect, test } from "vitest";
import { textAt } from "./text-at.ts";

test("a place is a file with its line, as far as they are known", () => {
	expect(textAt({ file: "src/a.js", line: 3 })).toBe("src/a.js:3");
	expect(textAt({ file: "src/a.js", line: null })).toBe("src/a.js");
	expect(textAt({ file: null, line: 3 })).toBe("");
	expect(textAt({})).toBe("");
});

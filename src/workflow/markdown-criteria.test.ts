import { expect, test } from "vitest";
import { splitCriteria } from "./markdown-criteria.ts";

const texts = (markdown: string): string[] =>
	splitCriteria(markdown).criteria.map(({ text }) => text);

test("the list under the heading becomes criteria, with lines", () => {
	const split = splitCriteria(
		"Do it.\n\n## Acceptance Criteria:\n\n- one\n2. two\n* [ ] three\n  goes on\n\n## Notes\n- no",
	);
	expect(split.criteria).toEqual([
		{ text: "one", line: 5 },
		{ text: "two", line: 6 },
		{ text: "three goes on", line: 7 },
	]);
	expect(split.rest).toBe("Do it.\n\n## Notes\n- no");
});

test("a text without the heading is untouched", () => {
	expect(splitCriteria("a\n- b\n")).toEqual({ criteria: [], rest: "a\n- b" });
});

test("headings and lists in code are text", () => {
	expect(texts("```\n# Acceptance criteria\n- a\n```\n- b")).toEqual([]);
	const split = splitCriteria("# Acceptance criteria\n- a\n~~~~\n- b\n~~~\n- c\n~~~~\n- d");
	expect(split.criteria.map(({ text }) => text)).toEqual(["a", "d"]);
	expect(split.rest).toBe("~~~~\n- b\n~~~\n- c\n~~~~");
});

test("prose of the section stays, before the list with its heading", () => {
	const split = splitCriteria("# Acceptance criteria\nThey are:\n- a\nand so on\n  indented");
	expect(split.rest).toBe("# Acceptance criteria\nThey are:\nand so on\n  indented");
	expect(texts("# Acceptance criteria\n- a\r\n- b\r\n")).toEqual(["a", "b"]);
});

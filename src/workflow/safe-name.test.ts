import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { isReservedTaskId, nameProblem, safeTaskId } from "./safe-name.ts";

test.each(["a", "a.b-c_d", "A9", "_x", "x".repeat(64)])("%s is a safe name", (name) => {
	expect(nameProblem(name)).toBeUndefined();
});

test.each([
	["", "must not be empty"],
	["x".repeat(65), "must have at most 64 characters, has 65"],
	[
		"a b",
		'may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
	],
	["é", 'may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)'],
	["-x", 'must not start with "-"'],
	[".x", 'must not start with "."'],
	["a..b", 'must not contain ".."'],
	["a.lock", 'must not end in ".lock"'],
	["a.", 'must not end in "."'],
	["__proto__", "is reserved"],
])("the name %j is refused", (name, problem) => {
	expect(nameProblem(name)).toBe(problem);
});

test("an id made from words is short and readable", () => {
	expect(safeTaskId("Add a rate limiter!")).toBe("add-a-rate-limiter");
	expect(safeTaskId("Größe ändern")).toBe("gro-e-andern");
	expect(safeTaskId("日本")).toBe("task");
	expect(safeTaskId("Integration")).toBe("integration-task");
	expect(safeTaskId(`${"a".repeat(39)} bc`)).toBe("a".repeat(39));
});

test("an id made from any text is safe", () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter }), (text) => {
			const id = safeTaskId(text);
			expect(nameProblem(id)).toBeUndefined();
			expect(isReservedTaskId(id)).toBe(false);
		}),
	);
});

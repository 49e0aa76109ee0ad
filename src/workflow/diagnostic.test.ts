import { expect, test } from "vitest";
import { formatDiagnostic, plain, quote, sortDiagnostics } from "./diagnostic.ts";

const at = (file: string, line: number, column: number, message = "m") => ({
	file,
	line,
	column,
	message,
});

test("a diagnostic reads as file, line, column and message, its hint on the next line", () => {
	expect(formatDiagnostic(at("s.yaml", 3, 5, "wrong"))).toBe("s.yaml:3:5 wrong");
	expect(formatDiagnostic({ ...at("s.yaml", 3, 5, "wrong"), hint: "fix" })).toBe(
		"s.yaml:3:5 wrong\n    fix",
	);
});

test("diagnostics are sorted by file, line and column, and equal ones appear once", () => {
	const mixed = [at("b", 1, 1), at("a", 2, 1), at("a", 1, 9), at("a", 1, 2), at("a", 1, 2)];
	expect(sortDiagnostics(mixed)).toEqual([
		at("a", 1, 2),
		at("a", 1, 9),
		at("a", 2, 1),
		at("b", 1, 1),
	]);
});

test("quoted text of the user is one line, cut, and moves no terminal", () => {
	expect(quote("a\nb\u001b[2J\u009b\u202e")).toBe('"a\\nb\\u001b[2J\\u009b\\u202e"');
	expect(quote("x".repeat(81))).toBe(`"${"x".repeat(80)}..."`);
	expect(plain('say "hi"\nsecond line')).toBe('say "hi"');
});

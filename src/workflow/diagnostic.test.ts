import { expect, test } from "vitest";
import { formatDiagnostic, sortDiagnostics } from "./diagnostic.ts";

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

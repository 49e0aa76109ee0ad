import { expect, test } from "vitest";
import { pathProblem } from "./relative-path.ts";

test.each(["out/junit.xml", "./a", "a/../b", "..a", ".github/x", "ü b.xml"])(
	"%s lies inside",
	(path) => {
		expect(pathProblem(path)).toBeUndefined();
	},
);

test.each([
	[" ", "must not be empty"],
	["a\0b", "must not contain a NUL character"],
	["/etc/passwd", "must be relative to the repository root"],
	["C:\\x", "must be relative to the repository root"],
	["c:x", "must be relative to the repository root"],
	["..", "must stay inside the checkout"],
	["a/../../b", "must stay inside the checkout"],
	["..\\b", "must stay inside the checkout"],
	[".", "must name a file"],
	["a/..", "must name a file"],
	[".git/config", "must not be inside .git"],
	["a/../.GIT", "must not be inside .git"],
])("%j is refused", (path, problem) => {
	expect(pathProblem(path)).toBe(problem);
});

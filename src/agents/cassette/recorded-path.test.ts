import { expect, test } from "vitest";
import { pathProblem } from "./read-cassette.ts";

test.each(["a", "a/b c", "-x", "ünï/☃", "a\nb", ".github/x", ".gitignore", "a\\b", "...", "git~x"])(
	"%j may be written",
	(path) => {
		expect(pathProblem(path)).toBeNull();
	},
);

test.each([
	["", "is empty"],
	["a\0b", "contains a NUL character"],
	["/etc/passwd", "is absolute"],
	["..", "leaves the checkout"],
	["a/../../b", "leaves the checkout"],
	["./a", "is not normalized"],
	["a//b", "is not normalized"],
	["a/", "is not normalized"],
	[".git", "is inside git's own folder"],
	["sub/.GiT/hooks/x", "is inside git's own folder"],
	[".git. ./config", "is inside git's own folder"],
	[".g\u200cit/config", "is inside git's own folder"],
	["GIT~1/config", "is inside git's own folder"],
])("%j %s", (path, problem) => {
	expect(pathProblem(path)).toBe(problem);
});

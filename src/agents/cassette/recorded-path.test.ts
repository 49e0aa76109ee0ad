import { expect, test } from "vitest";
import { pathProblem } from "./recorded-path.ts";

test.each(["a", "a/b c", "-x", "ünï/☃", "a\nb", ".github/x", ".gitignore", "a\\b", "...", "git~x"])(
	"%j may be written",
	(path) => {
		expect(pathProblem(path)).toBeNull();
	},
);

test.each([
	["", "is empty"],
	["a\0b", "holds a zero byte"],
	["/etc/passwd", "is absolute"],
	["..", "leads out of the checkout"],
	["a/../../b", "leads out of the checkout"],
	["./a", "is not in its shortest form"],
	["a//b", "is not in its shortest form"],
	["a/", "is not in its shortest form"],
	[".git", "lies in git's own folder"],
	["sub/.GiT/hooks/x", "lies in git's own folder"],
	[".git. ./config", "lies in git's own folder"],
	[".g\u200cit/config", "lies in git's own folder"],
	["GIT~1/config", "lies in git's own folder"],
])("%j %s", (path, problem) => {
	expect(pathProblem(path)).toBe(problem);
});

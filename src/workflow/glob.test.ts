import { expect, test } from "vitest";
import { bareGlob, globProblem } from "./glob.ts";

test.each([
	"src/**",
	"/src/",
	"./test",
	".",
	"**/*.{js,ts}",
	"!(a|b)/[!a]",
	"{1..3}.txt",
	"app/[id]/(group)/page.tsx",
	"app/[[...slug]]/page.tsx",
	"..a/b..",
	"a)b",
	"a}b",
	"\\[",
	".git/hooks/**",
	"nothing/that/exists",
])("%j can match", (glob) => {
	expect(globProblem(glob)).toBeUndefined();
});

test.each([
	["[", 'is not a valid glob: "[" is not closed'],
	["src/{a,b", 'is not a valid glob: "{" is not closed'],
	["src/@(a|b", 'is not a valid glob: "(" is not closed'],
	["[z-a]", "is not a valid glob"],
	["../outside/**", "must stay inside the checkout"],
	["/../x", "must stay inside the checkout"],
	["src/../../x", "must stay inside the checkout"],
	["src/../lib/*", 'must not have ".." as a folder'],
	["C:\\x", "must be relative to the repository root"],
	["a\0", "must not contain a NUL character"],
	["/", "names no file"],
	["./", "names no file"],
])("%j can match nothing", (glob, message) => {
	expect(globProblem(glob)?.message).toBe(message);
});

test("slashes at the ends of a glob, empty parts and the folder itself do not matter", () => {
	expect(["a//b", "a/./b", "a/.", "./a/.//./b/"].map(bareGlob)).toEqual(["a/b", "a/b", "a", "a/b"]);
	expect(["./a/", "/a", ".//a", "../a"].map(bareGlob)).toEqual(["a", "a", "a", "../a"]);
});
